// What the passes share: declining a finding with its reason, conditions that hold for every rewrite, and building calls
// of the runtime.
#ifndef GM_REWRITE_H
#define GM_REWRITE_H

#include "passes/late.h"
#include "passes/passes.h"

// Leaves the finding alone: reason id and the node that fails the condition (in `module`; NULL: the finding's own).
void decline_at(Finding *finding, const char *reason, Node *at, Module *module);
static inline void decline(Finding *finding, const char *reason, Node *at) {
    decline_at(finding, reason, at, NULL);
}
void finding_accept(Finding *finding, FindingStatus status);

// False, with the finding declined, where nothing may be deferred at all: generators, async functions, functions that look
// at their own frame.
bool may_defer_here(PassContext *context, Finding *finding);

// The name has a value on every path that reaches `at`: a parameter, or bound by a statement that stands before in the same
// or an enclosing suite, or in every arm of one.
bool is_surely_bound(const Symbol *symbol, const Node *at);
// Whether the name has a value whenever the suite is left by its end.
bool suite_binds_surely(NodeList suite, const Symbol *symbol);
// Whether evaluating the expression binds the name, by :=, in any case.
bool test_binds_surely(Node *test, const Symbol *symbol);

// A name read at or below the node that may have no value there: in a function of its own the exception would be another
// one. NULL: there is none.
Node *unbound_read(Node *node);

// _graphmend.<function>(args...)
Node *runtime_call(PassContext *context, const char *function, uint32_t len, Node *const *args);
// _graphmend.<function>(lambda params: body, values...)
Node *runtime_call_late(PassContext *context, const char *function, const Late *late, Node *body);
// The function that a call of the runtime which a pass made calls; 0 for any other call.
Name runtime_function(const PassContext *context, const Node *call);
// lambda: body
Node *thunk(PassContext *context, Node *body);
// An assignment expression, await or yield in it: it cannot move into a function of its own.
bool binds_or_suspends(Node *expr);
// Puts statements in the place of `old`; one stays one.
void replace_with(PassContext *context, Node *old, uint32_t len, Node *const *statements);

// Whether [Defer] will record this output call; else its reason goes to the finding. Asked before a branch around it is
// rewritten, because what stands around the branch can then no longer be seen from the call.
bool defer_accepts(PassContext *context, Finding *finding, Node *call);
// The stacklevel of a log or warning at or below the node which names another frame than the function's; NULL: there is none.
Node *outer_stacklevel(Module *module, Node *node);

// A test on data that Dynamo can trace: `and`, `or` and `not` become calls of the runtime that do not ask a tensor for its
// truth. *negated: strip an outer `not`. NULL: cannot be done; *reason and *at say why. Changes the tree only on success.
// may_wait: a test that reads a tensor as a Python number becomes _graphmend.later(lambda ...: test, values...), which only
// the runtime's checks understand.
Node *lower_test(PassContext *context, Node *test, bool may_wait, bool *negated, const char **reason,
                 Node **at);

// bool(x) as a test is the test x.
Node *truth_asked(Module *module, Node *test);

#endif
