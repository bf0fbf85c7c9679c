# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# dump.sh - have a guest say where it hangs, and keep its memory; sourced, with
# lib.sh (bash). Variables: HAVE_KMOD=1: the module is loaded; KEY: how it is
# told; FLAT=1: a second file, flattened.

ends_seen() { grep -cE 'blkhang: v1 [0-9a-f]+ [0-9]+ end complete=' "$VM_DIR/console.log"; }

press_key() {
	case $KEY in
	keyboard) hmp "sendkey alt-sysrq-y" ;;
	serial)
		qmp '{"execute":"chardev-send-break","arguments":{"id":"con"}}' \
			>/dev/null && printf y >"$VM_DIR/con.in" ;;
	# Only to start it: the answer comes before the key's own work.
	proc) guest key ;;
	*) vm_die "no key $KEY" ;;
	esac
}

# Press, and wait for the last line of the module's dump.
dump_to_console() {
	local before end
	[ "$HAVE_KMOD" = 1 ] || return 0
	before=$(ends_seen)
	press_key || return 1
	end=$((SECONDS + ${DUMP_SECONDS:-60}))
	while [ "$(ends_seen)" -le "$before" ]; do
		[ "$SECONDS" -lt "$end" ] || { vm_die "no end of dump"; return 1; }
		vm_alive || { vm_die "QEMU has ended"; return 1; }
		sleep 0.2
	done
}

dump_to_file() {
	hmp stop && hmp "dump-guest-memory \"$VM_DIR/$1\"" 120 || return 1
	# Most of it is zeroes.
	fallocate -d "$VM_DIR/$1"
	if [ "$FLAT" = 1 ]; then
		hmp "dump-guest-memory -z \"$VM_DIR/$1.flat\"" 120 || return 1
	fi
}
