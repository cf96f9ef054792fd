# SPDX-License-Identifier: GPL-2.0-only
# `make` builds ./ktrace (objects in $(BUILD)); `make test` runs all lanes; `make help` lists.

CC      ?= gcc
BUILD   ?= build
PREFIX  ?= /usr/local
PKGS    := libdw libelf
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# strcpy and its kind are refused at compile time: src/base/banned.h
CFLAGS  ?= -O2 -g
KFLAGS  := -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc $(WARN) $(shell pkg-config --cflags $(PKGS)) \
	   $(shell pkg-config --cflags capstone libtracefs) -fno-pie -include src/base/banned.h
# Its tables of all processors have 77,000 pointers: as a shared library, or in an executable that may
# be anywhere, they take the loader as long as all of a probe from the index.
CAPSTONE := $(shell $(CC) -print-file-name=libcapstone.a)
# These three are wanted for a moment only: no search for a library at each start.
TRACEFS := $(shell $(CC) -print-file-name=libtracefs.a)
BPF := $(shell $(CC) -print-file-name=libbpf.a)
TRACEEVENT := $(shell $(CC) -print-file-name=libtraceevent.a)
# Needed once, when a machine's own kernel is unpacked, or a source's checksum (md) is asked for: no search
# for them at each start either.
archive = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l$(1))
UNPACK  := $(foreach name,lzma zstd lz4 z md,$(call archive,$(name)))
# Each library before those that it needs: a linker may leave out what nothing before it has asked for.
LIBS    := $(if $(findstring /,$(CAPSTONE)),$(CAPSTONE),-lcapstone) \
	   $(if $(findstring /,$(TRACEFS)),$(TRACEFS),-ltracefs) \
	   $(if $(findstring /,$(TRACEEVENT)),$(TRACEEVENT),-ltraceevent) \
	   $(if $(findstring /,$(BPF)),$(BPF),-lbpf) $(shell pkg-config --libs $(PKGS)) $(UNPACK) -lm -lpthread

SRC     := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
OBJ     := $(SRC:%.c=$(BUILD)/%.o)
LIBOBJ  := $(filter-out $(BUILD)/src/main.o,$(OBJ))
BIN     := $(BUILD)/ktrace

all: $(BIN)

$(BIN): $(OBJ)
	$(CC) $(CFLAGS) -no-pie $(LDFLAGS) -o $@ $^ $(LIBS)

# All but main.c, for the programs of tests/.
lib: $(BUILD)/libktrace.a
$(BUILD)/libktrace.a: $(LIBOBJ)
	rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(KFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

test: ; tests/run
bench: all ; tests/setup bench && tests/bench/run $(BENCH)
libs: ; @echo '$(LIBS)'
flags: ; @echo '$(KFLAGS)'
guest-shell: ; tests/vm/boot -i
coverage-report: all ; tests/coverage/run $(COUNT) $(SEED) $(PERF)

install: $(BIN)
	install -D $(BIN) $(DESTDIR)$(PREFIX)/bin/ktrace
	install -D -m644 man/ktrace.1 $(DESTDIR)$(PREFIX)/share/man/man1/ktrace.1
	install -D -m644 man/ktrace-spec.7 $(DESTDIR)$(PREFIX)/share/man/man7/ktrace-spec.7
	install -D -m644 src/ktrace.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/ktrace

clean: ; rm -rf $(BUILD)

help:
	@echo 'all test bench coverage-report guest-shell install clean'

.PHONY: all lib libs flags test bench coverage-report guest-shell install clean help
-include $(OBJ:.o=.d)
