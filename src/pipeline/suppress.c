// Suppression comments, read.
//
//     y = x.item()  # graphmend: ignore[GM401] why       on the line, at the end of the statement's head, or
//                                                      of a guard's raise
//     # graphmend: ignore[GM401]                         alone: for the next logical line
//     # graphmend: file-ignore[GM3]                      for the file, wherever it stands
//     # graphmend: off[GM301]  ...  # graphmend: on      for the lines between
//     y = x.item()  # noqa: GM401, F401                  codes of other tools are left to them
//
// In:  the comments of a parsed file. Out: the directives in them. A code is as in --select; no brackets: every code. A bare
// `noqa` is left to the tools that it is meant for. What follows the bracket, up to the next '#', says why and belongs to the
// comment.
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

bool is_code_line(const Source *source, uint32_t line) {
    Str text = str_trim(source_line(source, line));
    return text.len && text.ptr[0] != '#';
}

// The line of the next statement; the directive's own when there is none. next: the one found for an earlier line; 0 at first.
static uint32_t next_code_line(const Source *source, uint32_t line, uint32_t *next) {
    if (*next <= line) {
        *next = line + 1;
        while (*next <= source->line_count && !is_code_line(source, *next))
            ++*next;
    }
    return *next <= source->line_count ? *next : line;
}

// Nothing but white space before it on its line.
static bool stands_alone(const Source *source, const Comment *comment) {
    uint32_t start = source_line_start(source, comment->start);
    return str_trim(source_span(source, start < source->body ? source->body : start, comment->start)).len ==
           0;
}

static void read_comment(Suppressions *suppressions, const Source *source, const Comment *comment,
                         uint32_t *next_code) {
    bool alone = stands_alone(source, comment);
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
        directive.alone = alone;
        directive.target = alone ? next_code_line(source, directive.line, next_code) : directive.line;
        vec_push(&suppressions->list, directive);
        at = scan.at - 1;
    }
}

static bool may_speak(Str comment) {
    return str_find(comment, STR("graphmend:"), NULL) || str_find(comment, STR("GM"), NULL);
}

Suppressions *suppress_read(const SyntaxTree *tree) {
    Suppressions found = {.arena = tree->arena};
    uint32_t next_code = 0;
    for (uint32_t i = 0; i < tree->comment_count; i++)
        if (may_speak(source_span(&tree->source, tree->comments[i].start, tree->comments[i].end)))
            read_comment(&found, &tree->source, &tree->comments[i], &next_code);
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
