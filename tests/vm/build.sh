# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# build.sh - what a guest needs that is made here; sourced (bash) by those who
# have a function die and, for our module, top and what kernel prints

# On a fresh Debian; elsewhere the tools are expected to be there.
install_packages() {
	local p missing=()
	command -v dpkg-query >/dev/null || return 0
	for p in "$@"; do
		dpkg-query -W -f "\${db:Status-Status}" "$p" 2>/dev/null |
			grep -qx installed || missing+=("$p")
	done
	[ ${#missing[@]} = 0 ] && return 0
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
		--no-install-recommends "${missing[@]}" >&2 ||
		die "cannot install ${missing[*]}"
}

# kbuild writes beside the sources, and two kernels can't share that.
build_module() {
	local from=$1 name=$2 dir=$3
	rm -rf "$dir"
	mkdir -p "$dir"
	cp -r "$from/." "$dir/"
	make -s -C "$KDIR" M="$dir" modules >"$dir/build.log" 2>&1 &&
		[ -f "$dir/$name.ko" ]
}

# Our module under test: as given, or built here. Not having it is no error:
# the dumps can be decoded all the same.
blkhang_module() {
	local dir=$1 ko=${BLKHANG_KO:-}
	ko=${ko//@KREL@/$KREL}
	if [ -z "$ko" ] && [ -e "$top/kmod/Kbuild" ]; then
		rm -rf "$dir" && mkdir -p "$dir"
		cp -r "$top/kmod" "$top/core" "$top/include" "$top/VERSION" "$dir/"
		make -s -j 2 -C "$dir/kmod" KDIR="$KDIR" >"$dir/build.log" 2>&1
		ko=$dir/kmod/blkhang.ko
	fi
	[ -f "$ko" ] && echo "$ko"
}

# put_program ROOT NAME: one of this machine, with the libraries that it names
put_program() {
	local root=$1 file lib
	file=$(PATH=$PATH:/usr/sbin:/sbin command -v "$2") || die "no $2 here"
	cp "$file" "$root/bin/"
	for lib in $(ldd "$file" | grep -oE '/[^ ]+'); do
		mkdir -p "$root${lib%/*}"
		cp -n "$lib" "$root$lib"
	done
}

# A directory as an archive that the kernel unpacks; several can be joined.
pack() { (cd "$1" && find . | cpio -o -H newc -R 0:0 --quiet); }
