// Findings: the places at which Dynamo would break the graph, before any pass has run.
#ifndef GM_DETECT_H
#define GM_DETECT_H

#include "analysis/analysis.h"

typedef enum FindingStatus {
    STATUS_LEFT,    // reported, not fixable: `reason` says why
    STATUS_FIXABLE, // fix rewrites it, always equal
    STATUS_GUARDED, // fix rewrites it; the original runs where a trace-time check fails
    STATUS_UNSAFE,
} FindingStatus;

typedef struct Finding {
    const struct Rule *rule; // rules.h
    Module *module;
    Node *node;          // statement or expression at which Dynamo breaks
    uint32_t start, end; // the range to show: a statement's head or the expression
    FindingStatus status;
    const struct Reason *reason; // why not, when STATUS_LEFT
    Node *reason_at;             // sub-expression or statement that fails it; may lie in another module
    Module *reason_module;
    struct Symbol **
        live_after; // GM101: names read after the branch (one with break or continue: after the loop's turn, or the loop),
    // NULL-terminated, as of the untouched tree; else NULL
    Str message; // one line, names the construct
} Finding;
typedef VEC(Finding) FindingList;

void detect_module(Module *module, FindingList *findings); // only code in compiled regions; source order
// Tests of which nothing says whether they read tensor values; not for the passes. unknown.c
void detect_unknown(Module *module, FindingList *findings);

#endif
