/* SPDX-License-Identifier: GPL-2.0-only */
/* What the source calls a function, by its symbol. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include "base/arena.h"

/* "_ZN2ns3FooIiE3barEv" as "ns::Foo::bar"; "std::" is left out. Returns NULL if it is no such
 * symbol. */
char *demangled_names(struct arena *arena, const char *symbol);

#endif
