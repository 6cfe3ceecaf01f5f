# shellcheck shell=bash
# The words that the cases are written in. Read by guest/case, in the guest, before a case.
# Set there: raidtop (the program), scratch (a folder that goes when the case ends), case (its name).
#
# An expectation that is not met is told and counted, and the case goes on; what a case cannot go
# on without ends it (die). A case that checked nothing has failed.

# shellcheck disable=SC2154 # raidtop, scratch
recording=$scratch/recording.csv

# udevd serves one client at a time and hangs up on one that comes meanwhile ('Broken pipe', seen with
# version 252): a settle that was not answered asks again.
udevadm()
{
	local try
	[ "$1" = settle ] || { command udevadm "$@"; return; }
	for try in 1 2 3 4 5; do
		command udevadm "$@" && return
		sleep "0.$try"
	done
	return 1
}
export -f udevadm # for guest/snapshot

# ---- verdicts ----

checked() { echo >>"$scratch/checked"; } # in files: it may be said in a subshell
fail()
{
	echo "wrong: $*" | tee -a "$scratch/failures"
}
die()
{
	fail "$@"
	exit 1
}
skip() # WHY
{
	echo "$*" >"$scratch/skipped"
	exit 77
}

# holds WHAT COMMAND...: the command succeeds
holds()
{
	checked
	"${@:2}" || fail "$1"
}

# equal WHAT GOT WANTED
equal()
{
	checked
	[ "$2" = "$3" ] || fail "$1: wanted $3, got ${2:-nothing}"
}

# near WHAT GOT WANTED PERCENT: a number, that far from the wanted one at most
near()
{
	checked
	awk -v got="$2" -v wanted="$3" -v percent="$4" 'BEGIN {
		off = got > wanted ? got - wanted : wanted - got
		exit !(got ~ /^-?[0-9.]+$/ && off <= wanted * percent / 100)
	}' || fail "$1: wanted $3 within $4 %, got ${2:-nothing}"
}

# between WHAT GOT LOW HIGH
between()
{
	checked
	awk -v got="$2" -v low="$3" -v high="$4" 'BEGIN {
		exit !(got ~ /^-?[0-9.]+$/ && got + 0 >= low + 0 && got + 0 <= high + 0)
	}' || fail "$1: wanted $3 to $4, got ${2:-nothing}"
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds
wait_for()
{
	local end
	uptime_ms
	end=$((now_ms + $1 * 1000))
	until "${@:3}"; do
		uptime_ms
		[ "$now_ms" -lt "$end" ] || die "not within $1 s: $2"
		nap 0.1
	done
}

# The time since the start, in now_ms; the wall clock may be set by a case. No process is started.
uptime_ms()
{
	local up
	read -r up _ </proc/uptime
	now_ms=${up/./}0
}
exec {never}<> <(:)
nap() { read -rt "$1" -u "$never" || :; } # SECONDS

# ---- the host ----

# host throttle N BYTES_PER_SEC | unplug N [KIND] | plug N [KIND [SIZE]] | temp ata|SERIAL DEGREES
# N is the disk's number: the N of its serial DISKN. What is done so is undone after the case.
host()
{
	local id=$BASHPID.$RANDOM said
	echo "$*" >>"$scratch/host"
	echo "$*" >"/vm/ask.$id"
	until [ -e "/vm/answer.$id" ]; do nap 0.02; done
	said=$(<"/vm/answer.$id")
	rm "/vm/answer.$id"
	[ -z "$said" ] || { echo "host: $said"; return 1; }
}

# undo_host throttle|unplug: what was done so
undo_host()
{
	local what number kind
	[ -s "$scratch/host" ] || return 0
	while read -r what number kind; do
		case $what in
		throttle) host throttle "$number" 0 ;;
		unplug) [ -e "$(by_id "$number")" ] || host plug "$number" "${kind:-virtio}" ;;
		esac
	done < <(grep "^$1" "$scratch/host" | sort -u)
}

by_id() { compgen -G "/dev/disk/by-id/*[_-]DISK$1" | head -1; }

disk() # N: its kernel name (vda, sdb)
{
	basename "$(readlink -f "$(by_id "$1")")"
}

# snap MOMENT: what /proc and /sys say now is kept for ./capture, which else is not there
snap()
{
	[ -z "${snapshots:-}" ] || "$(dirname "${BASH_SOURCE[0]}")/snapshot" "$snapshots/$case/$1"
}

# ---- arrays ----

make() # MD OPTION...: an array, as mdadm --create has it
{
	mdadm --create --run --quiet "$@"
	udevadm settle
}
stop()
{
	mdadm --stop --quiet "$1"
	udevadm settle
}
assemble()
{
	mdadm --assemble --quiet "$@"
	udevadm settle
}

# How fast the kernel syncs from now on: KiB/s of one member, 200 if none is given; or all it can.
slow()
{
	echo "${1:-200}" >/proc/sys/dev/raid/speed_limit_min
	echo "${1:-200}" >/proc/sys/dev/raid/speed_limit_max
}
fast() { slow 1000000; }

# syncing MD: until its sync has got somewhere, in mdstat and in sysfs alike
syncing()
{
	wait_for 20 "a sync on $1" sync_shown "$1"
}
sync_shown()
{
	local of_it
	of_it=$(</proc/mdstat)
	of_it=${of_it#*"$1 : "}
	of_it=${of_it%% : *}
	[[ $of_it =~ (resync|recovery|check|repair|reshape)\ *=\ *(0\.)?[1-9] ]] &&
		[[ $(<"/sys/block/$1/md/sync_completed") == *" / "* ]]
}

idle() # MD: until nothing runs on it any more
{
	wait_for 40 "the end of what runs on $1" is_idle "$1"
	udevadm settle
}
is_idle()
{
	[[ $(<"/sys/block/$1/md/sync_action") == idle ]] && [[ ! $(</proc/mdstat) =~ \[[=\>] ]] &&
		[[ $(<"/sys/block/$1/md/sync_completed") == none ]]
}

# Reads or writes DEVICE directly, N blocks of 64 KiB from its start, 40 if not given.
reads() { dd if="$1" of=/dev/null bs=64k count="${2:-40}" iflag=direct status=none; }
writes() { dd if=/dev/zero of="$1" bs=64k count="${2:-40}" oflag=direct status=none; }

# From now on udev does not look into what was written, as it otherwise does when a writer closes a
# device: for arrays that are made after this, and whose requests are counted.
no_udev_watch()
{
	mkdir -p /etc/udev/rules.d
	ln -s /dev/null /etc/udev/rules.d/60-block.rules
	ln -s /dev/null /etc/udev/rules.d/63-md-raid-arrays.rules
	udevadm control --reload
}

# in_background COMMAND...: its pid in $!; ended with the case at the latest
in_background() { "$@" </dev/null >/dev/null 2>&1 & }

write_forever() { while dd if=/dev/zero of="$1" bs="${2:-64k}" oflag=direct status=none || :; do :; done; }
read_forever() { while dd if="$1" of=/dev/null bs="${2:-64k}" iflag=direct status=none || :; do :; done; }

# ---- raidtop --list --json ----

# list [ARG]...: what it says now; 'expect' and the words after it are about the last one
list()
{
	local status=0
	compare
	timeout 20 "$raidtop" --list --json "$@" >"$scratch/list" 2>"$scratch/list.err" || status=$?
	cp /proc/mdstat "$scratch/mdstat"
	[ ! -s "$scratch/list.err" ] || cat "$scratch/list.err"
	[ $status = 0 ] || die "raidtop --list --json ended with status $status"
	[ -s "$scratch/list" ] || die "raidtop --list --json printed nothing"
	expect '.format, .version' '"raidtop-list", 1'
}

# expect FILTER WANTED [WHAT]: jq's FILTER gives WANTED: JSON, or where it is none, that string.
# Noted now, and compared all at once with the next list or at the end: jq takes its time to start.
expect()
{
	local wanted
	case $2 in
	[][{}\"0-9-]* | true | false | null) wanted=$2 ;;
	*) wanted="\"$2\"" ;;
	esac
	checked
	expected+=${expected:+,}"([\$told[${#told[@]}],[$1],[$wanted]])"$'\n'
	told+=("${3:-$1}")
}
expected='' told=()

compare()
{
	local wrong
	[ -n "$expected" ] || return 0
	wrong=$(jq -r --args "\$ARGS.positional as \$told | $expected
		| select(.[1] != .[2]) | map_values(select(type == \"array\") |= (map(tojson) | join(\", \")))
		| \"\(.[0]): wanted \(.[2]), got \(if .[1] == \"\" then \"nothing\" else .[1] end)\"" \
		"${told[@]}" \
		<"$scratch/list") || wrong="no JSON, or no filter: $expected"
	expected='' told=()
	[ -n "$wrong" ] || return 0
	while read -r line; do fail "$line"; done <<<"$wrong"
	sed 's/^/    /' "$scratch/mdstat"
}

expect_fields() # WHAT FILTER [FIELD WANTED]...
{
	local what=$1 filter=$2
	shift 2
	while [ $# -gt 1 ]; do
		expect "$filter|.$1" "$2" "$what $1"
		shift 2
	done
}

# array MD [FIELD WANTED]...; member MD DEVICE [FIELD WANTED]...; device DISK [FIELD WANTED]...
# DEVICE 'missing' is the place that nothing fills.
array() { expect_fields "$1" ".arrays[]|select(.name==\"$1\")" "${@:2}"; }
member()
{
	local name="\"$2\""
	[ "$2" != missing ] || name=null
	expect_fields "$1's $2" ".arrays[]|select(.name==\"$1\").members[]|select(.name==$name)" \
		"${@:3}"
}
device() { expect_fields "$1" ".disks[]|select(.name==\"$1\")" "${@:2}"; }
members() # MD NAME...: these and no others, in any order
{
	local names
	printf -v names ',"%s"' "${@:2}"
	names=${names//\"missing\"/null}
	expect "[.arrays[]|select(.name==\"$1\").members[].name]|sort" "[${names:1}]|sort" \
		"$1's members"
}

# ---- raidtop --stream --json ----

# load STATUS ARG...: runs it to its end; 'expect' after it is about what it printed, 'load_says' is
# the number or word that jq's FILTER gives now
load()
{
	local status=0 wanted=$1
	shift
	compare
	"$raidtop" --json "$@" </dev/null >"$scratch/list" 2>"$scratch/load.err" || status=$?
	cp /proc/mdstat "$scratch/mdstat"
	cat "$scratch/load.err"
	equal "raidtop --stream's status" $status "$wanted"
	[ -s "$scratch/list" ] || die "raidtop --stream --json printed nothing"
	expect '.format, .version' '"raidtop-load", 1'
}
load_says() { jq -r "$1" <"$scratch/list"; }

# filesystem DEVICE: mounted at /mnt; guest/run unmounts it
filesystem()
{
	busybox mke2fs "$1" >/dev/null
	mount -t ext4 "$1" /mnt
}

# ---- recordings ----

# record SECONDS [ARG]...: in the background, into $recording, a sample each second if not told
# otherwise; 'recorded' waits for its end
record()
{
	rm -f "$recording"
	"$raidtop" --record "$recording" --duration "$@" </dev/null >"$scratch/record.out" 2>&1 &
	recorder=$!
	wait_for 5 'a first line in the recording' test -s "$recording"
}
late='late ticks: [0-9]*, missed ticks: [0-9]*' # it may say so of a busy machine
missed() # how many ticks raidtop --record says it missed
{
	sed -n 's/.*missed ticks: \([0-9]*\).*/\1/p' "$scratch/record.out" | grep . || echo 0
}
recorded()
{
	local status=0
	wait "$recorder" || status=$?
	equal "raidtop --record's status" $status 0
	equal 'what raidtop --record said' \
		"$(grep -v "$late" "$scratch/record.out" || :)" ''
	[ "$(figures sample . name | wc -l)" -gt 0 ] || die 'the recording has no sample'
}

end_record() # before its time is over
{
	kill -INT "$recorder"
	recorded
}

# figures KIND NAME COLUMN...: of the recording's lines of that kind and device ('.': all), one a
# line, with tabs between. Columns are found by their names; an empty field is '-'.
figures()
{
	awk -v kind="$1" -v name="$2" -v columns="${*:3}" -f "$(dirname "${BASH_SOURCE[0]}")/csv.awk" \
		"$recording"
}

# The recording's lines that do not have as many fields as the first
odd_lines()
{
	awk -v odd=1 -f "$(dirname "${BASH_SOURCE[0]}")/csv.awk" "$recording"
}

count() { grep -cx -- "$1" || :; } # LINE: how many of the lines on standard input are that

# Of the numbers on standard input, the empty ones left out
mean() { awk '$1 != "-" { n++; sum += $1 } END { if (n) printf "%.3f\n", sum / n }'; }
least() { grep -v '^-$' | sort -g | head -n 1; }
most() { grep -v '^-$' | sort -g | tail -n 1; }

# moved NAME COLUMN: by how much a counter grew in the recording
moved()
{
	figures sample "$1" "$2" | awk '$1 == "-" { next } !n++ { first = $1 } { last = $1 }
		END { if (n) printf "%.0f\n", last - first }'
}

# ---- the screen, in tmux ----

terminal() { tmux -u -L case -f /dev/null "$@"; }

# screen [ARG]...: raidtop on a terminal of 100 × 30 ($size: 'COLUMNS ROWS')
screen()
{
	local columns=100 rows=30
	[ -z "${size:-}" ] || read -r columns rows <<<"$size"
	rm -f "$scratch/screen.status"
	terminal new-session -d -x "$columns" -y "$rows" \
		"$(printf '%q ' "$raidtop" "$@") 2>$scratch/screen.err; echo \$? >$scratch/screen.status; sleep 600"
}
picture() { terminal capture-pane -p; }

# shows TEXT [SECONDS]; hides TEXT [SECONDS]: the text is, or is no more, on the screen
shows()
{
	checked
	await_picture "$1" "${2:-10}" found || picture_fails "'$1' is not on the screen"
}
hides()
{
	checked
	await_picture "$1" "${2:-10}" absent || picture_fails "'$1' is still on the screen"
}
await_picture() # TEXT SECONDS found|absent
{
	local end seen
	uptime_ms
	end=$((now_ms + $2 * 1000))
	while :; do
		seen=absent
		case $(picture) in *"$1"*) seen=found ;; esac
		[ $seen != "$3" ] || return 0
		uptime_ms
		[ "$now_ms" -lt "$end" ] || return 1
		nap 0.2
	done
}
picture_fails()
{
	picture | sed 's/^/    |/'
	[ ! -s "$scratch/screen.err" ] || cat "$scratch/screen.err"
	die "$1"
}
keys() { terminal send-keys "$@"; }

# quits: raidtop ends well by the key q, within 5 s
quits()
{
	checked
	keys q
	wait_for 5 'raidtop ends by q' test -s "$scratch/screen.status"
	equal "raidtop's status at its end" "$(<"$scratch/screen.status")" 0
	rm -f "$scratch/screen.status"
	terminal kill-server
}
