// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the site of a point, with a capture for each want. A program's entry is moved to where its
 * arguments are stored; a line's address is not, since a value at a later row of the line may be
 * what the line itself has changed. What is lacking is a capture of kind CAPTURE_NONE, and noted
 * for the spec's error.
 */
#include "base/glob.h"
#include "resolve/flow/function_code.h"
#include "resolve/points/points.h"
#include "resolve/values/values.h"
#include "target/placing.h"

struct error *capture_place(struct resolver *resolver, const struct spec *spec,
			    const struct want *want, const struct site *site, struct capture *ret)
{
	const char *slash = site->file ? strrchr(site->file, '/') : NULL;

	*ret = (struct capture){.kind = CAPTURE_TEXT, .type_name = "", .render = RENDER_STRING};
	if (!strcmp(want->base, OWN_FUNCTION))
		ret->text = site->function ?: site->shown_symbol;
	else if (site->file && site->line)
		ret->text = arena_printf(resolver->arena, "%s:%u", slash ? slash + 1 : site->file,
					 site->line);
	if (ret->text)
		return NULL;
	*ret = (struct capture){
		.kind = CAPTURE_NONE, .type_name = "", .reason = "no line is known"};
	return error_at(error_new(resolver->arena, ERROR_NO_VALUE,
				  "no line is known of this place: there is no "
				  "debug information here"),
			spec->text, want->span);
}

static struct error *check_duration(struct resolver *resolver, const struct spec *spec,
				    const struct want *want)
{
	if (want->is_start || !want->type || !strcmp(want->type, "time"))
		return NULL;
	return error_hint(resolver->arena,
			  error_at(error_new(resolver->arena, ERROR_INEXPRESSIBLE,
					     "$duration is a time, not ':%s'", want->type),
				   spec->text, want->type_span),
			  "write $duration, in ns, or $duration:time");
}

/* The time since the entry, at the entry. */
static struct error *refuse_duration_at_entry(struct resolver *resolver, const struct spec *spec,
					      const struct point *point, const struct want *want)
{
	struct error *error = error_at(error_new(resolver->arena, ERROR_NO_VALUE,
						 "$duration is nothing here: the call begins"),
				       spec->text, want->span);
	const char *name = spec->place.function, *file = spec->place.file;

	if (point->instance && point->instance->inlined)
		return error_hint(resolver->arena, error,
				  "an inlined copy has no return; to a line behind it: "
				  "%s%s%s -> FUNC:LINE hist($duration)",
				  name, file ? "@" : "", file ?: "");
	return error_hint(resolver->arena, error,
			  "how long a call takes is known when it returns: %s%s%s%%return",
			  name, file ? "@" : "", file ?: "");
}

/* Debug information tells where the call's frame is, which joins a return to its entry. A pair has
 * to do without: its starts wait in their thread. */
static struct error *refuse_duration_of_symbol(struct resolver *resolver, const struct spec *spec,
					       const struct want *want)
{
	const char *name = is_glob(spec->place.function) ? "FUNC" : spec->place.function;

	return error_hint(resolver->arena,
			  error_at(error_new(resolver->arena, ERROR_NO_DEBUGINFO,
					     "without debug information, one call can't be told "
					     "from another here"),
				   spec->text, want->span),
			  "write the pair: %s -> %s%%return hist($duration)", name, name);
}

static struct error *try_capture(struct resolver *resolver, const struct spec *spec,
				 const struct point *point, const struct want *want,
				 struct position at, struct capture *ret)
{
	if (capture_of_pair(spec, want, ret))
		return check_duration(resolver, spec, want);
	if (want->kind == WANT_RAW && !returns_reference(resolver, point->instance, want))
		return capture_raw(resolver, spec, point->instance, want, ret);
	if (want->kind == WANT_STACK)
		return capture_stack(resolver, spec, want, ret);
	if (want->kind == WANT_PLACE) {
		ret->kind = CAPTURE_TEXT; /* its text is known once the site has been placed */
		return NULL;
	}
	if (!strcmp(want->base, DURATION) && spec->place.kind == PLACE_FUNCTION &&
	    spec->followed == FOLLOWED_NOT && !spec->is_return_definition)
		return refuse_duration_at_entry(resolver, spec, point, want);
	if (!strcmp(want->base, DURATION) && !point->instance && spec->followed == FOLLOWED_NOT &&
	    spec->place.kind == PLACE_RETURN)
		return refuse_duration_of_symbol(resolver, spec, want);
	if (!strcmp(want->base, DURATION)) {
		*ret = (struct capture){
			.kind = CAPTURE_DURATION,
			.type_name = "ns",
			.render = want->type ? RENDER_TIME : RENDER_UNSIGNED,
			.size = 8,
		};
		return check_duration(resolver, spec, want);
	}
	if (!point->instance && strcmp(want->base, CURRENT_TASK) != 0)
		return symbol_only(resolver, spec, want->base_span);
	return resolve_capture(resolver, point, at, spec, want, ret);
}

static struct error *capture_want(struct resolver *resolver, const struct spec *spec,
				  const struct point *point, const struct want *want,
				  struct position at, struct capture *ret)
{
	struct error *error;

	*ret = (struct capture){.type_name = ""};
	error = try_capture(resolver, spec, point, want, at, ret);
	return error && !error->text ? error_at(error, spec->text, want->span) : error;
}

/* Captures all wants at an address; errors[i], which has no hint, is NULL where captures[i] is
 * good. Returns a score: the higher, the better. */
static unsigned capture_all(struct resolver *resolver, const struct spec *spec,
			    const struct point *point, struct position at,
			    struct capture *captures, struct error **errors)
{
	unsigned good = 0;

	for (unsigned i = 0; i < spec->nwants; i++) {
		struct want plain = spec->wants[i];

		plain.is_expanded = true; /* a hint tries many lines, and few errors are shown */
		errors[i] = capture_want(resolver, spec, point, &plain, at, &captures[i]);
		if (errors[i]) {
			captures[i] = (struct capture){
				.kind = CAPTURE_NONE,
				.type_name = captures[i].type_name ?: "",
				.reason = errors[i]->message,
			};
		}
		/* a capture that needs no companion is better than one that does */
		good += errors[i] ? 0 : capture_is_plain(&captures[i]) ? 2 : 1;
	}
	return good;
}

struct choice {
	struct position at;
	unsigned good;
	struct capture *captures;
	struct error **errors;
};

static void try_address(struct resolver *resolver, const struct spec *spec,
			const struct point *point, struct position at, struct choice *ret)
{
	ret->at = at;
	ret->captures = arena_array(resolver->arena, struct capture, spec->nwants + 1);
	ret->errors = arena_array(resolver->arena, struct error *, spec->nwants + 1);
	ret->good = capture_all(resolver, spec, point, at, ret->captures, ret->errors);
}

/* Whether a value is refused for another reason than the address. */
static bool is_refused_anywhere(const struct choice *choice, unsigned nwants)
{
	for (unsigned i = 0; i < nwants; i++)
		if (choice->errors[i] && choice->errors[i]->code != ERROR_NO_VALUE)
			return true;
	return false;
}

static void choose_address(struct resolver *resolver, const struct spec *spec,
			   const struct point *point, struct choice *best)
{
	try_address(resolver, spec, point, point->at, best);
	for (unsigned i = 0; i < point->nalternatives && best->good < 2 * spec->nwants; i++) {
		struct choice other;

		try_address(resolver, spec, point, point->alternatives[i], &other);
		if (other.good > best->good ||
		    (other.good == best->good && is_refused_anywhere(&other, spec->nwants) &&
		     !is_refused_anywhere(best, spec->nwants)))
			*best = other;
	}
}

static unsigned long long shown_address(const struct resolver *resolver, uint64_t address)
{
	return target_file_address(resolver->target, address);
}

static const char *address_note(struct resolver *resolver, const struct point *point,
				const struct choice *choice)
{
	if (choice->at.address != point->at.address)
		return arena_printf(resolver->arena,
				    "address %#llx instead of %#llx, the entry: only there are "
				    "the arguments stored where the debug information says",
				    shown_address(resolver, choice->at.address),
				    shown_address(resolver, point->at.address));
	return NULL;
}

/* A return that is probed at an exit is still shown as the function's. */
static struct error *place_return(struct resolver *resolver, const struct point *point,
				  struct site *site)
{
	struct error *error = place_site(resolver, point, point->at.address, site);

	if (error || !point->exit)
		return error;
	site->is_exit = true;
	site->is_jump = point->exit->is_jump;
	site->jump_to = target_file_address(resolver->target, point->exit->target);
	site->exit_number = point->exit_number;
	site->address = point->exit->address;
	site->shown_offset += point->exit->address - point->at.address;
	return target_file_offset(resolver->arena, resolver->target, site->address, &site->offset);
}

/* Whether an error of the want is the one that gets a hint: the first that may be shown. */
static bool needs_hint(const struct missing *missing, const struct want *want)
{
	return !want->is_expanded && !missing->found && !missing->nreasons;
}

struct error *make_site(struct resolver *resolver, const struct wanted *wanted,
			const struct point *point, struct site *site)
{
	const struct spec *spec = wanted->spec;
	bool is_return = spec_is_return(spec);
	struct choice choice;
	struct capture hinted;
	struct error *error = check_calls(resolver, spec);

	if (error)
		return error;
	choose_address(resolver, spec, point, &choice);
	site->is_return = is_return;
	/* a return's captures are made at choice.at.address, where their companion is */
	error = is_return ? place_return(resolver, point, site) :
			    place_site(resolver, point, choice.at.address, site);
	if (error)
		return error_at(error, spec->text, spec->place.span);
	error = program_check_boundary(resolver, spec, point->instance, choice.at.address);
	if (error)
		return error;
	site->note = is_return ? point->note : address_note(resolver, point, &choice);
	site->captures = choice.captures;
	site->ncaptures = spec->nwants;
	for (unsigned i = 0; i < spec->nwants; i++) {
		if (choice.errors[i] && needs_hint(&wanted->missing[i], &spec->wants[i]))
			choice.errors[i] = capture_want(resolver, spec, point, &spec->wants[i],
							choice.at, &hinted);
		if (spec->wants[i].kind == WANT_PLACE && !spec->wants[i].is_start)
			choice.errors[i] = capture_place(resolver, spec, &spec->wants[i], site,
							 &site->captures[i]);
		site->captures[i].name = wanted->names[i];
		missing_note(&wanted->missing[i], choice.errors[i]);
	}
	if (is_return && resolver->target->kind == TARGET_PROGRAM)
		exit_captures(resolver, spec, point, site);
	if (site_needs_entry(site)) {
		const char *reason = resolve_entry(resolver, point, choice.at.address, site);

		if (reason)
			drop_entry_captures(site, reason);
	}
	if (spec->pairing && !spec->pairing->njoins && !site->frame)
		resolve_call(resolver, spec, point, choice.at.address, site);
	if ((spec->is_call || spec->followed) && !site->frame)
		resolve_frame(resolver, point, choice.at.address, site);
	if (spec->followed)
		resolve_followed(resolver, spec, point, choice.at, site);
	return NULL;
}
