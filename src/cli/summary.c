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

CountList counts_by_code(const gm_session *session) {
    CountList counts = {0};
    for (size_t i = 0; i < gm_finding_count(session); i++)
        count_name(&counts, str_of(gm_finding_at(session, i)->code));
    return counts;
}

CountList counts_by_reason(const gm_session *session) {
    CountList counts = {0};
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        if (finding->status == GM_LEFT)
            count_name(&counts, str_of(finding->reason ? finding->reason : ""));
    }
    return counts;
}

static bool is_remark(const gm_finding *finding) {
    return strcmp(finding->code, "GM902") == 0 || strcmp(finding->code, "GM903") == 0;
}

Totals totals_of(const gm_session *session) {
    Totals totals = {.files = (uint32_t)gm_file_count(session), .found = (uint32_t)gm_finding_count(session)};
    for (size_t i = 0; i < gm_file_count(session); i++)
        totals.suppressed += gm_file_at(session, i)->suppressed;
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        bool remark = is_remark(finding);
        totals.remarks += remark;
        totals.remarks_left += remark && finding->status == GM_LEFT;
        switch (finding->status) {
        case GM_LEFT:
            totals.left++;
            break;
        case GM_FIXABLE:
            totals.fixable++;
            break;
        case GM_GUARDED:
            totals.guarded++;
            break;
        case GM_UNSAFE:
            totals.unsafe++;
            break;
        }
    }
    return totals;
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void say_totals(const Options *options, const Totals *totals, const char *done) {
    Buf text = {0};
    uint32_t found = totals->found - totals->remarks, left = totals->left - totals->remarks_left;
    buf_printf(&text, "%u file%s, %u break%s found, %u %s, %u left", totals->files, plural(totals->files),
               found, plural(found), found - left, done, left);
    if (totals->remarks)
        buf_printf(&text, ", %u remark%s about comments", totals->remarks, plural(totals->remarks));
    if (totals->suppressed)
        buf_printf(&text, ", %u suppressed", totals->suppressed);
    console_note(options, "%.*s", STR_ARG(buf_view(&text)));
    buf_free(&text);
}

static void say_reasons(const Options *options, const gm_session *session) {
    if (!options->verbose)
        return;
    CountList codes = counts_by_code(session), reasons = counts_by_reason(session);
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

static bool lists(const FileList *files, const gm_file *file) {
    for (uint32_t i = 0; i < files->len; i++)
        if (files->items[i] == file)
            return true;
    return false;
}

void summary_fix(const Options *options, const gm_session *session, const FileList *unwritten) {
    Totals totals = totals_of(session);
    for (size_t i = 0; i < gm_finding_count(session) && unwritten->len; i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        bool lost = finding->status != GM_LEFT && lists(unwritten, finding->file);
        totals.left += lost;
        totals.remarks_left += lost && is_remark(finding);
    }
    say_totals(options, &totals, "fixed");
    say_reasons(options, session);
}

void summary_check(const Options *options, const gm_session *session) {
    Totals totals = totals_of(session);
    say_totals(options, &totals, "can be fixed");
    say_reasons(options, session);
}

// ---------------------------------------------------------------- --statistics
//
//     GM301   7 found, 5 fixable, 2 left  print
//               2 value-used

static void put_statistics(const gm_session *session, Str code, const FileList *unwritten, Buf *out) {
    CountList reasons = {0};
    uint32_t found = 0, left = 0;
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        if (!str_eq(str_of(finding->code), code))
            continue;
        found++;
        if (finding->status != GM_LEFT && !(unwritten && lists(unwritten, finding->file)))
            continue;
        left++;
        count_name(&reasons, str_of(finding->reason              ? finding->reason
                                    : finding->status == GM_LEFT ? "no-reason"
                                                                 : "the file was not written"));
    }
    const Rule *rule = rule_find(code);
    buf_printf(out, "%.*s  %5u found, %5u %s, %5u left  %.*s\n", STR_ARG(code), found, found - left,
               unwritten ? "fixed" : "fixable", left, STR_ARG(rule ? rule->name : STR("")));
    for (uint32_t i = 0; i < reasons.len; i++)
        buf_printf(out, "       %5u left: %.*s\n", reasons.items[i].count, STR_ARG(reasons.items[i].name));
    vec_free(&reasons);
}

void summary_statistics(const gm_session *session, const FileList *unwritten, Buf *out) {
    CountList codes = counts_by_code(session);
    for (uint32_t i = 0; i < codes.len; i++)
        put_statistics(session, codes.items[i].name, unwritten, out);
    vec_free(&codes);
}
