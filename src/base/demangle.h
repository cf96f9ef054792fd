/* SPDX-License-Identifier: GPL-2.0-only */
/* What the source calls a function, by its symbol. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include "base/arena.h"

/* "_ZN2ns3FooIiE3barEv" as "ns::Foo::bar"; "std::" is left out. Returns NULL if it is no such
 * symbol. */
char *demangled_names(struct arena *arena, const char *symbol);
/* The whole name of a C++ or Rust function, "std::" included, without arguments: those of its
 * parameters and of templates. NULL if not all of it is understood. */
char *demangled_function(struct arena *arena, const char *symbol);
/* What the compiler put behind a function's symbol for a part or a clone: ".cold" of
 * "_ZN4shop3addEi.cold". NULL: nothing. A dot in a name, as Rust has it for "::", begins none. */
const char *symbol_part(const char *symbol);

#endif
