// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens BTF as a source of debug information: parsed by libbpf, checked, and joined with the
 * target's symbols.
 *
 * The surprise: BTF has neither lines nor locals nor inlined copies. What it can't answer, `absent`
 * does.
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debuginfo/btf/btf.h"

static void btf_close(struct debuginfo *base)
{
	btf__free(btf_info(base)->btf);
	btf__free(btf_info(base)->kernel);
}

static void btf_answer_in(struct debuginfo *base, struct arena *arena)
{
	btf_info(base)->arena = arena;
}

static const struct debuginfo_ops btf_ops = {
	.name = "btf",
	.close = btf_close,
	.answer_in = btf_answer_in,
	.instances = btf_instances,
	.function_at = btf_function_at,
	.frame = btf_frame,
	.variables = btf_variables,
	.variable = btf_variable,
	.global = btf_global,
	.type_named = btf_type_named,
	.member = btf_member,
	.members = btf_list_members,
	.enumerators = btf_enumerators,
	.constant = btf_constant,
	.return_type = btf_return_type,
	.functions = btf_functions,
};

static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

static struct error *damaged(struct btf_info *info, const char *whose, const char *reason)
{
	return error_new(info->kept, ERROR_NO_DEBUGINFO, "damaged BTF of %s in '%s': %s", whose,
			 info->base.target->path, reason);
}

static uint32_t strings_length(const struct btf *btf)
{
	uint32_t size;
	const struct btf_header *header = btf__raw_data(btf, &size);

	return header ? header->str_len : 0;
}

/* libbpf 1.1 reads what goes on where another BTF ends from a file alone. */
static struct btf *parse_split(const void *data, size_t length, struct btf *base)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	struct btf *btf = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, data, length) == (ssize_t)length)
		btf = btf__parse_raw_split(path, base);
	if (fd >= 0)
		close(fd);
	return btf;
}

/* One more than the last type of the file that goes before, and the end of its strings. */
struct before {
	struct btf *btf;
	uint32_t types;
	uint32_t names;
};

static struct error *parse(struct btf_info *info, const void *data, size_t length,
			   const char *whose, struct before *before, struct btf **ret)
{
	const char *reason;

	if (length > INT32_MAX)
		return damaged(info, whose, "it is too long");
	*ret = before->btf ? parse_split(data, length, before->btf) :
			     btf__new(data, (uint32_t)length);
	if (!*ret)
		return damaged(info, whose, "it can't be read");
	if (btf__endianness(*ret) != BTF_LITTLE_ENDIAN)
		return damaged(info, whose, "it is of a processor with the other order of bytes");
	reason = btf_check(info->kept, *ret, before->types, before->names,
			   before->names + strings_length(*ret));
	before->btf = *ret;
	before->types = btf__type_cnt(*ret);
	before->names += strings_length(*ret);
	return reason ? damaged(info, whose, reason) : NULL;
}

static struct error *parse_all(struct btf_info *info)
{
	const struct btf_input *input = &info->input;
	struct before before = {.types = 1};
	struct error *error = NULL;

	if (input->kernel)
		error = parse(info, input->kernel, input->kernel_length, "the kernel", &before,
			      &info->kernel);
	info->own = before.types;
	if (!error)
		error = parse(info, input->data, input->length,
			      input->kernel ? "the module" : "the kernel", &before, &info->btf);
	info->end = before.types;
	if (error && input->kernel && info->btf)
		error_hint(info->kept, error,
			   "it may be of a module that was built with another kernel");
	return error;
}

struct error *btf_open(struct arena *arena, const struct target *target,
		       const struct btf_input *input, struct error *absent, struct debuginfo **ret)
{
	struct btf_info *info = arena_new(arena, struct btf_info);
	struct error *error;

	info->base = (struct debuginfo){
		.ops = &btf_ops, .target = target, .arch = input->arch, .absent = absent};
	info->arena = info->kept = arena;
	info->input = *input;
	libbpf_set_print(say_nothing);
	error = parse_all(info);
	if (error) {
		btf_close(&info->base);
		return error;
	}
	btf_list_functions(info);
	*ret = &info->base;
	return NULL;
}
