// Turning an expression into a function that gives the same value later.
//
//     print(f"mean {h.mean():.3f}", seen)   ->   lambda mean, seen: print(f"mean {mean:.3f}", seen)   with h.mean(), seen
//
// What must not happen inside the traced region (formatting a tensor, .item(), the call itself) stays in the lambda; the
// values it needs become parameters, and the arguments are evaluated where the original stood. The runtime snapshots them.
#ifndef GM_LATE_H
#define GM_LATE_H

#include "passes/passes.h"

typedef enum LateMode {
    LATE_ALWAYS, // the original evaluates the expression right here in any case (print, log): evaluate early what can be
    LATE_MAYBE, // the original evaluates it on one path only (an exception's arguments): early only what is pure
} LateMode;

typedef struct Late {
    Module *module;
    LateMode mode;
    Node *root;         // the whole expression that becomes the body, or the part of it that is looked at
    VEC(Node *) values; // arguments, in the order in which the original evaluates them
    VEC(Name) params;
    VEC(Symbol *) symbols; // of values that are plain names, else NULL
    VEC(Name) kept;        // names that the body goes on reading by itself: no parameter may hide them
    const char *reason;    // reason id when late_convert failed
    Node *reason_at;
} Late;

// Rewrites `root` in place (ast_replace of sub-expressions) into the body of a lambda; `further`, or NULL, is evaluated after
// it in the same lambda (the cause of a raise). On false nothing was changed, and reason and reason_at say why. late_free
// when done.
bool late_convert(Late *late, Module *module, LateMode mode, Node *root, Node *further);
// Whether late_convert would succeed; changes nothing. On false reason and reason_at are set. late_free when done.
bool late_possible(Late *late, Module *module, LateMode mode, Node *root, Node *further);
// lambda <params>: <body>
Node *late_lambda(const Late *late, Node *body);
void late_free(Late *late);

// Nothing local is read and nothing is called: reading it later is reading it now.
bool late_is_fixed(Node *expr);
// A value that has to be formatted or read later: a tensor, or something that may hold one or change.
bool late_needed(Module *module, Node *expr);

#endif
