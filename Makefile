# SPDX-License-Identifier: GPL-2.0-only
# `make` builds ./ktrace (objects in $(BUILD)); `make test` runs all lanes; `make help` lists.

CC      ?= gcc
BUILD   ?= build
PREFIX  ?= /usr/local
PKGS    := libdw libelf
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# strcpy and its kind are refused at compile time: src/base/banned.h
# A whole build takes 0.7 of the time that -O2 -g needs, and a question 1.05 times the instructions. What each event or each
# byte of a section passes is optimised further, unless CFLAGS are given.
CFLAGS  ?= -O1 -g1
HOT     := $(if $(filter file,$(origin CFLAGS)),-O2)
KFLAGS  := -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc $(WARN) $(shell pkg-config --cflags $(PKGS)) \
	   $(shell pkg-config --cflags capstone libtracefs) -fno-pie -include src/base/banned.h $(WERROR)
# The archives of libraries where there are some: at a start only libc is searched for, which saves a fifth of it (capstone's
# tables of all processors have 77,000 pointers, which a loader would relocate), and the binary runs on machines without
# them. Each comes before those that it needs: a linker may leave out what nothing before it has asked for.
archive = $(or $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l$(1))
archives = $(foreach name,$(1),$(call archive,$(name)))
# Debian 13's libdw.a lacks functions that it calls (eu_tsearch): the libraries then, both, as libdw brings a libelf.
ELFUTILS := $(if $(shell grep -l eu_tsearch $(call archive,dw) 2>/dev/null),-ldw -lelf,$(call archives,dw elf bz2))
LIBS    := $(call archives,capstone tracefs traceevent bpf) $(ELFUTILS) $(call archives,lzma zstd lz4 z md) -lm -lpthread

SRC     := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
OBJ     := $(SRC:%.c=$(BUILD)/%.o)
LIBOBJ  := $(filter-out $(BUILD)/src/main.o,$(OBJ))
BIN     := $(BUILD)/ktrace

all: $(BIN)

$(BIN): $(OBJ)
	$(CC) $(CFLAGS) -no-pie $(LDFLAGS) -o $@ $^ $(LIBS)

# All but main.c, for the programs of tests/. Lanes that run at once may make it at once.
lib: $(BUILD)/libktrace.a
$(BUILD)/libktrace.a: $(LIBOBJ)
	ar rcs $@.$$$$ $^ && mv $@.$$$$ $@

# one mkdir, not one for each
$(shell mkdir -p $(sort $(dir $(OBJ))))
$(patsubst %.c,$(BUILD)/%.o,$(wildcard src/stream/*.c src/sink/*.c src/debuginfo/search/*.c)): CFLAGS += $(HOT)
$(BUILD)/%.o: %.c
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
