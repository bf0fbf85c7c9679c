# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Counting, for the test scripts: ok, not_ok and skip print one line each;
# finish prints the last line and exits.

passed=0
failed=0
skipped=0

ok()
{
	passed=$((passed + 1))
	echo "ok - $1"
}

not_ok()
{
	failed=$((failed + 1))
	echo "not ok - $1"
}

skip()
{
	skipped=$((skipped + 1))
	echo "ok - $1 # SKIP $2"
}

# check NAME COMMAND...: ok when the command succeeds.
check()
{
	name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name"; fi
}

finish()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}
