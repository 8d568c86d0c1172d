// Counts of a run, and the summary line on standard error.
//
//     graphmend: 12 files, 5 breaks found, 3 fixed, 2 left
//     graphmend:   2 left: caught-in-region: The exception could be caught inside the compiled region.     (-v)
#include "cli/cli.h"

#include "rules/rules.h"

static void count_name(CountList *counts, Str name) {
    uint32_t at = 0;
    while (at < counts->len && str_cmp(counts->items[at].name, name) < 0)
        at++;
    if (at < counts->len && str_eq(counts->items[at].name, name)) {
        counts->items[at].count++;
        return;
    }
    Count fresh = {name, 1};
    vec_push(counts, fresh);
    for (uint32_t i = counts->len - 1; i > at; i--)
        counts->items[i] = counts->items[i - 1];
    counts->items[at] = fresh;
}

CountList counts_by_code(const Pipeline *pipeline) {
    CountList counts = {0};
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const FindingList *findings = &pipeline->modules.items[i].findings;
        for (uint32_t f = 0; f < findings->len; f++)
            count_name(&counts, name_str(findings->items[f].rule->code));
    }
    return counts;
}

CountList counts_by_reason(const Pipeline *pipeline) {
    CountList counts = {0};
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const FindingList *findings = &pipeline->modules.items[i].findings;
        for (uint32_t f = 0; f < findings->len; f++) {
            const Finding *finding = &findings->items[f];
            if (finding->status == STATUS_LEFT)
                count_name(&counts, finding->reason ? name_str(finding->reason->id) : STR(""));
        }
    }
    return counts;
}

Totals totals_of(const Pipeline *pipeline) {
    Totals totals = {.files = pipeline->modules.len};
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const FindingList *findings = &pipeline->modules.items[i].findings;
        totals.found += findings->len;
        for (uint32_t f = 0; f < findings->len; f++) {
            switch (findings->items[f].status) {
            case STATUS_LEFT:
                totals.left++;
                break;
            case STATUS_FIXABLE:
                totals.fixable++;
                break;
            case STATUS_GUARDED:
                totals.guarded++;
                break;
            case STATUS_UNSAFE:
                totals.unsafe++;
                break;
            }
        }
    }
    return totals;
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void say_reasons(const Options *options, const Pipeline *pipeline) {
    if (!options->verbose)
        return;
    CountList codes = counts_by_code(pipeline), reasons = counts_by_reason(pipeline);
    for (uint32_t i = 0; i < codes.len; i++) {
        const Rule *rule = rule_find(codes.items[i].name);
        console_note(options, "  %u %.*s: %.*s", codes.items[i].count, STR_ARG(codes.items[i].name),
                     STR_ARG(rule ? rule->summary : STR("")));
    }
    for (uint32_t i = 0; i < reasons.len; i++) {
        Str name = reasons.items[i].name;
        const Reason *reason = reason_find(name);
        console_note(options, "  %u left: %.*s: %.*s", reasons.items[i].count,
                     STR_ARG(name.len ? name : STR("no reason")),
                     STR_ARG(reason ? reason->summary : STR("an internal error")));
    }
    vec_free(&codes);
    vec_free(&reasons);
}

void summary_fix(const Options *options, const Pipeline *pipeline) {
    Totals totals = totals_of(pipeline);
    console_note(options, "%u file%s, %u break%s found, %u fixed, %u left", totals.files,
                 plural(totals.files), totals.found, plural(totals.found), totals.found - totals.left,
                 totals.left);
    say_reasons(options, pipeline);
}

void summary_check(const Options *options, const Pipeline *pipeline) {
    Totals totals = totals_of(pipeline);
    console_note(options, "%u file%s, %u break%s found, %u can be fixed, %u left", totals.files,
                 plural(totals.files), totals.found, plural(totals.found), totals.found - totals.left,
                 totals.left);
    say_reasons(options, pipeline);
}
