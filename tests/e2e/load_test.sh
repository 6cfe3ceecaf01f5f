#!/usr/bin/env bash
# Load without a screen, on a small ext4 on a loop device: what was moved is what was asked for, what
# is told is what was moved, and nothing is left behind. No rate is asserted.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# ---- what is refused before anything is done ----
says 'a workload that is none' 2 '--stream: there is no workload "seq-red": begin with one of seq-read' \
	--stream seq-red,target=/tmp
says 'a key that is none' 2 '--stream: a stream has no key "blok": give one of target' \
	--stream seq-read,target=/tmp,blok=4k
says 'no target' 2 '--stream: where is seq-read to run\?' --stream seq-read
says 'a contradiction' 2 '--stream: ramp leaves nothing of time' \
	--stream seq-read,target=/tmp,ramp=9s,time=9s
says 'the second of two is wrong' 2 '--stream: copies=65 is too large' \
	--stream seq-read,target=/tmp --stream seq-read,target=/tmp,copies=65
says 'control characters' 2 '--stream: a stream has no key "\?\[2J"' --stream $'seq-read,\e[2J=1'
says 'load and a replay' 2 '--stream and --replay exclude each other' \
	--stream seq-read,target=/tmp --replay file
says 'permission for nothing' 2 '--allow-degraded goes with --stream' --allow-degraded
says 'JSON and a recording on one output' 2 '--json and --record - both want' \
	--stream seq-read,target=/tmp,time=1s --json --record -
says 'more streams than can run' 1 '66 streams are more than the 64 that can run at once' \
	--stream "seq-read,target=$work,copies=33" --stream "seq-read,target=$work,copies=33" --json
says 'a target that is not there' 1 "there is no $work/none: check the name" \
	--stream "seq-read,target=$work/none,time=1s"
says 'nothing to clean' 0 "$work holds no files of raidtop" --clean "$work"

truncate -s 192M "$work/image"
if ! loop=$(losetup --find --show "$work/image" 2>/dev/null); then
	echo 'skipped load on a filesystem: no loop device can be made here (root is needed)'
	exit 0
fi
end()
{
	fsfreeze -u "$work/mnt" 2>/dev/null
	umount "$work/mnt" 2>/dev/null
	losetup -d "$loop"
	finish
}
trap end EXIT
mkdir "$work/mnt"
if ! { mkfs.ext4 -q -F "$loop" && mount "$loop" "$work/mnt"; }; then
	echo 'skipped load on a filesystem: no ext4 can be mounted here'
	exit 0
fi
name=${loop#/dev/}
mnt=$work/mnt

# json NAME STATUS ARGUMENT...: one valid object on standard output, for 'told'
json()
{
	local check=$1 status=$2 got
	shift 2
	timeout 60 "$raidtop" --json -i 0.2 "$@" >"$work/json" 2>"$work/err" </dev/null
	got=$?
	if [ "$got" != "$status" ]; then
		bad "$check" "exit status: wanted $status, got $got" "$(cat "$work/err")"
	elif [ "$(jq -r '"\(.format) \(.version)"' "$work/json" 2>&1)" != 'raidtop-load 1' ]; then
		bad "$check" "no valid object: $(head -c 300 "$work/json")"
	else
		ok "$check"
	fi
}
told() # NAME WANTED FILTER
{
	same "$1" "$2" "$(jq -rc "$3" "$work/json" 2>&1)"
}

left() { compgen -G "$mnt/.raidtop*"; }

# ---- refused: that alone is said, and nothing of what would have been done ----
says 'a disk that is not named' 1 "seq-write would destroy what is on $loop: name a directory" \
	--stream "seq-write,target=$loop,time=1s"
says 'a disk that is mounted' 1 "$name is mounted on $mnt: unmount it first" \
	--stream "seq-write,target=$loop,time=1s" --allow-raw-write "$loop"
says 'a file of the user' 1 "seq-write would write to $0, a file that is not raidtop" \
	--stream "seq-write,target=$0,time=1s"
says 'more memory than there is' 1 'the blocks in flight would take 2.00 TiB of memory' \
	--stream "seq-write,target=$mnt,block=64M,depth=256,copies=64,size=64M,time=1s"
says 'verify of whole files' 2 '--stream: verify does not go with create' \
	--stream "create,target=$mnt,verify=1,time=1s"

# ---- and what is done is said before ----
"$raidtop" --stream "seq-read,target=$mnt,size=2M,time=300ms" >"$work/plan" 2>&1
same 'it says what it will do, and where' \
	"sequential read for 0.3 s: makes a file of 2.10 MB of random data in $mnt/.raidtop, reads it, and removes what it made" \
	"$(head -n 1 "$work/plan" | sed 's/;.*//')"
same 'and on which device' 1 "$(head -n 1 "$work/plan" | grep -c "\\. $mnt: ext4 on $name .*mounted rw.* free\\.\$")"

"$raidtop" --stream "seq-write,target=$mnt,copies=2,limit=1M,time=300ms" >"$work/plan" 2>&1
same 'as small as the room there is' 0 "$(grep -c 'makes 2 files of 1.07 GB' "$work/plan")"

# ---- bytes ----
json 'a writer up to its limit' 0 --stream "seq-write,target=$mnt,size=8M,block=256k,limit=20M"
told 'wrote exactly that' 20971520 '.streams[0].write_bytes'
told 'in that many transfers' 80 '.streams[0].write_ios'
told 'each but the first with a latency' 79 '.streams[0].latency_ns.write.count'
told 'and the percentiles in order' true \
	'.streams[0].latency_ns.write | [.min, .p50, .p95, .p99, .p99_9, .max] | . == sort'
told 'to the disk, too' true '.streams[0] | .to_disk_per_sec > 0 and .to_disk_per_sec <= .mean_per_sec'
told 'nothing was read, so nothing is proven' null '.streams[0].proof'
told 'on which device' "$name" '.streams[0].device'
told 'ended well' '["ended",false,false]' '[.streams[0].state, .failed, .interrupted]'
told 'its text can be used again' "seq-write,target=$mnt,block=256k,time=1m,size=8M,limit=20M" \
	'.streams[0].spec'
same 'nothing is left' '' "$(left)"

json 'whole files up to a limit' 0 --stream "untar,target=$mnt,size=2M,limit=1M" \
	--stream "create,target=$mnt,size=1M,block=5000,limit=12k"
told 'are never beyond it' '[true,true]' \
	'[.streams[0] | .write_bytes <= 1048576, .write_bytes > 524288]'
told 'nor is a part of one written' 10000 '.streams[1].write_bytes'

json 'readers' 0 --stream "seq-read,target=$mnt,size=6M,copies=2,block=64k,time=1s" \
	--stream "rand-read,target=$mnt,size=4M,block=4k,time=500ms"
told 'three streams in one group' '[[1,1],[2,1],[3,1]]' '[.streams[] | [.number, .group]]'
told 'each on a file of its own' 3 '[.streams[].file] | unique | length'
told 'whole blocks' true 'all(.streams[]; .read_bytes > 0 and .read_bytes % 4096 == 0)'
told 'as many as were counted' '[true,true,true]' \
	'[.streams[] | .read_bytes == .read_ios * (if .workload == "seq-read" then 65536 else 4096 end)]'
told 'the sum is the sum' true '([.streams[].read_bytes] | add) == .sum.read_bytes'
told 'latencies are merged' true \
	'([.streams[].latency_ns.read.count] | add) == .sum.latency_ns.read.count'
told 'from the disk' '["DISK","DISK","DISK"]' '[.streams[].proof]'
told 'the last one finishes last' true '.sum.last_finish_s >= 0.9 and .sum.first_finish_s >= 0.45 and
	.sum.first_finish_s < .sum.last_finish_s and .sum.union_s <= .sum.last_finish_s'

# ---- proof ----
truncate -s 8M "$mnt/sparse"
json 'a sparse file' 0 --stream "seq-read,target=$mnt/sparse,time=300ms"
told 'is a hole' HOLE '.streams[0].proof'
head -c 8M /dev/urandom >"$mnt/full"
sync
cat "$mnt/full" >/dev/null
json 'a file that was just read' 0 --stream "seq-read,target=$mnt/full,time=300ms,access=buffered"
told 'comes from the cache' '["CACHE",true]' '.streams[0] | [.proof, .disk_pct < 50]'
json 'the same file past the cache' 0 --stream "seq-read,target=$mnt/full,time=300ms"
told 'comes from the disk' '["DISK",100]' '.streams[0] | [.proof, .disk_pct]'

# ---- files that stay, and are cleaned away ----
json 'files to keep' 0 --stream "seq-read,target=$mnt,size=4M,time=300ms,keep=1"
same 'are named' "raidtop: kept: $mnt/.raidtop/1.data, 4.00 MiB" "$(cat "$work/err")"
same 'and there' 4194304 "$(stat -c %s "$mnt/.raidtop/1.data")"
echo mine >"$mnt/.raidtop/notes.txt"
"$raidtop" --clean "$mnt" >"$work/out" 2>"$work/err"
same '--clean says that something is left' 1 $?
same 'which is not ours' mine "$(cat "$mnt/.raidtop/notes.txt")"
same 'the file is gone' '' "$(compgen -G "$mnt/.raidtop/*.data")"
rm -r "$mnt/.raidtop"

load() # ARGUMENT...: in the background, its pid in $pid
{
	"$raidtop" --json -i 0.2 "$@" >"$work/json" 2>"$work/err" </dev/null &
	pid=$!
}
load --stream "seq-read,target=$mnt,size=4M,time=20s" \
	--stream "seq-read,target=$mnt,size=4M,time=1s"
sleep 1
kill -KILL "$(pgrep -o -f stream-worker -P $pid)"
wait $pid
same 'a worker is killed: status' 1 $?
told 'is told' failed '.streams[0].state'
told 'by its signal' true '.streams[0].why | test("killed by signal 9")'
told 'and the other one goes on' '["ended","its time was over"]' '.streams[1] | [.state, .why]'

# ---- ^C ----
load --stream "seq-read,target=$mnt,size=4M,time=60s"
sleep 1.5
kill -INT $pid
wait $pid
same '^C: status' 0 $?
told '^C: what was measured' '[true,"stopped as asked",true]' \
	'[.interrupted, .streams[0].why, .streams[0].read_bytes > 0]'
same '^C: nothing is left' '' "$(left)"

# a filesystem that does not answer
load --stream "seq-write,target=$mnt,size=4M,limit=100G,time=60s"
sleep 1
fsfreeze -f "$mnt"
sleep 0.5
kill -INT $pid
sleep 0.7
same '^C waits for what hangs' yes "$(kill -0 $pid 2>/dev/null && echo yes)"
start=$SECONDS
kill -INT $pid
wait $pid
same 'a second ^C does not: status' 1 $?
same 'nor for long' yes "$([ $((SECONDS - start)) -le 15 ] && echo yes)"
told 'and tells what was measured' '[true,true]' '[.interrupted, .streams[0].write_bytes > 0]'
same 'and what is left' "raidtop: the test files in $mnt/.raidtop are not removed yet, as their disk is slow to answer: raidtop --clean $mnt" "$(cat "$work/err")"
fsfreeze -u "$mnt"
for _ in {1..50}; do # the removal goes on by itself, and may be at it
	"$raidtop" --clean "$mnt" >"$work/out" 2>"$work/err" && break
	sleep 0.2
done
same '--clean afterwards' 0 $?
same 'nothing is left of it' '' "$(left)"

# ---- a recording of it ----
json 'load and a recording' 0 --stream "seq-read,target=$mnt,size=4M,copies=2,time=2s" \
	--record "$work/load.csv"
column() { head -1 "$work/load.csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
kind=$(column kind) row=$(column name) key=$(column key) value=$(column value)
same 'its histograms sum up to all latencies' "$(jq '.streams[1].latency_ns.read.count' "$work/json")" \
	"$(awk -F, -v k="$kind" -v n="$row" -v c="$key" -v v="$value" '
		$k == "hist" && $n == "stream2" && $c == "read" {
			m = split($v, buckets, " ")
			for (i = 1; i <= m; i++) { split(buckets[i], b, "="); sum += b[2] }
		}
		END { print sum }' "$work/load.csv")"
same 'its last line has all bytes' "$(jq '.streams[1].read_bytes' "$work/json")" \
	"$(awk -F, -v k="$kind" -v n="$row" -v r="$(column read_bytes)" \
		'$k == "stream" && $n == "stream2" { last = $r } END { print last }' "$work/load.csv")"
screen_open 140 40 "'$raidtop' --replay '$work/load.csv'"
screen_shows 'the replay shows the streams' ' 2 .*seq-read .*DISK 100 %'
keys q

# ---- a table too wide for its terminal goes on below; files a second among MB/s say so ----
screen_open 80 40 "'$raidtop' -i 0.2 --stream 'seq-read,target=$mnt,size=4M,time=1s' --stream 'create,target=$mnt,size=1M,time=1s'"
screen_shows 'the first columns' '^stream +on +MB/s mean +.*p50'
screen_shows 'the others below' '^stream +on +.*proof'
screen_shows 'behind the same keys' "^1 seq-read +$name +.*DISK 100 %"
screen_shows 'files a second among MB/s' "^2 create +$name +[0-9.]+ files/s"
screen_shows 'and the status' '^status 0'

# ---- moved while it runs ----
mkdir "$mnt/there"
(
	sleep 0.7
	mv "$mnt/there" "$mnt/elsewhere"
) &
json 'a directory that is moved' 0 --stream "seq-read,target=$mnt/there,size=2M,time=2s"
wait $!
told 'is told' true '.streams[0].why | test("there was moved, unmounted or mounted over")'
same 'and its file is found all the same' '' "$(ls -A "$mnt/elsewhere")"
rmdir "$mnt/elsewhere"

# ---- on a terminal ----
screen_open 130 30 "'$raidtop' -i 0.2 --stream 'seq-read,target=$mnt,size=4M,copies=2,time=3s'"
screen_shows 'it says first what it does' "2 times sequential read for 3 s: makes 2 files of 4.19 MB of random data"
screen_shows 'a line for each stream, with the time left' "^  2 seq-read +$name .*MB/s +mean .*00:00:0[0-9], [0-9] s left"
screen_shows 'and the result at the end' '^status 0'
screen_shows 'with a table' '^2 seq-read .*DISK 100 %'
"$raidtop" --stream "seq-write,target=$mnt,size=4M,time=0.5s,copies=2" >"$work/out" 2>&1
same 'what writes says how much' 1 "$(grep -c 'writes up to 41.9 MB to each of them' "$work/out")"
screen_lacks 'in place of the lines' 's left$'

# without one: the result alone, and standard error is silent
"$raidtop" --stream "seq-read,target=$mnt,size=4M,time=300ms" >"$work/out" 2>"$work/err" </dev/null
same 'without a terminal: status' 0 $?
same 'nothing on standard error' '' "$(cat "$work/err")"
same 'no control characters' 0 "$(grep -c $'\e' "$work/out")"
same 'what it does, headings, a stream, its end' 4 "$(wc -l <"$work/out")"
