// SPDX-License-Identifier: GPL-2.0-only
/* Names of error numbers, and back. The C library knows those that programs see; the kernel has
 * more for itself (include/linux/errno.h). */
#include "base/errno_name.h"

#include <stddef.h>
#include <string.h>

static const struct {
	int number;
	const char *name;
} kernel_errors[] = {
	{512, "ERESTARTSYS"},	{513, "ERESTARTNOINTR"},  {514, "ERESTARTNOHAND"},
	{515, "ENOIOCTLCMD"},	{516, "ERESTART_RESTARTBLOCK"}, {517, "EPROBE_DEFER"},
	{518, "EOPENSTALE"},	{519, "ENOPARAM"},	  {521, "EBADHANDLE"},
	{522, "ENOTSYNC"},	{523, "EBADCOOKIE"},	  {524, "ENOTSUPP"},
	{525, "ETOOSMALL"},	{526, "ESERVERFAULT"},	  {527, "EBADTYPE"},
	{528, "EJUKEBOX"},	{529, "EIOCBQUEUED"},	  {530, "ERECALLCONFLICT"},
	{531, "ENOGRACE"},
};

const char *errno_name(int number)
{
	for (size_t i = 0; i < sizeof(kernel_errors) / sizeof(*kernel_errors); i++)
		if (kernel_errors[i].number == number)
			return kernel_errors[i].name;
	return number > 0 ? strerrorname_np(number) : NULL;
}

int errno_number(const char *name)
{
	for (int i = 1; i <= ERRNO_MAX; i++) {
		const char *found = errno_name(i);

		if (found && !strcmp(found, name))
			return i;
	}
	return 0;
}
