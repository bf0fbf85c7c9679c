# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - one QEMU guest and the talk with it; sourced by run (bash)
#
# A guest has three named pipes: its monitor (QMP), its console, and the line
# its init takes commands from. QEMU opens both ends of a pipe itself, and so
# do we, so an ended QEMU is no end-of-file: every read has a time limit, and
# looks whether QEMU is alive. One guest per shell process.

VM_DIR=
VM_PID=
VM_CAT=

vm_die() { echo "vm: ${VM_DIR##*/out/}: $*" >&2; return 1; }

vm_pipe() { mkfifo "$VM_DIR/$1.in" "$VM_DIR/$1.out"; }

# The disks are empty files, new for each guest, so that guests can't disturb
# each other. The throttled ones keep a reader's request in flight.
vm_disks() {
	local d
	for d in vda vdb vdc vdd sda nvme; do
		truncate -s 64M "$VM_DIR/$d.raw"
	done
	VM_DISKS=()
	for d in vda vdb; do
		VM_DISKS+=(-drive "if=none,id=$d,format=raw,file=$VM_DIR/$d.raw,throttling.iops-total=100"
			-device "virtio-blk-pci,drive=$d,num-queues=1")
	done
	VM_DISKS+=(-drive "if=none,id=vdc,format=raw,file=$VM_DIR/vdc.raw"
		-device "virtio-blk-pci,drive=vdc,num-queues=4"
		-drive "if=none,id=vdd,format=raw,file=$VM_DIR/vdd.raw"
		-device "virtio-blk-pci,drive=vdd,num-queues=1")
	# No driver of this is loaded at boot. NVMe can't be in a snapshot at
	# all: a scenario plugs it in.
	VM_DISKS+=(-drive "if=none,id=sda,format=raw,file=$VM_DIR/sda.raw"
		-device "virtio-scsi-pci,id=scsi,num_queues=2"
		-device "scsi-hd,bus=scsi.0,drive=sda"
		-drive "if=none,id=nvme,format=raw,file=$VM_DIR/nvme.raw,throttling.iops-total=100"
		-device "pcie-root-port,id=hotplug0,chassis=1")
}

# vm_start DIR KERNEL INITRAMFS CMDLINE [QEMU OPTIONS...]
# CPU 0-2 (or VM_QUIET) are kept free of managed interrupts, so that those of a
# disk with a single queue are all on CPU 3; keyboard and serial ports are for
# CPU 0, which stays healthy.
vm_start() {
	local kernel=$2 initramfs=$3 cmdline=$4
	VM_DIR=$1
	shift 4
	mkdir -p "$VM_DIR"
	vm_pipe mon; vm_pipe con; vm_pipe ctl
	vm_disks
	exec {VM_MON}<>"$VM_DIR/mon.in" {VM_MON_OUT}<>"$VM_DIR/mon.out"
	exec {VM_CTL}<>"$VM_DIR/ctl.in" {VM_CTL_OUT}<>"$VM_DIR/ctl.out"
	cat "$VM_DIR/con.out" >"$VM_DIR/console.log" &
	VM_CAT=$!
	qemu-system-x86_64 -M q35 -no-hpet -accel tcg,thread=multi \
		-cpu max,la57=off -smp 4 -m 512M -nodefaults -display none \
		-no-reboot -device vmcoreinfo -kernel "$kernel" \
		-initrd "$initramfs" -append "console=ttyS0 rdinit=/init \
tsc=reliable panic=-1 isolcpus=managed_irq,${VM_QUIET:-0-2} irqaffinity=0 $cmdline" \
		-chardev "pipe,id=mon,path=$VM_DIR/mon" \
		-mon chardev=mon,mode=control \
		-chardev "pipe,id=con,path=$VM_DIR/con" -serial chardev:con \
		-chardev "pipe,id=ctl,path=$VM_DIR/ctl" -serial chardev:ctl \
		"${VM_DISKS[@]}" "$@" >"$VM_DIR/qemu.log" 2>&1 &
	VM_PID=$!
	qmp '{"execute":"qmp_capabilities"}' 20 >/dev/null
}

vm_alive() { kill -0 "$VM_PID" 2>/dev/null; }

# vm_read FD SECONDS PATTERN: the next line that is like the pattern
vm_read() {
	local fd=$1 end=$((SECONDS + $2)) pattern=$3 line part=
	while [ "$SECONDS" -lt "$end" ]; do
		if ! IFS= read -r -t 1 -u "$fd" line; then
			part+=$line
			vm_alive || { vm_die "QEMU has ended"; return 1; }
			continue
		fi
		line=$part$line
		part=
		# shellcheck disable=SC2254 # it is a pattern
		case $line in $pattern) echo "$line"; return 0 ;; esac
	done
	vm_die "no answer like $pattern in $2 s"
}

# qmp JSON [SECONDS]: the answer; events that come between are dropped
qmp() {
	local answer
	echo "$1" >&"$VM_MON"
	answer=$(vm_read "$VM_MON_OUT" "${2:-60}" '{"@(return|error)"*') ||
		return 1
	case $answer in
	'{"error"'*) vm_die "$1: $answer" ;;
	*) echo "$answer" ;;
	esac
}

# hmp LINE [SECONDS]: a line of the human monitor
hmp() {
	local line=${1//\"/\\\"} answer
	answer=$(qmp "{\"execute\":\"human-monitor-command\",\"arguments\":{\"command-line\":\"$line\"}}" "${2:-60}") ||
		return 1
	case $answer in
	*Error:* | *'unknown command'*) vm_die "$1: $answer" ;;
	esac
}

# guest COMMAND [SECONDS]: tell init, wait for "ok COMMAND ..."
guest() {
	local answer
	echo "$1" >&"$VM_CTL"
	answer=$(vm_read "$VM_CTL_OUT" "${2:-60}" "@(ok|fail) ${1%% *}*") ||
		return 1
	echo "$answer" >>"$VM_DIR/guest.log"
	case $answer in fail*) vm_die "$1: $answer" ;; esac
}

# vm_poll SECONDS QUERY PATTERN: ask the monitor until the answer is like it
vm_poll() {
	local end=$((SECONDS + $1)) answer
	while [ "$SECONDS" -lt "$end" ]; do
		answer=$(qmp "{\"execute\":\"$2\"}") || return 1
		# shellcheck disable=SC2254 # it is a pattern
		case $answer in
		$3) return 0 ;;
		*'"failed"'*) vm_die "$2: $answer"; return 1 ;;
		esac
		sleep 0.1
	done
	vm_die "$2: still $answer"
}

# Boot to the point where init waits for commands, and keep that state.
vm_snapshot() {
	vm_read "$VM_CTL_OUT" "${BOOT_SECONDS:-120}" ready >/dev/null &&
	guest ping &&
	hmp stop &&
	hmp "migrate_set_parameter max-bandwidth 8G" &&
	hmp "migrate -d \"exec:cat > '$1.tmp'\"" &&
	vm_poll 60 query-migrate '*"status": "completed"*' &&
	mv "$1.tmp" "$1"
}

# To be called after vm_start ... -incoming "exec:cat STATE".
vm_resume() {
	vm_poll 60 query-status '*"status": "@(paused|prelaunch|postmigrate)"*' &&
	hmp cont &&
	guest ping
}

# Only our own processes, by number.
vm_stop() {
	[ -n "$VM_PID" ] || return 0
	kill -KILL "$VM_PID" 2>/dev/null
	wait "$VM_PID" 2>/dev/null
	kill "$VM_CAT" 2>/dev/null
	wait "$VM_CAT" 2>/dev/null
	exec {VM_MON}>&- {VM_MON_OUT}>&- {VM_CTL}>&- {VM_CTL_OUT}>&-
	rm -f "$VM_DIR"/*.raw "$VM_DIR"/*.in "$VM_DIR"/*.out
	VM_PID=
}
