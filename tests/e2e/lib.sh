# shellcheck shell=bash
# Sourced by every end-to-end test: the real program, driven from outside. Each check prints one
# line, `ok NAME` or `FAILED NAME` with what was wanted and what came.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
raidtop=${RAIDTOP:-$PWD/raidtop}
export LC_ALL=C.UTF-8
unset NO_COLOR COLORTERM
work=$(mktemp -d) || exit 2
failures=0
tmux_number=0

finish()
{
	screen_close
	rm -rf "$work"
	[ "$failures" = 0 ] || exit 1
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

ok() { echo "ok $1"; }
bad() # NAME LINE...
{
	echo "FAILED $1"
	shift
	printf '    %s\n' "$@"
	failures=$((failures + 1))
}

same() # NAME WANTED GOT
{
	if [ "$2" = "$3" ]; then ok "$1"; else bad "$1" "wanted: $2" "got:    $3"; fi
}

# Bad input: exit status, nothing on standard output, and one sentence that matches.
says() # NAME STATUS REGEX ARGUMENT...
{
	local name=$1 status=$2 regex=$3 got
	shift 3
	timeout 20 "$raidtop" "$@" >"$work/out" 2>"$work/err" </dev/null
	got=$?
	if [ "$got" != "$status" ]; then
		bad "$name" "exit status: wanted $status, got $got" "$(cat "$work/err")"
	elif [ -s "$work/out" ]; then
		bad "$name" "standard output should be empty: $(head -c 200 "$work/out")"
	elif [ "$(wc -l <"$work/err")" != 1 ]; then
		bad "$name" "wanted one sentence, got:" "$(cat "$work/err")"
	elif ! grep -qE "^raidtop: $regex" "$work/err"; then
		bad "$name" "wanted: raidtop: $regex" "got:    $(cat "$work/err")"
	else
		ok "$name"
	fi
}

# ---- a screen ----
# One tmux server after another, each with a socket of its own: one that ends cannot meet the next.
mux() { SHELL=$BASH tmux -S "$work/tmux.$tmux_number" -f /dev/null "$@" 2>/dev/null; }
screen_close() { [ ! -S "$work/tmux.$tmux_number" ] || mux kill-server; }

# Starts a shell line in a terminal of that size; it stays after the line has ended.
screen_open() # WIDTH HEIGHT LINE
{
	screen_close
	tmux_number=$((tmux_number + 1))
	mux new-session -d -x "$1" -y "$2" "$3; echo \"status \$?\"; exec sleep 1000"
	mux set-option -g status off
	mux resize-window -x "$1" -y "$2"
}
screen_text() { mux capture-pane -p; }
screen_colours() { mux capture-pane -pe; }
keys() { mux send-keys "$@"; }

# Waits until the screen has a line that matches.
screen_shows() # NAME REGEX [SECONDS]
{
	local end=$((SECONDS + ${3:-10}))
	until screen_text | grep -qE -- "$2"; do
		if [ $SECONDS -ge $end ]; then
			bad "$1" "no line matches $2 on:" "$(screen_text)"
			return 1
		fi
		sleep 0.1
	done
	ok "$1"
}
screen_lacks() # NAME REGEX
{
	if screen_text | grep -qE -- "$2"; then
		bad "$1" "a line matches $2 on:" "$(screen_text)"
	else
		ok "$1"
	fi
}

# As screen_lacks, once what is there now had time to go.
screen_hides() # NAME REGEX
{
	for _ in $(seq 50); do
		screen_text | grep -qE -- "$2" || break
		sleep 0.1
	done
	screen_lacks "$1" "$2"
}

# ---- a machine made of files, for --root ----
put() # FILE TEXT
{
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >"$1"
}

# Counters of the devices below, as /proc/diskstats has them; READ and WRITE in sectors. The program
# keeps the file open, so it is written over in place, always to the same length.
root_counters() # ROOT READ WRITE
{
	local format='%4d %7d %s %12d 0 %12d 40 %12d 0 %12d 60 0 90 100 0 0 0 0 0 0\n'
	# shellcheck disable=SC2059
	printf "$format$format$format$format" \
		8 0 sda $(($2 / 16)) $(($2 / 2)) $(($3 / 8)) "$3" \
		8 16 sdb $(($2 / 16)) $(($2 / 2)) $(($3 / 8)) "$3" \
		8 32 sdc 12 96 0 0 \
		9 0 md0 $(($2 / 8)) "$2" $(($3 / 8)) "$3" 1<>"$1/proc/diskstats"
}

# A raid1 md0 of sda and sdb, and a disk sdc in no array.
make_root() # DIR
{
	local root=$1 disk number=0
	mkdir -p "$root/proc" "$root/sys/block"
	for disk in sda sdb sdc; do
		put "$root/sys/block/$disk/size" 2097152
		put "$root/sys/block/$disk/dev" "8:$number"
		put "$root/sys/block/$disk/queue/rotational" 1
		put "$root/sys/block/$disk/queue/iostats" 1
		put "$root/sys/block/$disk/device/model" "SAMPLE DISK"
		put "$root/sys/block/$disk/device/rev" 1.0
		number=$((number + 16))
	done
	put "$root/sys/block/md0/size" 2095104
	put "$root/sys/block/md0/dev" 9:0
	put "$root/sys/block/md0/queue/iostats" 1
	put "$root/sys/block/md0/md/level" raid1
	put "$root/sys/block/md0/md/array_state" clean
	put "$root/sys/block/md0/md/raid_disks" 2
	put "$root/sys/block/md0/md/degraded" 0
	put "$root/sys/block/md0/md/sync_action" idle
	put "$root/sys/block/md0/md/metadata_version" 1.2
	number=0
	for disk in sda sdb; do
		put "$root/sys/block/md0/md/dev-$disk/slot" $number
		put "$root/sys/block/md0/md/dev-$disk/state" in_sync
		ln -s "../../../$disk" "$root/sys/block/md0/md/dev-$disk/block"
		number=$((number + 1))
	done
	cat >"$root/proc/mdstat" <<-MDSTAT
	Personalities : [raid1] 
	md0 : active raid1 sdb[1] sda[0]
	      1047552 blocks super 1.2 [2/2] [UU]
	      
	unused devices: <none>
	MDSTAT
	root_counters "$root" 80000 8000
}
