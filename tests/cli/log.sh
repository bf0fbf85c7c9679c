# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# blkhang log: one dump from a real console, in every style in which a log may
# be saved, must give the same report; and what is lost of it must be told.
# Sourced by run.

log=samples/irqs-off-6.1.log
styled=$tmp/styled

lines() { tr -d '\r' <$log; }
bare() { lines | sed 's/^[^]]*\] //'; }

qp()
{
	sed 's/=/=3D/g' | awk '{
		while (length($0) > 72) {
			n = 71
			if (substr($0, n, 1) == "=") n -= 1
			if (substr($0, n - 1, 1) == "=") n -= 2
			print substr($0, 1, n) "="
			$0 = substr($0, n + 1)
		}
		print
	}'
}

html() { sed "s/&/\\&amp;/g;s/</\\&lt;/g;s/>/\\&gt;/g;s/\"/\\&quot;/g;s/'/\\&#39;/g"; }

json_string() { sed 's/\\/\\\\/g;s/"/\\"/g'; }

bytes()
{
	while IFS= read -r line; do
		printf '{"PRIORITY":"3","MESSAGE":['
		printf %s "$line" | od -An -v -tu1 | tr -s ' \n' ',' |
			sed 's/^,//;s/,$//'
		printf ']}\n'
	done
}

# same NAME: what is in $styled gives the report of the sample.
same()
{
	run 1 log "$styled"
	check "log: $1" cmp "$tmp/out" tests/golden/irqs-off-6.1.log.txt
}

prefixes()
{
	lines >"$styled"
	same "plain"
	cp $log "$styled"
	same "serial line"
	bare | sed 's/^/[Mon Nov 30 16:53:50 2026] /' >"$styled"
	same "dmesg -T"
	lines | sed 's/^/kern  :err   : /' >"$styled"
	same "dmesg -x"
	lines | sed 's/^/<3>/' >"$styled"
	same "dmesg -r"
	lines | sed 's/\] blk/][    C1] blk/' >"$styled"
	same "caller ids"
	lines | sed 's/^/Jan  3 23:39:43 n1 kernel: /' >"$styled"
	same "syslog"
	bare | sed 's/^/Jan  3 23:39:43 n1 kernel: /
		a\Jan  3 23:39:43 n1 systemd[1]: Started it.' >"$styled"
	same "journalctl"
	bare | sed 's/^/2026-01-03T23:39:43.123456+01:00 n1 kernel: /' >"$styled"
	same "ISO syslog"
	lines | sed 's/^/[2026-03-20 22:59:10] /' >"$styled"
	same "a collector's time"
	lines | sed 's/^/Starting sshd: /' >"$styled"
	same "behind other text"
	bare | json_string | sed 's/.*/{"MESSAGE":"&","PRIORITY":"3"}/' >"$styled"
	same "journalctl -o json"
	bare | bytes >"$styled"
	same "journalctl -o json, bytes"
	bare | json_string | sed '1i { "dmesg": [
		s/.*/{ "pri": 3, "time": 12.5, "msg": "&" },/
		$a ] }' >"$styled"
	same "dmesg --json"
	bare | sed 's/"/\\x22/g;s/^/3,900,412000123,-,caller=T900;/
		a\ SUBSYSTEM=block' >"$styled"
	same "extended netconsole"
	lines | sed 's/^/<14>/' | tr -d '\n' >"$styled"
	same "netconsole, joined"
	esc=$(printf '\033')
	lines | sed "s/^\\([^]]*\\]\\) blkhang/$esc[32m\\1 $esc[0m$esc[33mblkhang$esc[0m/" >"$styled"
	same "colour"
	lines | sed 's/blkhang/^[[33mblkhang#033[0m/;s/ \*/[1m *[0m/' >"$styled"
	same "what is left of colour"
}

mangles()
{
	lines | sed 's/^/> > /' >"$styled"
	same "quoted"
	lines | sed 's/  */ /g' >"$styled"
	same "collapsed blanks"
	lines | sed 's/ /\xc2\xa0/g' >"$styled"
	same "hard blanks"
	lines | sed 's/"/\xe2\x80\x9d/g;s/'\''/\xe2\x80\x99/g' >"$styled"
	same "smart quotes"
	lines | html | sed 's/$/<br>/' >"$styled"
	same "HTML"
	lines | qp >"$styled"
	same "quoted-printable"
	lines | sed 's/^/> /' | qp >"$styled"
	same "quoted, then quoted-printable"
	lines | qp | sed 's/^/> > /' >"$styled"
	same "quoted-printable, then quoted"
	lines | html | qp >"$styled"
	same "HTML in quoted-printable"
	lines | fold -w 80 >"$styled"
	same "cut by a terminal"
	lines | fold -w 80 | sed 's/ *$//' >"$styled"
	same "and copied from it"
	sed 's/\r$//' $log | fold -w 80 | sed 's/$/\r\r/' >"$styled"
	same "CR CR LF"
	lines | fold -w 40 >"$styled"
	same "narrow"
	lines | fold -s -w 72 | sed 's/ *$//' >"$styled"
	same "wrapped"
	lines | fold -s -w 72 | sed 's/^/>> /' >"$styled"
	same "wrapped and quoted"
	lines | fold -s -w 70 | sed '/blkhang/!s/^/+ /' >"$styled"
	same "wrapped with +"
	lines | sed 's/^/Jan  3 23:39:43 n1 kernel: /' | fold -s -w 76 | html |
		sed 's/^/| /' >"$styled"
	same "syslog, wrapped, quoted, HTML"
	lines | sed 's/^.\{60\}/&** 57 printk messages dropped **\n/' >"$styled"
	same "marks of lost messages"
	lines | sed 's/^.\{60\}/&[   99.123456] hello\n/' >"$styled"
	same "another's line within"
	lines | iconv -t UTF-16 >"$styled"
	same "UTF-16 with its mark"
	lines | iconv -t UTF-16BE >"$styled"
	same "UTF-16, big endian"
	lines | html | fold -w 80 | iconv -t UTF-16LE >"$styled"
	same "UTF-16, wrapped HTML"
	lines | tac >"$styled"
	same "backwards"
	cat $log $log >"$styled"
	same "two consoles"
}

# What is lost: loses SED WANT CODE: with lines deleted, WANT is in the report.
loses()
{
	sed "$1" $log >"$styled"
	run "$3" log "$styled" || return 1
	grep -qF "$2" "$tmp/out" || { tail -n 3 "$tmp/out"; return 1; }
}

losses()
{
	check "log: middle lost" loses '20,24d' '5 of 34 lines: 20-24' 1
	check "log: verdict is as printed" grep -q \
		'^HANG: CPU 1 takes no interrupts' "$tmp/out"
	check "log: head lost" loses '1,5d' '5 of 34 lines: 1-5' 1
	check "log: verdict from its end" grep -q \
		'completion-cpu-irqs-off, confidence high, CPU 1, disk vda' "$tmp/out"
	check "log: sentences stay with it" grep -q '  - it runs' "$tmp/out"
	check "log: tail lost" loses '25,$d' 'all that came later, with the end' 1
	check "log: a line damaged" loses '14s/vda/vdb/' \
		'1 of 34 lines: 14; damaged: 1' 1
	check "log: verdict damaged" loses '1s/cpu=1/cpu=2/' \
		'1 of 34 lines: 1; damaged: 1' 1
	check "log: it is not believed" sh -c "! grep -q 'CPU 2' '$tmp/out'"
	check "log: verdicts lost, judged anew" loses '/ verdict /d' \
		'judged anew from the records' 1
	check "log: then it is not sure" grep -q '^HANG, cause uncertain' \
		"$tmp/out"
	check "log: verdicts and records lost: no answer" loses \
		'/ verdict /d;20d' 'NO ANSWER: The verdict is lost' 3
	sed 's/\*/x/' $log >"$styled"
	check "log: all damaged" says 3 "all lines of dumps are damaged" log \
		"$styled"
	head -n 10 $log >"$tmp/part1"
	sed 1,10d $log >"$tmp/part2"
	check "log: parts, newest first" run 1 log "$tmp/part2" "$tmp/part1"
	check "log: they are one" cmp "$tmp/out" tests/golden/irqs-off-6.1.log.txt
}

# The same dump once more, as another: ids differ, so do the sums.
log_several()
{
	{ cat $log; head -c 100000 /dev/urandom; cat $log; } >"$styled"
	check "log: noise between" run 1 log "$styled"
	check "log: one dump" cmp "$tmp/out" tests/golden/irqs-off-6.1.log.txt
	printf 'blkhang: v1 0001 1 verdict id=no-hang confidence=high requests=0 empty=9 *c9aa\n' >"$tmp/other"
	check "log: two dumps" run 1 log "$tmp/other" $log
	check "log: the first of them" grep -q '^Dump 1 of 2: id 0001' "$tmp/out"
	check "log: the second" grep -q '^Dump 2 of 2: id 324b' "$tmp/out"
	check "log: no hang" run 0 log "$tmp/other"
	check "log: two in JSON" run 1 log --json "$tmp/other" $log
	check "log: one object each" sh -c "test \$(jq -c . '$tmp/out' | wc -l) = 2"
}

log_forms()
{
	check "log --all" run 1 log --all $log
	bare | sed -E 's/^blkhang: v1 .... [0-9]+ (.*) \*....$/\1/' >"$tmp/bare"
	check "log --all: lines as printed" cmp "$tmp/out" "$tmp/bare"
	check "log --json" run 1 log --json $log
	verdict='.verdicts[0] | [.id, .confidence, .cpu, .disk, .next]'
	check "log --json: the verdict that decode gives" sh -c \
		"'$BLKHANG' decode --json $sample | jq -c '$verdict' >'$tmp/decoded'
		jq -c '$verdict' '$tmp/out' | cmp - '$tmp/decoded'"
	check "log --json: complete, nothing lost" sh -c "jq -e '.complete and
		.source.lost == \"\" and .source.has_end' '$tmp/out' >/dev/null"
	check "log: standard input" sh -c "'$BLKHANG' log <$log |
		cmp - tests/golden/irqs-off-6.1.log.txt"
	check "log --help" run 0 log --help
	check "log: bad option" says 2 "try 'blkhang log --help'" log --nope
	check "log: no such file" says 2 "No such file" log "$tmp/none"
	check "log: a directory" says 2 "Is a directory" log "$tmp"
	check "log: no dump in it" says 2 "no dump found" log README.md
}

prefixes
mangles
losses
log_several
log_forms
