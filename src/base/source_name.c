// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells a source file by its name.
 *
 * The surprise: a function's name may have a dot too, as Go's main.f, or one that a compiler has
 * split. So these are the endings of known languages, and not just any.
 */
#include "base/source_name.h"

#include <stddef.h>
#include <string.h>

bool is_source_name(const char *name)
{
	static const char *const ends[] = {
		"c",   "h",   "S",   "s",    "C",   "H",   "cc",   "hh",   "cpp", "hpp",
		"cxx", "hxx", "c++", "h++",  "tcc", "txx", "tpp",  "ipp",  "inl", "inc",
		"def", "y",   "yy",  "l",    "ll",  "re",  "rl",   "asm",  "mm",  "cu",
		"cl",  "rs",  "go",  "zig",  "di",  "nim", "vala", "for",  "f77", "f90",
		"F90", "f95", "f03", "f08",  "adb", "ads", "pas",  "pp",   "lpr", "mod",
		"ml",  "hs",  "cr",  "java", "kt",  "swift", "d",  "f",    "F",	 "m",
		"v",
	};
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name)
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(dot + 1, ends[i]))
			return true;
	return false;
}
