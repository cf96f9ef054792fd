// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the point at an offset in a function, or at an address. It must be where an instruction
 * begins: the kernel says only that it isn't, not where one begins, and in a program it doesn't
 * check at all.
 */
#include <stdlib.h>

#include "debuginfo/debuginfo.h"
#include "resolve/flow/flow.h"
#include "resolve/points/kinds.h"
#include "target/placing.h"
#include "target/target.h"

struct error *offset_outside(struct resolver *resolver, const struct spec *spec, uint64_t size)
{
	struct error *error = error_at(
		error_new(resolver->arena, ERROR_NOT_FOUND, "offset %llu is outside '%s'",
			  (unsigned long long)spec->place.offset, spec->place.function),
		spec->text, spec->place.offset_span);

	return error_hint(resolver->arena, error, "its last byte is %s+%llu", spec->place.function,
			  (unsigned long long)size - 1);
}

static struct error *check_boundary(struct resolver *resolver, const struct spec *spec,
				    const struct instance *instance, uint64_t address)
{
	struct flow *flow = flow_build(resolver, instance->outer_ranges, instance->nouter_ranges,
				       instance->entry);
	uint64_t before = address, after = address;
	struct error *error;

	if (!flow || flow_has(flow, address))
		return NULL;
	while (before > instance->entry && !flow_has(flow, before))
		before--;
	for (unsigned i = 0; i < 16 && !flow_has(flow, after); i++)
		after++;
	error = error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
				   "offset %llu of '%s' lies inside an instruction",
				   (unsigned long long)spec->place.offset, spec->place.function),
			 spec->text, spec->place.offset_span);
	return error_hint(resolver->arena, error, "instructions begin at +%llu and +%llu",
			  (unsigned long long)(before - instance->entry),
			  (unsigned long long)(after - instance->entry));
}

struct error *offset_points(struct resolver *resolver, const struct spec *spec,
			    struct instance *const *instances, unsigned count,
			    struct points *points)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct instance *instance = instances[i];
		uint64_t address = instance->entry + spec->place.offset;
		struct error *error;

		if (instance->inlined)
			continue;
		for (unsigned j = 0; j < instance->nranges; j++) {
			if (instance->ranges[j].start == instance->entry)
				size = instance->ranges[j].end - instance->entry;
			if (address < instance->ranges[j].start ||
			    address >= instance->ranges[j].end)
				continue;
			error = check_boundary(resolver, spec, instance, address);
			if (error)
				return error;
			points_add(resolver, points, instance,
				  (struct position){.address = address, .view = VIEW_LAST}, 0);
		}
	}
	return points->count ? NULL : offset_outside(resolver, spec, size);
}

/* An address of a running kernel is moved back by the distance that KASLR moved all of it. */
static uint64_t file_address(struct resolver *resolver, uint64_t address)
{
	const struct target *target = resolver->target;
	uint64_t start = target_symbol_address(target, "_stext"), now;

	if (!target->running || !start ||
	    target_running_address(resolver->arena, target, start, &now))
		return address;
	return address - (now - start);
}

static struct error *no_code(struct resolver *resolver, const struct spec *spec, const char *why)
{
	return error_hint(
		resolver->arena,
		error_at(error_new(resolver->arena, ERROR_NOT_FOUND, "no function at %s in '%s'%s",
				   spec->place.function, resolver->target->path, why),
			 spec->text, spec->place.span),
		resolver->target->module ? "write FUNC+OFFSET" :
					   "an address is one of the file's, as nm(1) lists them%s",
		resolver->target->running ? "; of the kernel that runs, as /proc/kallsyms does" :
					    "");
}

const struct instance *instance_around(struct resolver *resolver, const struct symbol *symbol,
				       uint64_t address)
{
	struct instance **instances;
	unsigned count;

	if (debuginfo_function_at(resolver->info, symbol->address, &instances, &count))
		return NULL;
	for (unsigned i = 0; i < count; i++)
		if (!instances[i]->inlined && instances[i]->entry == symbol->address)
			return instances[i];
	return clone_instance(resolver, symbol->name, address);
}

static struct error *check_instruction(struct resolver *resolver, const struct spec *spec,
				       const struct symbol *symbol, uint64_t address)
{
	struct range range = {symbol->address, symbol->address + symbol->size};
	struct flow *flow = flow_build(resolver, &range, 1, range.start);
	uint64_t before = address;

	if (address == symbol->address || !flow || flow_has(flow, address))
		return NULL;
	while (before > range.start && !flow_has(flow, before))
		before--;
	return error_hint(resolver->arena,
			  error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
					     "%s lies inside an instruction of '%s'",
					     spec->place.function, symbol->name),
				   spec->text, spec->place.span),
			  "it begins at %#llx",
			  (unsigned long long)(spec->place.address - (address - before)));
}

/* A pasted definition's offset is one in the file of the program it names. */
static struct error *pasted_address(struct resolver *resolver, const struct spec *spec,
				    uint64_t *ret)
{
	const struct target *target = resolver->target;
	const char *path = realpath(spec->place.path, NULL) ?: "";

	if (target->kind != TARGET_PROGRAM ||
	    (strcmp(spec->place.path, target->path) && strcmp(path, target->path)))
		return error_hint(resolver->arena,
				  error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
						     "the definition is of '%s', not of '%s'",
						     spec->place.path, target->path),
					   spec->text, spec->place.span),
				  "name that program: -x %s", spec->place.path);
	if (target_offset_address(target, spec->place.address, ret))
		return NULL;
	return error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
				  "no code of '%s' is at offset %s", target->path,
				  spec->place.function),
			spec->text, spec->place.span);
}

struct error *address_points(struct resolver *resolver, const struct spec *spec,
			     struct points *points)
{
	const struct target *target = resolver->target;
	uint64_t address = file_address(resolver, spec->place.address);
	const struct symbol *symbol;
	struct error *error;

	if (spec->place.path) {
		error = pasted_address(resolver, spec, &address);
		if (error)
			return error;
	}
	symbol = target_symbol_at(target, address, NULL);
	if (target->module)
		return no_code(resolver, spec, ": a module has no addresses until it is loaded");
	if (!symbol || !symbol->is_function)
		return no_code(resolver, spec, "");
	error = check_instruction(resolver, spec, symbol, address);
	if (error)
		return error;
	if (spec->place.kind == PLACE_RETURN && address != symbol->address)
		return error_hint(resolver->arena,
				  error_at(error_new(resolver->arena, ERROR_NOT_FOUND,
						     "%s is not where '%s' begins",
						     spec->place.function, symbol->name),
					   spec->text, spec->place.span),
				  "write %s%%return", symbol->name);
	points_add(resolver, points, instance_around(resolver, symbol, address),
		  (struct position){.address = address, .view = VIEW_LAST}, 0);
	points->list[points->count - 1].symbol = symbol->name;
	return NULL;
}
