// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells what call frame information says about the stack at a program's instruction, and whether
 * the program has code that walks stacks, which a return address other than the caller's would lead
 * astray.
 *
 * The surprise: what begins like a function need not be called. _start has no return address, and
 * the dynamic linker's resolver finds two other words in its place.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "target/cfi.h"
#include "target/code.h"
#include "target/placing.h"

/* Whether only the return address lies between the stack pointer and the caller's frame. */
static bool is_at_return_address(Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t count;

	return !dwarf_frame_cfa(frame, &ops, &count) && count == 1 &&
	       (ops->atom == DW_OP_breg0 + STACK_POINTER ? ops->number == WORD :
		ops->atom == DW_OP_bregx && ops->number == STACK_POINTER && ops->number2 == WORD);
}

static bool has_return_address(Dwarf_Frame *frame)
{
	Dwarf_Op room[3], *ops;
	size_t count;
	bool is_signal;

	return dwarf_frame_info(frame, NULL, NULL, &is_signal) >= 0 && !is_signal &&
	       !dwarf_frame_register(frame, RETURN_ADDRESS, room, &ops, &count) && count;
}

/* Where the kernel starts the program: not every _start has call frame information. */
static bool is_start(const struct target *target, uint64_t address)
{
	GElf_Addr bias;
	GElf_Ehdr header;
	Elf *elf = target->kind == TARGET_PROGRAM ?
			   dwfl_module_getelf(target->dwfl_module, &bias) : NULL;

	return elf && gelf_getehdr(elf, &header) && header.e_entry &&
	       header.e_entry == target_file_address(target, address);
}

enum stack_state target_stack_state(const struct target *target, uint64_t address)
{
	enum stack_state state = STACK_UNKNOWN;
	Dwarf_Frame *frame;

	if (is_start(target, address))
		return STACK_OUTERMOST;
	if (!find_cfi_frame(target, address, &frame))
		return STACK_UNKNOWN;
	if (!has_return_address(frame))
		state = STACK_OUTERMOST;
	else
		state = is_at_return_address(frame) ? STACK_BARE : STACK_FRAMED;
	free(frame);
	return state;
}

/* Functions that throw, catch, or leave functions in some other way than by returning. is_use: only
 * importing it is a sign, since libc defines it for others. */
static const struct walker {
	const char *symbol;
	const char *what;
	bool is_use;
} walkers[] = {
	{"__cxa_throw", "C++ exceptions", false},
	{"__gxx_personality_v0", "C++ exceptions", false},
	{"rust_eh_personality", "Rust's panics", false},
	{"__gnat_personality_v0", "Ada's exceptions", false},
	{"_d_throwdwarf", "D's exceptions", false},
	{"objc_exception_throw", "Objective-C's exceptions", false},
	{"_Unwind_RaiseException", "exceptions", false},
	{"_Unwind_Resume", "exceptions", true},
	{"makecontext", "contexts with stacks of their own", true},
	{"swapcontext", "contexts with stacks of their own", true},
	{"sigaltstack", "signal handlers with stacks of their own", true},
	{"longjmp", "longjmp", true},
	{"_longjmp", "longjmp", true},
	{"siglongjmp", "longjmp", true},
	{"__longjmp_chk", "longjmp", true},
};

static const char *walker_named(const char *name, bool is_import)
{
	for (size_t i = 0; i < sizeof(walkers) / sizeof(*walkers); i++)
		if (!strncmp(name, walkers[i].symbol, strlen(walkers[i].symbol)) &&
		    strchr("@", name[strlen(walkers[i].symbol)]) &&
		    (is_import || !walkers[i].is_use))
			return walkers[i].what;
	return NULL;
}

static const char *walker_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	const char *what = NULL;

	for (size_t i = 0; i < count && !what; i++) {
		GElf_Sym symbol;
		const char *name = gelf_getsym(data, (int)i, &symbol) ?
			elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;

		if (name)
			what = walker_named(name, symbol.st_shndx == SHN_UNDEF);
	}
	return what;
}

bool target_moves_calls(const struct target *target)
{
	size_t length;

	return target->kind == TARGET_PROGRAM &&
	       (section_bytes(target, ".note.go.buildid", &length) ||
		section_bytes(target, ".gopclntab", &length));
}

bool target_is_rearranged(const struct target *target)
{
	size_t length;

	return target->kind == TARGET_PROGRAM && section_bytes(target, ".note.bolt_info", &length);
}

const char *target_stack_walker(const struct target *target)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(target->dwfl_module, &bias);
	Elf_Scn *section = NULL;
	const char *what = NULL;
	bool has_symbols = false;

	if (target_moves_calls(target))
		return "Go's runtime, which moves stacks";
	while (elf && !what && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		has_symbols = true;
		what = walker_in(elf, section, &header);
	}
	if (!what && !has_symbols && target_has_handlers(target))
		return "exceptions";
	return what;
}

bool target_has_handlers(const struct target *target)
{
	size_t length;

	return section_bytes(target, ".gcc_except_table", &length) ||
	       target_moves_calls(target);
}
