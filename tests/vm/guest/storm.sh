# shellcheck shell=bash
# A storm of hotplug for the cases hotplug-storm*: a thousand events and more in ten seconds (longer
# on a machine that cannot make them so fast) while raidtop watches and records, and then what it
# must say. Read by those cases.
# shellcheck disable=SC2154 # scratch, recording, now_ms: of lib.sh
nulls=/sys/kernel/config/nullb

# Disks of 16, 17, ... MB, so that their sizes tell them apart. The kernel makes another disk each
# time that one is switched on.
make_disks()
{
	modprobe null_blk nr_devices=0
	for i in 0 1 2 3 4; do
		mkdir $nulls/n$i
		echo $((16 + i)) >$nulls/n$i/size
	done
	power 4 1
	make /dev/md0 --level=1 --raid-devices=2 --bitmap=none --assume-clean /dev/vd[ab]
	mdadm --stop --quiet /dev/md0
}
power() { echo "$2" >"$nulls/n$1/power"; }

# Three shakers, until the file goes: disks that come and go, an array that comes and goes, and
# events of a disk that stays. The kernel takes its time for the first, so the last make the number.
shake_disk() # N
{
	while [ -e "$scratch/shaking" ]; do
		power "$1" 1
		nap "0.1$1"
		power "$1" 0
		echo >>"$scratch/shaken"
	done
}
shake_array()
{
	while [ -e "$scratch/shaking" ]; do
		mdadm --assemble --quiet /dev/md0 /dev/vd[ab]
		mdadm --stop --quiet /dev/md0
		nap 0.3
		echo >>"$scratch/shaken.md"
	done
}
shake()
{
	local i
	uptime_ms
	start=$now_ms
	for ((i = 0; i < 1000; i++)); do
		echo change >/sys/block/n4/uevent
		[ $((i % 20)) = 19 ] || continue
		uptime_ms
		[ "$now_ms" -ge $((start + i * 10)) ] || nap 0.1
	done
	uptime_ms
	took=$((now_ms - start))
}

names() { (cd /sys/block && printf '%s\n' md* n[0-4] vd*) | sort; }
# What the last tick has a sample of; the # of a name that was given again is left out.
recorded_last()
{
	figures sample . elapsed_s name | awk -F'\t' '$1 != at { names = "" } { at = $1; names = names $2 "\n" }
		END { printf "%s", names }' | sed 's/#.*//' | sort
}
# Names in the recording of which that key had more than one value; an array has no size at first
ambiguous() # KIND KEY
{
	figures "$1" . key name value | awk -v key="$2" '$1 == key && $3 != "-" && $3 != 0 { print $2, $3 }' |
		sort -u | cut -d' ' -f1 | uniq -d
}

storm() # WHAT
{
	local seqnum took shakers=()
	screen
	shows vda
	record 160
	touch "$scratch/shaking"
	seqnum=$(</sys/kernel/uevent_seqnum)
	for i in 0 1 2 3; do
		in_background shake_disk $i
		shakers+=($!)
	done
	in_background shake_array
	shakers+=($!)
	busybox renice -n 10 -p "${shakers[@]}" # the count of events goes first
	shake
	rm "$scratch/shaking"
	wait "${shakers[@]}" || :
	holds "a thousand events, $1" [ $(($(</sys/kernel/uevent_seqnum) - seqnum)) -ge 1000 ]
	echo "$1: $took ms, disks came and went $(wc -l <"$scratch/shaken") times," \
		"arrays $(wc -l <"$scratch/shaken.md"), events $(($(</sys/kernel/uevent_seqnum) - seqnum))"
	between "times that disks came and went, $1" "$(wc -l <"$scratch/shaken")" 20 1000
	between "times that the array came and went, $1" "$(wc -l <"$scratch/shaken.md")" 1 1000
	rm "$scratch/shaken" "$scratch/shaken.md"
	power 2 1
	power 0 1
	mdadm --assemble --quiet /dev/md5 /dev/vd[ab]
	udevadm settle
	shows md5 30
	shows n0
	shows n2
	hides n1
	hides n3
	keys '?'
	shows 'select a device' 3
	keys Escape
	shows n4
	sleep 3
	end_record
	list
	expect '[.disks[].name, .arrays[].name]|sort' "[$(names | sed 's/.*/"&"/' | paste -sd,)]|sort" 'what is there'
	device n2 size_bytes $((18 * 1048576))
	device n0 size_bytes $((16 * 1048576))
	array md5 slots UU
	equal "what the last tick tells, $1" "$(recorded_last | paste -sd' ')" "$(names | paste -sd' ')"
	figures fact md0 key value | grep size_bytes | sort | uniq -c
	equal "disks with two sizes, $1" "$(ambiguous fact size_bytes | sed /^md/d)" ''
	equal "names with two serials, $1" "$(ambiguous device serial)" ''
	equal "names with two UUIDs, $1" "$(ambiguous device uuid)" ''
	equal "odd lines, $1" "$(odd_lines | wc -l)" 0
	between "lowest MB/s, $1" "$(figures sample . read_mb_s | least)" 0 0
	between "highest MB/s, $1" "$(figures sample . read_mb_s | most)" 0 20000
	# A machine this busy may miss ticks; each is told.
	between "gaps, $1" "$(figures event . key | count gap)" 0 "$(missed)"
	quits
}
