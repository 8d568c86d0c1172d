// Suppression comments: read, applied, and reported where they hold nothing back.
//
//     y = x.item()  # graphmend: ignore[GM401] why       on the line, at the end of the statement's head, or
//                                                      of a guard's raise
//     # graphmend: ignore[GM401]                         alone: for the next logical line
//     # graphmend: file-ignore[GM3]                      for the file, wherever it stands
//     # graphmend: off[GM301]  ...  # graphmend: on      for the lines between
//     y = x.item()  # noqa: GM401, F401                  codes of other tools are left to them
//
// In:  the comments of a parsed file, its findings. Out: the findings without those held back; GM902 for a code that held
// none back, GM903 for one that does not exist. A code is as in --select; no brackets: every code. A bare `noqa` is left
// to the tools that it is meant for. What follows the bracket, up to the next '#', says why and belongs to the comment.
// Declines: an unused code is taken out of the new text only where the comment is found again, the same number of times;
// what is left then stays. Of code that is in no compiled region of this run nothing is known: a comment there is not called
// unused. In a file that fix rewrote already nothing is called unused: facts are lost where a value comes
// from the runtime, and with them findings.
#include "pipeline/suppress.h"

#include <ctype.h>

// ---------------------------------------------------------------- reading

typedef struct Scan {
    const Source *source;
    const char *bytes;
    uint32_t at, end;
} Scan;

static void skip_space(Scan *scan) {
    while (scan->at < scan->end && (scan->bytes[scan->at] == ' ' || scan->bytes[scan->at] == '\t'))
        scan->at++;
}

static bool take(Scan *scan, const char *word, bool any_case) {
    uint32_t at = scan->at;
    for (; *word; word++, at++) {
        if (at >= scan->end)
            return false;
        char c = scan->bytes[at];
        if (c != *word && !(any_case && tolower((unsigned char)c) == *word))
            return false;
    }
    scan->at = at;
    return true;
}

static bool is_code_char(char c) {
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

static void add_code(Directive *directive, const Scan *scan, uint32_t start, uint32_t end) {
    DirectiveCode code = {.text = {scan->bytes + start, end - start}, .start = start, .end = end};
    if (code.text.len && !code_exists(code.text)) {
        bool ours = code.text.len > 2 && strncmp(code.text.ptr, "GM", 2) == 0 &&
                    isdigit((unsigned char)code.text.ptr[2]);
        code.foreign = directive->kind == DIRECTIVE_NOQA && !ours;
        code.unknown = !code.foreign;
    } else if (directive->kind == DIRECTIVE_NOQA && strncmp(code.text.ptr, "GM", 2) != 0) {
        code.foreign = true; // ALL, or a word of another tool that is a rule's name here
    }
    vec_push(&directive->codes, code);
}

// "GM101, GM3": commas or spaces between.
static void read_codes(Scan *scan, Directive *directive) {
    for (;;) {
        uint32_t before = scan->at;
        skip_space(scan);
        while (scan->at < scan->end && scan->bytes[scan->at] == ',') {
            scan->at++;
            skip_space(scan);
        }
        uint32_t start = scan->at;
        while (scan->at < scan->end && is_code_char(scan->bytes[scan->at]))
            scan->at++;
        // After a noqa's codes stands what it likes.
        bool code = scan->at > start;
        if (directive->kind == DIRECTIVE_NOQA && code)
            code = isupper((unsigned char)scan->bytes[start]) &&
                   isdigit((unsigned char)scan->bytes[scan->at - 1]);
        if (!code) {
            scan->at = before;
            return;
        }
        add_code(directive, scan, start, scan->at);
    }
}

static bool read_own(Scan *scan, Directive *directive) {
    static const char *const words[] = {"ignore", "file-ignore", "off", "on"};
    skip_space(scan);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint32_t start = scan->at;
        if (!take(scan, words[i], false))
            continue;
        if (scan->at < scan->end && is_code_char(scan->bytes[scan->at])) {
            scan->at = start;
            continue;
        }
        directive->kind = (DirectiveKind)i;
        uint32_t after = scan->at;
        skip_space(scan);
        if (take(scan, "[", false)) {
            read_codes(scan, directive);
            skip_space(scan);
            take(scan, "]", false);
        } else {
            scan->at = after;
            add_code(directive, scan, after, after);
        }
        while (scan->at < scan->end && scan->bytes[scan->at] != '#')
            scan->at++; // why
        return directive->codes.len > 0;
    }
    return false;
}

static bool read_noqa(Scan *scan, Directive *directive) {
    directive->kind = DIRECTIVE_NOQA;
    skip_space(scan);
    if (!take(scan, ":", false))
        return false;
    read_codes(scan, directive);
    bool ours = false;
    for (uint32_t i = 0; i < directive->codes.len; i++)
        ours |= !directive->codes.items[i].foreign;
    return ours;
}

// The line of the next statement; the directive's own when there is none.
static uint32_t next_code_line(const Source *source, uint32_t line) {
    for (uint32_t next = line + 1; next <= source->line_count; next++) {
        Str text = str_trim(source_line(source, next));
        if (text.len && text.ptr[0] != '#')
            return next;
    }
    return line;
}

static void read_comment(Suppressions *suppressions, const Source *source, const Comment *comment) {
    for (uint32_t at = comment->start; at < comment->end; at++) {
        if (source->bytes.ptr[at] != '#')
            continue;
        Scan scan = {source, source->bytes.ptr, at + 1, comment->end};
        Directive directive = {.start = at, .comment_start = comment->start, .comment_end = comment->end};
        skip_space(&scan);
        bool found = take(&scan, "graphmend:", false) ? read_own(&scan, &directive)
                     : take(&scan, "noqa", true)      ? read_noqa(&scan, &directive)
                                                      : false;
        if (!found) {
            vec_free(&directive.codes);
            continue;
        }
        directive.end = scan.at;
        while (source->bytes.ptr[directive.end - 1] == ' ' || source->bytes.ptr[directive.end - 1] == '\t')
            directive.end--;
        directive.line = source_place(source, at).line;
        uint32_t start = source_line_start(source, at);
        directive.alone =
            str_trim(source_span(source, start < source->body ? source->body : start, comment->start)).len ==
            0;
        directive.target = directive.alone ? next_code_line(source, directive.line) : directive.line;
        vec_push(&suppressions->list, directive);
        at = scan.at - 1;
    }
}

static bool may_speak(Str comment) {
    return str_find(comment, STR("graphmend:"), NULL) || str_find(comment, STR("GM"), NULL);
}

Suppressions *suppress_read(const SyntaxTree *tree) {
    Suppressions found = {.arena = tree->arena};
    for (uint32_t i = 0; i < tree->comment_count; i++)
        if (may_speak(source_span(&tree->source, tree->comments[i].start, tree->comments[i].end)))
            read_comment(&found, &tree->source, &tree->comments[i]);
    if (found.list.len == 0)
        return NULL;
    Suppressions *suppressions = heap_alloc(1, sizeof *suppressions);
    *suppressions = found;
    return suppressions;
}

void suppress_free(Suppressions *suppressions) {
    if (!suppressions)
        return;
    for (uint32_t i = 0; i < suppressions->list.len; i++)
        vec_free(&suppressions->list.items[i].codes);
    vec_free(&suppressions->list);
    free(suppressions);
}

// ---------------------------------------------------------------- applying

typedef struct Lines {
    uint32_t first, last;           // of what is shown
    uint32_t head_first, head_last; // of the statement, less its suites
    uint32_t raise_last; // of a guard that does nothing but raise: where its raise ends; 0: no such guard
} Lines;

static uint32_t head_end(const Node *statement) {
    uint32_t end = statement->end;
    for (ChildIter it = ast_children((Node *)(uintptr_t)statement); ast_next(&it);)
        if (node_is_stmt(it.child) && !(it.child->flags & NODE_NEW) && it.child->start < end)
            end = it.child->start;
    return end;
}

static uint32_t raise_end(const Node *statement) {
    if (statement->kind != NODE_IF || statement->u.branch.body.len != 1 || statement->u.branch.orelse.len)
        return 0;
    const Node *only = statement->u.branch.body.items[0];
    return only->kind == NODE_RAISE ? only->end : 0;
}

static Lines lines_of(const Source *source, const Finding *finding) {
    uint32_t last = finding->end > finding->start ? finding->end - 1 : finding->start;
    Lines lines = {source_place(source, finding->start).line, source_place(source, last).line, 0, 0, 0};
    const Node *statement = finding->node ? node_statement(finding->node) : NULL;
    lines.head_first = lines.first, lines.head_last = lines.last;
    if (!statement)
        return lines;
    lines.head_first = source_place(source, statement->start).line;
    uint32_t raise = raise_end(statement);
    lines.raise_last = raise ? source_place(source, raise - 1).line : 0;
    uint32_t end = head_end(statement);
    while (end > statement->start && isspace((unsigned char)source->bytes.ptr[end - 1]))
        end--;
    lines.head_last = source_place(source, end > statement->start ? end - 1 : statement->start).line;
    if (end < statement->end && lines.head_last > lines.head_first) {
        // Comments between the head and its suite are not the head's.
        uint32_t colon = lines.head_first;
        for (uint32_t line = lines.head_first; line <= lines.head_last; line++) {
            Str text = str_trim(source_line(source, line));
            if (text.len && text.ptr[0] != '#')
                colon = line;
        }
        lines.head_last = colon;
    }
    return lines;
}

static bool is_about(const Directive *directive, const Lines *lines) {
    uint32_t line = directive->target;
    if (directive->kind == DIRECTIVE_FILE)
        return true;
    if (directive->alone)
        return line == lines->head_first || line == lines->first;
    return (line >= lines->first && line <= lines->last) || line == lines->head_first ||
           line == lines->head_last || line == lines->raise_last;
}

static DirectiveCode *code_for(Directive *directive, const Rule *rule) {
    for (uint32_t i = 0; i < directive->codes.len; i++) {
        DirectiveCode *code = &directive->codes.items[i];
        if (!code->unknown && !code->foreign && (code->text.len == 0 || code_fits(code->text, rule)))
            return code;
    }
    return NULL;
}

// Every code that fits is used, not the first alone: whether the others are needed would depend on their order.
static bool holds_back(Suppressions *suppressions, const Finding *finding, const Source *source) {
    Lines lines = lines_of(source, finding);
    DirectiveCode *region = NULL;
    bool held = false;
    for (uint32_t i = 0; i < suppressions->list.len; i++) {
        Directive *directive = &suppressions->list.items[i];
        DirectiveCode *code = code_for(directive, finding->rule);
        if (!code)
            continue;
        if (directive->kind == DIRECTIVE_OFF || directive->kind == DIRECTIVE_ON) {
            if (directive->line <= lines.first)
                region = directive->kind == DIRECTIVE_OFF ? code : NULL;
        } else if (is_about(directive, &lines)) {
            code->used = held = true;
        }
    }
    if (region)
        region->used = true;
    return held || region;
}

void suppress_apply(Suppressions *suppressions, FindingList *findings, FindingList *held) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->len; i++) {
        Finding finding = findings->items[i];
        if (holds_back(suppressions, &finding, &finding.module->unit->tree->source))
            vec_push(held, finding);
        else
            findings->items[kept++] = finding;
    }
    findings->len = kept;
}

// ---------------------------------------------------------------- what holds nothing back

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

static Str text_of(const Source *source, const Directive *directive) {
    return source_span(source, directive->start, directive->end);
}

// The directive of the new text that this one became: the k-th of those that read alike, if there are as many.
static const Directive *find_again(const Suppressions *before, uint32_t index, const Source *source,
                                   const Suppressions *after, const Source *fresh) {
    Str text = text_of(source, &before->list.items[index]);
    uint32_t place = 0, old_count = 0, new_count = 0;
    const Directive *found = NULL;
    for (uint32_t i = 0; i < before->list.len; i++)
        if (str_eq(text_of(source, &before->list.items[i]), text)) {
            place = i < index ? place + 1 : place;
            old_count++;
        }
    for (uint32_t i = 0; i < after->list.len; i++)
        if (str_eq(text_of(fresh, &after->list.items[i]), text) && new_count++ == place)
            found = &after->list.items[i];
    return old_count == new_count ? found : NULL;
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
    size_t at = 0;
    for (uint32_t i = 0; again && i < suppressions->list.len; i++) {
        const Directive *directive = &suppressions->list.items[i];
        const Directive *there = has_unused(directive, selection, &all)
                                     ? find_again(suppressions, i, &tree->source, again, &fresh->source)
                                     : NULL;
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
    suppress_free(again);
    diag_free(&diags);
    arena_free(arena);
    return cleaned;
}
