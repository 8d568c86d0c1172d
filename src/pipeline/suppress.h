// Comments that hold findings back.
#ifndef GM_SUPPRESS_H
#define GM_SUPPRESS_H

#include "detect/detect.h"
#include "pipeline/select.h"

typedef enum DirectiveKind {
    DIRECTIVE_IGNORE,
    DIRECTIVE_FILE,
    DIRECTIVE_OFF,
    DIRECTIVE_ON,
    DIRECTIVE_NOQA
} DirectiveKind;
typedef struct DirectiveCode {
    Str text;                    // empty: every code
    uint32_t start, end;         // bytes
    bool used, unknown, foreign; // foreign: another tool's, in a noqa
} DirectiveCode;
typedef struct Directive {
    DirectiveKind kind;
    uint32_t start, end; // from its '#' to the end of what it says
    uint32_t comment_start, comment_end;
    uint32_t line, target; // target: the line it is about
    bool alone;            // nothing else on the line
    bool searched;         // what it is about is in a compiled region of this run
    VEC(DirectiveCode) codes;
} Directive;
typedef struct Suppressions {
    Arena *arena;
    VEC(Directive) list; // in source order
    bool
        rewritten; // an earlier run did: what was a break may not be found again, so nothing counts as unused
} Suppressions;

// suppress.c
// NULL when the file has none.
Suppressions *suppress_read(const SyntaxTree *tree);
void suppress_free(Suppressions *suppressions);
// Whether anything but a comment stands on the line.
bool is_code_line(const Source *source, uint32_t line);

// suppress_apply.c: moves what a comment holds back to another list, and marks the codes that did.
void suppress_apply(Suppressions *suppressions, const Source *source, FindingList *findings,
                    FindingList *held);

// suppress_searched.c: says of which of them it can be known whether they are used.
void suppress_judge(Suppressions *suppressions, Module *module);

// suppress_clean.c
// Adds GM902 for each code that holds nothing back and GM903 for each that does not exist.
void suppress_report(const Suppressions *suppressions, const Selection *selection, Module *module,
                     FindingList *findings);
// Removes from the new text, or from the old one when nothing else changed, the unused codes that are fixed. True when
// it changed something.
bool suppress_clean(const Suppressions *suppressions, const Selection *selection, const SyntaxTree *tree,
                    bool changed, Buf *output);

#endif
