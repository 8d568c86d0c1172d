// What an expression evaluates in which order, and what of it can be seen (quiet.c).
#ifndef GM_QUIET_H
#define GM_QUIET_H

#include "passes/rewrite.h"

enum { MAX_PARTS = 8, MAX_DEPTH = 60 };

// What the expression evaluates in any case, in its order; fewer than all only at the end: what follows them may not be
// evaluated, or does something of its own.
uint32_t expr_parts(const Node *expr, Node *parts[MAX_PARTS]);
bool is_literal(const Node *expr); // a constant, or -1
// Of an expression or statement in the branch's body, up to which all is quiet: it raises nothing, and has no effect that
// outlives an exception.
bool is_quiet_in(Module *module, const Node *branch, Node *expr);
bool statement_is_quiet_in(Module *module, const Node *branch, const Node *statement);

#endif
