# SPDX-License-Identifier: GPL-2.0-or-later
#
# make          builds what this machine has the means for, and says what not
# make demo     installs what is missing, builds, and decodes a real hang
# make test     installs what is missing, builds, and runs every test
# make bench    compares the cost with that of other tools, in one run
#
# V=1 shows whole commands. PREFIX, DESTDIR, CC and CFLAGS are respected.

VERSION := $(shell cat VERSION)
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
KDIR    ?= /lib/modules/$(shell uname -r)/build
CRASH_INC ?= /usr/include/crash

Q       := $(if $(V),,@)
say      = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

WARN    := -Wall -Wextra -Werror -Wno-missing-field-initializers \
	   -Wframe-larger-than=8192
LIBS     = libkdumpfile libaddrxlat libelf zlib
CLI_CFLAGS = -std=gnu11 $(WARN) -Iinclude -DBLKHANG_VERSION='"$(VERSION)"'
# Kernel stacks are small.
CORE_WARN := -Wframe-larger-than=512
CORE_CFLAGS = -std=gnu11 $(WARN) $(CORE_WARN) -Iinclude

CORE_O  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard core/*.c))
CLI_O   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cli/*.c)) $(BUILD)/cli/catalogue.o
MAN_SRC := docs/man/blkhang-verdicts.7.scd
MAN     := $(patsubst docs/man/%.scd,$(BUILD)/man/%,$(MAN_SRC))
HEADERS := $(wildcard include/blkhang/* core/*.h core/*.def core/layout/*.def cli/*.h)

have_libs  := $(shell pkg-config --exists $(LIBS) 2>/dev/null && echo yes)
have_crash := $(wildcard $(CRASH_INC)/defs.h)
have_kdir  := $(wildcard $(KDIR)/Makefile)
have_scdoc := $(shell command -v scdoc)

.DELETE_ON_ERROR:
.PHONY: all cli crash-ext kmod man demo test check bench install clean

all: $(if $(have_libs),cli) $(if $(have_crash),crash-ext) $(if $(have_kdir),kmod) $(if $(have_scdoc),man)
	$(if $(have_libs),,@echo "left out: cli (needs libkdumpfile-dev libelf-dev zlib1g-dev pkg-config)")
	$(if $(have_crash),,@echo "left out: crash-ext (needs crash zlib1g-dev)")
	$(if $(have_kdir),,@echo "left out: kmod (needs linux-headers for $(KDIR); set KDIR= for another kernel)")
	$(if $(have_scdoc),,@echo "left out: man page (needs scdoc)")

cli: $(BUILD)/blkhang

$(BUILD)/blkhang: $(CLI_O) $(CORE_O)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $$(pkg-config --libs $(LIBS))

$(BUILD)/core/%.o: core/%.c $(HEADERS) VERSION
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(CORE_CFLAGS) -c -o $@ $<

$(BUILD)/cli/%.o: cli/%.c $(HEADERS) VERSION
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(CLI_CFLAGS) $$(pkg-config --cflags $(LIBS)) \
		-c -o $@ $<

# What the man page says of each verdict is in the program as well.
$(BUILD)/cli/catalogue.c: $(MAN_SRC) cli/catalogue.awk
	$(call say,AWK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)awk -f cli/catalogue.awk $< >$@

$(BUILD)/cli/catalogue.o: $(BUILD)/cli/catalogue.c cli/catalogue.h
	$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) $(CLI_CFLAGS) -Icli -c -o $@ $<

man: $(MAN)

$(BUILD)/man/%: docs/man/%.scd docs/man/tidy.awk
	$(call say,SCDOC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)scdoc <$< >$@.scdoc
	$(Q)awk -f docs/man/tidy.awk $@.scdoc >$@

crash-ext:
	$(Q)$(MAKE) --no-print-directory -C crash-ext BUILD=$(abspath $(BUILD))/crash-ext

kmod:
	$(Q)$(MAKE) --no-print-directory -C kmod KDIR=$(KDIR)

demo:
	$(Q)tests/setup build
	$(Q)$(MAKE) --no-print-directory cli
	$(Q)echo '$$ blkhang decode samples/irqs-off-6.1.kdump'
	$(Q)$(BUILD)/blkhang decode samples/irqs-off-6.1.kdump; test $$? -eq 1

test:
	$(Q)tests/setup build test
	$(Q)tests/run

# The tests that need no guest: seconds, no root, no network.
check:
	$(Q)tests/run --no-vm

bench:
	$(Q)tests/setup build test
	$(Q)$(MAKE) --no-print-directory cli crash-ext
	$(Q)tests/bench/run

install: cli $(if $(have_scdoc),man)
	install -D -m 755 $(BUILD)/blkhang $(DESTDIR)$(PREFIX)/bin/blkhang
	$(if $(have_scdoc),$(foreach m,$(MAN),install -D -m 644 $(m) \
		$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m));))
	$(if $(have_crash),$(Q)$(MAKE) -C crash-ext install \
		BUILD=$(abspath $(BUILD))/crash-ext DESTDIR=$(DESTDIR) PREFIX=$(PREFIX))

clean:
	rm -rf $(BUILD)
	$(if $(wildcard kmod/Makefile),$(Q)$(MAKE) --no-print-directory -C kmod clean KDIR=$(KDIR) || true)
