// Suppression comments that hold nothing back: reported, and taken out of the new text.
//
// In:  the directives of a module, after suppress_apply and suppress_judge. Out: GM902 for a code that held none back, GM903 for
// one that does not exist; the text without the former.
// Declines: an unused code is taken out of the new text only where the comment is found again, the same number of times;
// what is left then stays. Of code that is in no compiled region of this run nothing is known: a comment there is not called
// unused. In a file that fix rewrote already nothing is called unused: facts are lost where a value comes
// from the runtime, and with them findings.
#include "pipeline/suppress.h"

// A code whose rules are not looked for in this run may be used in another.
static bool is_unused(const Directive *directive, const DirectiveCode *code, const Selection *selection) {
    if (code->used || code->unknown || code->foreign || !directive->searched ||
        directive->kind == DIRECTIVE_ON)
        return false;
    for (uint32_t i = 0; i < rule_count(); i++) {
        bool fit = code->text.len == 0 || code_fits(code->text, rule_at(i));
        bool tool = str_eq(rule_at(i)->category, STR("tool"));
        if (fit && ((tool && code->text.len > 3) || (!tool && selection && !selection->reported[i])))
            return false;
    }
    return true;
}

static void add_finding(FindingList *findings, Module *module, const char *code, uint32_t start, uint32_t end,
                        Str message, FindingStatus status) {
    const Rule *rule = rule_find(str_of(code));
    CHECK(rule);
    Finding finding = {.rule = rule,
                       .module = module,
                       .start = start,
                       .end = end,
                       .message = message,
                       .status = status,
                       .reason = status == STATUS_LEFT ? reason_find(STR("not-supported")) : NULL};
    vec_push(findings, finding);
}

static bool reports(const Selection *selection, const char *code, const Module *module) {
    return !selection || selection_reports(selection, rule_find(str_of(code)), module->path);
}

static bool fixes_unused(const Selection *selection) {
    const Rule *rule = rule_find(STR("GM902"));
    return !selection || selection->fixed[rule - rule_at(0)];
}

void suppress_report(const Suppressions *suppressions, const Selection *selection, Module *module,
                     FindingList *findings) {
    bool unused = !suppressions->rewritten && reports(selection, "GM902", module),
         unknown = reports(selection, "GM903", module);
    for (uint32_t i = 0; i < suppressions->list.len; i++) {
        const Directive *directive = &suppressions->list.items[i];
        for (uint32_t c = 0; c < directive->codes.len; c++) {
            const DirectiveCode *code = &directive->codes.items[c];
            uint32_t start = code->text.len ? code->start : directive->start;
            uint32_t end = code->text.len ? code->end : directive->end;
            if (unknown && code->unknown)
                add_finding(findings, module, "GM903", start, end,
                            str_format(suppressions->arena, "no rule has the code %.*s", STR_ARG(code->text)),
                            STATUS_LEFT);
            else if (unused && is_unused(directive, code, selection))
                add_finding(findings, module, "GM902", start, end,
                            code->text.len
                                ? str_format(suppressions->arena, "nothing here is suppressed by %.*s",
                                             STR_ARG(code->text))
                                : STR("nothing here is suppressed"),
                            fixes_unused(selection) ? STATUS_FIXABLE : STATUS_LEFT);
        }
    }
}

// ---------------------------------------------------------------- taking them out

typedef struct Cut {
    uint32_t start, end;
    Str text;
} Cut;

// What is left of the directive without its unused codes.
static Cut cut_codes(const Directive *directive, const Directive *there, const Selection *selection,
                     Arena *arena) {
    Buf text = {0};
    uint32_t first = there->codes.items[0].start, last = vec_last(&there->codes).end;
    for (uint32_t c = 0; c < directive->codes.len; c++)
        if (!is_unused(directive, &directive->codes.items[c], selection))
            buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(directive->codes.items[c].text));
    Cut cut = {first, last, str_dup(arena, buf_view(&text))};
    buf_free(&text);
    return cut;
}

static Cut cut_directive(const Directive *there, const Source *source) {
    Cut cut = {there->start, there->end, STR("")};
    bool whole = there->start == there->comment_start && there->end == there->comment_end;
    while (cut.start > source->body &&
           (source->bytes.ptr[cut.start - 1] == ' ' || source->bytes.ptr[cut.start - 1] == '\t'))
        cut.start--;
    if (!whole && there->start == there->comment_start) {
        cut.start = there->start; // another comment follows on the line: it moves up
        while (cut.end < there->comment_end && source->bytes.ptr[cut.end] != '#')
            cut.end++;
    }
    if (!there->alone || !whole)
        return cut;
    if (source->bytes.ptr[cut.end] == '\r') // the line goes too
        cut.end++;
    if (source->bytes.ptr[cut.end] == '\n')
        cut.end++;
    return cut;
}

static bool has_unused(const Directive *directive, const Selection *selection, bool *all) {
    bool some = false;
    *all = true;
    for (uint32_t c = 0; c < directive->codes.len; c++) {
        bool unused = is_unused(directive, &directive->codes.items[c], selection);
        some |= unused;
        *all &= unused;
    }
    return some;
}

typedef struct Told {
    Str text; // what the directive says
    uint32_t index;
} Told;
typedef VEC(Told) ToldList;

static int by_text(const void *a, const void *b) {
    const Told *first = a, *second = b;
    int order = str_cmp(first->text, second->text);
    return order ? order : first->index < second->index ? -1 : first->index > second->index;
}

static ToldList told_in(const Suppressions *suppressions, const Source *source) {
    ToldList told = {0};
    for (uint32_t i = 0; i < suppressions->list.len; i++) {
        const Directive *directive = &suppressions->list.items[i];
        vec_push(&told, ((Told){source_span(source, directive->start, directive->end), i}));
    }
    qsort(told.items, told.len, sizeof(Told), by_text);
    return told;
}

static uint32_t alike_from(const ToldList *told, uint32_t first) {
    uint32_t last = first;
    while (last < told->len && str_eq(told->items[last].text, told->items[first].text))
        last++;
    return last - first;
}

// For each directive the one of the new text that it became: the k-th of those that read alike, if there are as many; else
// NULL. Freed by the caller.
static const Directive **find_again(const Suppressions *before, const Source *source,
                                    const Suppressions *after, const Source *fresh) {
    const Directive **became = heap_alloc(before->list.len, sizeof(Directive *));
    ToldList old = told_in(before, source), new = told_in(after, fresh);
    uint32_t i = 0, k = 0;
    while (i < old.len && k < new.len) {
        int order = str_cmp(old.items[i].text, new.items[k].text);
        uint32_t old_count = order <= 0 ? alike_from(&old, i) : 0;
        uint32_t new_count = order >= 0 ? alike_from(&new, k) : 0;
        for (uint32_t n = 0; n < old_count && old_count == new_count; n++)
            became[old.items[i + n].index] = &after->list.items[new.items[k + n].index];
        i += old_count;
        k += new_count;
    }
    vec_free(&old);
    vec_free(&new);
    return became;
}

bool suppress_clean(const Suppressions *suppressions, const Selection *selection, const SyntaxTree *tree,
                    bool changed, Buf *output) {
    if (suppressions->rewritten || !fixes_unused(selection) ||
        (selection && !selection->reported[rule_find(STR("GM902")) - rule_at(0)]))
        return false;
    bool any = false, all;
    for (uint32_t i = 0; i < suppressions->list.len; i++)
        any |= has_unused(&suppressions->list.items[i], selection, &all);
    if (!any)
        return false;
    Arena *arena = arena_new();
    DiagList diags;
    diag_init(&diags, arena);
    Source source;
    Str why;
    Buf result = {0};
    bool good =
        source_init(&source, arena, tree->source.path, changed ? buf_view(output) : tree->source.bytes, &why);
    SyntaxTree *fresh = good ? syntax_parse(arena, source, &diags) : NULL;
    Suppressions *again = fresh ? suppress_read(fresh) : NULL;
    const Directive **became = again ? find_again(suppressions, &tree->source, again, &fresh->source) : NULL;
    size_t at = 0;
    for (uint32_t i = 0; again && i < suppressions->list.len; i++) {
        const Directive *directive = &suppressions->list.items[i];
        const Directive *there = has_unused(directive, selection, &all) ? became[i] : NULL;
        if (!there)
            continue;
        Cut cut = all ? cut_directive(there, &fresh->source) : cut_codes(directive, there, selection, arena);
        if (cut.start < at) { // two on one line: the first left the space before them
            while (result.len > 0 &&
                   (result.ptr[result.len - 1] == ' ' || result.ptr[result.len - 1] == '\t'))
                result.len--;
            cut.start = (uint32_t)at;
        }
        buf_str(&result, str_slice(fresh->source.bytes, at, cut.start));
        buf_str(&result, cut.text);
        at = cut.end;
    }
    bool cleaned = at > 0;
    if (cleaned) {
        buf_str(&result, str_slice(fresh->source.bytes, at, fresh->source.bytes.len));
        output->len = 0;
        buf_str(output, buf_view(&result));
    }
    buf_free(&result);
    free(became);
    suppress_free(again);
    diag_free(&diags);
    arena_free(arena);
    return cleaned;
}
