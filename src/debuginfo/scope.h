/* SPDX-License-Identifier: GPL-2.0-only */
/* Names with their scopes, as C++ and Rust have them. */
#ifndef DEBUGINFO_SCOPE_H
#define DEBUGINFO_SCOPE_H

#include "debuginfo/internal.h"

/* Whether DIEs of the tag may have functions among their children: namespaces, classes, Rust's
 * enums. */
bool holds_functions(int tag);
/* The same, or one within which a class may be declared: a function, or a block in it. */
bool may_hold_functions(int tag);
/* Whether only functions outside all others are looked for in the unit: the kernel's C has no
 * nested functions. */
bool has_no_nested(struct dwarf_info *info, Dwarf_Die *unit);
/* Whether the unit says that it is C, where no type contains functions. */
bool is_c(Dwarf_Die *unit);
/* Whether names have scopes in the language of the DIE's unit. */
bool has_scopes(Dwarf_Die *die);
/* Whether name is `wanted`, or ends in it at a scope: "Foo::bar" for "bar". */
bool is_scope_tail(const char *name, const char *wanted);
/* "Foo::bar" for a method, "bar" for a C function. NULL when it has no name. */
const char *scoped_name(struct dwarf_info *info, Dwarf_Die *die);
/* The same without anonymous and inline namespaces. */
const char *brief_name(struct dwarf_info *info, Dwarf_Die *die);
/* Whether it is a lambda, or a method of a class that is declared in a function. */
bool is_local_function(struct dwarf_info *info, Dwarf_Die *die);

#endif
