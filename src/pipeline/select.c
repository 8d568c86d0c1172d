// Which rules are reported and which rewritten: --select, --ignore, --fix-only and the like.
//
// In:  lists of codes. Out: a flag a rule. Of `select` and `ignore` the longer code counts, at equal length `ignore`:
//     --select GM3 --ignore GM301    GM302, GM303, ...
//     --ignore GM3 --select GM301    GM301
// Declines: a code that fits no rule. Per-file codes are only ever left out.
#include "pipeline/select.h"

#include "base/nearest.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool starts_with(Str text, Str prefix) {
    if (prefix.len > text.len)
        return false;
    for (size_t i = 0; i < prefix.len; i++)
        if (upper(prefix.ptr[i]) != text.ptr[i])
            return false;
    return true;
}

uint32_t code_fits(Str code, const Rule *rule) {
    Str own = name_str(rule->code);
    if (code.len == 3 && starts_with(STR("ALL"), code))
        return 1;
    if (str_eq(code, rule->name))
        return (uint32_t)own.len + 1;
    // A bare letter is no prefix.
    return code.len >= 2 && starts_with(own, code) ? (uint32_t)code.len : 0;
}

bool code_exists(Str code) {
    for (uint32_t i = 0; i < rule_count(); i++)
        if (code_fits(code, rule_at(i)))
            return true;
    return false;
}

static bool unknown_code(Str code, Arena *arena, Str *why) {
    Nearest nearest = nearest_start(code);
    Buf text = {0};
    for (uint32_t i = 0; i < rule_count(); i++) {
        nearest_try(&nearest, name_str(rule_at(i)->code));
        nearest_try(&nearest, rule_at(i)->name);
    }
    buf_printf(&text, "no rule has the code '%.*s'", STR_ARG(code));
    nearest_say(&nearest, &text);
    *why = str_dup(arena, buf_view(&text));
    buf_free(&text);
    return false;
}

// The best fit of the codes for each rule, into `fits`.
static bool read_codes(const char *const *codes, uint32_t *fits, Arena *arena, Str *why) {
    for (; codes && *codes; codes++) {
        Str code = str_of(*codes);
        if (!code_exists(code))
            return unknown_code(code, arena, why);
        for (uint32_t i = 0; i < rule_count(); i++) {
            uint32_t fit = code_fits(code, rule_at(i));
            if (fit > fits[i])
                fits[i] = fit;
        }
    }
    return true;
}

// "2.10" is later than "2.9".
static int compare_versions(Str a, Str b) {
    size_t i = 0, j = 0;
    while (i < a.len || j < b.len) {
        unsigned long x = 0, y = 0;
        for (; i < a.len && a.ptr[i] != '.'; i++)
            x = x * 10 + (unsigned long)(a.ptr[i] - '0');
        for (; j < b.len && b.ptr[j] != '.'; j++)
            y = y * 10 + (unsigned long)(b.ptr[j] - '0');
        if (x != y)
            return x < y ? -1 : 1;
        i += i < a.len;
        j += j < b.len;
    }
    return 0;
}

static bool is_version(Str text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '.' && (text.ptr[i] < '0' || text.ptr[i] > '9'))
            return false;
    return text.len > 0 && text.len < 16;
}

static bool of_version(const Rule *rule, const char *target) {
    if (!target)
        return true;
    Str version = str_of(target);
    return (rule->since.len == 0 || compare_versions(version, rule->since) >= 0) &&
           (rule->until.len == 0 || compare_versions(version, rule->until) < 0);
}

static const char *absolute(const char *path, Arena *arena) {
    char real[PATH_MAX];
    return realpath(path ? path : ".", real) ? str_dup(arena, str_of(real)).ptr : path ? path : ".";
}

static bool read_files(Selection *selection, const SelectOptions *options, Arena *arena, Str *why) {
    for (const FileCodes *file = options->per_file; file && file->pattern; file++) {
        uint32_t *fits = ARENA_ARRAY(arena, uint32_t, rule_count());
        if (!read_codes(file->codes, fits, arena, why))
            return false;
        FileRules rules = {.pattern = str_dup(arena, str_of(file->pattern)).ptr,
                           .root = absolute(file->root ? file->root : options->root, arena),
                           .rules = ARENA_ARRAY(arena, bool, rule_count())};
        for (uint32_t i = 0; i < rule_count(); i++)
            rules.rules[i] = fits[i] > 0;
        vec_push(&selection->per_file, rules);
    }
    return true;
}

bool selection_init(Selection *selection, const SelectOptions *options, Arena *arena, Str *why) {
    static const char *const all[] = {"ALL", NULL};
    uint32_t count = rule_count();
    uint32_t *chosen = ARENA_ARRAY(arena, uint32_t, count), *ignored = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *fixed = ARENA_ARRAY(arena, uint32_t, count);
    *selection =
        (Selection){.reported = ARENA_ARRAY(arena, bool, count), .fixed = ARENA_ARRAY(arena, bool, count)};
    if (options->target_torch && !is_version(str_of(options->target_torch))) {
        *why = str_format(arena, "'%s' is no version of torch, such as 2.6", options->target_torch);
        return false;
    }
    if (!read_codes(options->select ? options->select : all, chosen, arena, why) ||
        !read_codes(options->extend_select, chosen, arena, why) ||
        !read_codes(options->ignore, ignored, arena, why) ||
        !read_codes(options->fix_only ? options->fix_only : all, fixed, arena, why) ||
        !read_files(selection, options, arena, why)) {
        selection_free(selection);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        selection->reported[i] = chosen[i] > ignored[i] && of_version(rule_at(i), options->target_torch);
        selection->fixed[i] = fixed[i] > 0;
    }
    return true;
}

void selection_free(Selection *selection) {
    vec_free(&selection->per_file);
}

static uint32_t index_of(const Rule *rule) {
    return (uint32_t)(rule - rule_at(0));
}

static const char *from_root(const char *path, const char *root) {
    size_t len = strlen(root);
    return str_starts(str_of(path), str_of(root)) && path[len] == '/' ? path + len + 1 : path;
}

bool *selection_of_file(const Selection *selection, Str path, Arena *arena) {
    bool *reported = arena_dup(arena, selection->reported, rule_count() * sizeof *reported);
    if (selection->per_file.len == 0)
        return reported;
    const char *full = absolute(str_dup(arena, path).ptr, arena);
    for (uint32_t i = 0; i < selection->per_file.len; i++) {
        const FileRules *rules = &selection->per_file.items[i];
        bool fits = pattern_fits(rules->pattern, from_root(full, rules->root));
        for (uint32_t r = 0; fits && r < rule_count(); r++)
            reported[r] = reported[r] && !rules->rules[r];
    }
    return reported;
}

bool selection_reports(const Selection *selection, const Rule *rule, Str path) {
    if (selection->per_file.len == 0)
        return selection->reported[index_of(rule)];
    Arena *arena = arena_new();
    bool reports = selection_of_file(selection, path, arena)[index_of(rule)];
    arena_free(arena);
    return reports;
}
