// UniiR: one module's AST together with its scopes and symbols, a control-flow graph per function, def-use chains, and
// the printer that turns it back into text. Built once per module by unit_new; passes change only the AST (ast_replace).
#ifndef GM_IR_H
#define GM_IR_H

#include "syntax/ast.h"

// ---------------------------------------------------------------- scope.c: symbol tables by Python's rules
typedef enum ScopeKind {
    SCOPE_MODULE,
    SCOPE_CLASS,
    SCOPE_FUNCTION,
    SCOPE_LAMBDA,
    SCOPE_COMPREHENSION,
    SCOPE_TYPE_PARAMS
} ScopeKind;

enum {
    SYM_PARAM = 1 << 0, // a parameter of the scope's function or lambda
    SYM_ASSIGNED =
        1 << 1, // bound here by assignment, for, with, walrus, def, class, import, except, match, del
    SYM_IMPORT = 1 << 2,      // at least one binding is an import
    SYM_GLOBAL = 1 << 3,      // declared global here (the symbol in the module scope is the real one)
    SYM_NONLOCAL = 1 << 4,    // declared nonlocal here
    SYM_FREE = 1 << 5,        // used here, bound in an enclosing function scope
    SYM_CELL = 1 << 6,        // bound here, used in an inner scope
    SYM_USED = 1 << 7,        // read here
    SYM_DELETED = 1 << 8,     // named in a del statement (or an except ... as target, which Python deletes)
    SYM_IMPLICIT = 1 << 9,    // a name that is bound nowhere in the module: a builtin, or from a star import
    SYM_ANNOTATED = 1 << 10,  // `name: type` without a value stands here: local, but not bound by it
    SYM_NAMES_CODE = 1 << 11, // of a real symbol: at least one binding is a def or an import
    SYM_WALRUS = 1 << 12,     // of a real symbol: at least one binding is a :=
};

typedef struct Scope Scope;
struct Symbol {
    Name name;
    uint32_t flags;
    Scope *scope;
    Symbol
        *real; // where the name is bound: itself, or the symbol of an outer scope that it only mentions here
    uint32_t index; // its place in scope->symbols
    // Both are filled by unit_new, for real symbols only, and lie in the arena: nothing may be pushed onto them. NULL follows
    // the last item, if there is one.
    VEC(Node *)
    bindings; // source order: NAME (NODE_STORE/NODE_DEL), PARAM, ALIAS, FUNCTION_DEF, CLASS_DEF, EXCEPT_HANDLER, PATTERN's NAME; of a SYM_IMPLICIT symbol: the module's STAR_IMPORTs
    VEC(Node *) uses; // NAME nodes that read it, from this scope and inner ones; source order
};
struct Scope {
    ScopeKind kind;
    Node *owner; // MODULE, CLASS_DEF, FUNCTION_DEF, LAMBDA, comprehension
    Scope *parent;
    VEC(Scope *) children;
    Map symbols; // Name -> Symbol*: what is bound here, and every outer name that this scope or one inside it mentions
    struct Function *function; // of a function or lambda scope
    bool has_star_import;      // `from m import *` directly here (modules)
    bool is_dynamic;           // calls locals(), exec, eval, vars(), globals(): names cannot be trusted
    Node *dynamic_call;        // the first such call
    bool has_yield;            // function scopes: a generator
};
// Symbol that `name` means when read in `scope` (class scopes are skipped from inner functions; comprehensions' first
// iterable belongs to the outer scope: NAME nodes already carry the right symbol). NULL if bound nowhere: a builtin.
Symbol *scope_lookup(const Scope *scope, Name name);
// Of the symbol's bindings the number of the first that starts at the place or behind it.
uint32_t symbol_binding_from(const Symbol *symbol, uint32_t place);
Symbol *scope_own(const Scope *scope, Name name); // only if bound in this very scope
static inline bool scope_is_function(const Scope *scope) {
    return scope->kind == SCOPE_FUNCTION || scope->kind == SCOPE_LAMBDA;
}
struct Unit;
void scope_resolve(struct Unit *unit); // fills unit->scope, scopes and scope_of, and every NAME's symbol

// ---------------------------------------------------------------- unit.c
typedef struct Function Function;
typedef struct Unit {
    SyntaxTree *tree;
    Arena *arena;
    Scope *scope;        // the module's
    VEC(Scope *) scopes; // all of them, outer before inner, in source order
    Map scope_of; // owner Node* -> Scope*; of a def or class with type parameters: its own, whose parent theirs is
    VEC(Function *) functions; // every FUNCTION_DEF and LAMBDA in source order, nested ones too
    Map function_of;           // owner Node* -> Function*
    Map taken;                 // names in use, fresh ones too; filled at the first unit_fresh_name
} Unit;
struct Function {
    Unit *unit;
    Node *node; // FUNCTION_DEF or LAMBDA
    Scope *scope;
    Function *outer; // nearest enclosing function, or NULL
    Node *cls;       // CLASS_DEF whose body holds it directly, or NULL
    Name qualname;   // "Class.method", "outer.<locals>.inner"
    struct Cfg *cfg; // built on first function_cfg; NULL again after function_changed
};
Unit *unit_new(SyntaxTree *tree); // resolves scopes; lives in tree->arena; unit_free releases heap parts
void unit_free(Unit *unit);
Scope *unit_scope_at(Unit *unit, const Node *node); // innermost scope whose code the node belongs to
Function *unit_function_at(
    Unit *unit,
    const Node *node); // innermost function whose body (not defaults, decorators) holds the node, or NULL
// A name not used anywhere in the module, made from stem: stem, stem_2, stem_3 ...
Name unit_fresh_name(Unit *unit, Str stem);

// ---------------------------------------------------------------- cfg.c
// Edges: TRUE and FALSE leave a test, a loop's "next item" and a match case; BACK closes a loop; EXCEPTION leads from a
// block that may raise to the innermost handler, __exit__ or finally, else to raise_exit; FINALLY leads into a finally body
// by return, break or continue, and from its end to where the interrupted jump or exception was going.
//
// A finally body has one copy, so its ways out are the union over its ways in: right for "may" questions only. What runs
// after a `with` is also reached by an exception from its body, since the manager may swallow it.
typedef enum EdgeKind { EDGE_NEXT, EDGE_TRUE, EDGE_FALSE, EDGE_BACK, EDGE_EXCEPTION, EDGE_FINALLY } EdgeKind;
typedef struct Block Block;
typedef struct Edge {
    Block *to;
    EdgeKind kind;
} Edge;
struct Block {
    uint32_t id;
    VEC(Node *)
    nodes; // simple statements and the heads of compound ones (IF: its test; FOR: its iter and target; WITH_ITEMs), in order
    VEC(Edge) successors;
    VEC(Block *) predecessors;
    bool reachable;
};
typedef struct Cfg {
    Function *function;
    VEC(Block *) blocks; // blocks[0] is the entry
    Block *exit;         // normal return
    Block *raise_exit;   // an exception leaves the function
    Map place;           // Node* in some block's nodes -> block id << 32 | index
    Map after;           // statement -> the same, just behind it; CFG_NOWHERE if nothing falls out of it
    struct Flow *flow;   // flow.c: built on first need
} Cfg;
#define CFG_NOWHERE UINT64_MAX
Cfg *function_cfg(Function *function);
void function_changed(Function *function); // after a pass changed its body: the next function_cfg builds anew
const char *edge_kind_name(EdgeKind kind);

// ---------------------------------------------------------------- liveness.c
// Names (Symbols of the function's own scope) live just after statement `stmt`: read on some path before being written.
// A symbol that an inner function, lambda or lazily run generator captures counts as read always, as do all in a function
// that calls locals() and its like. NULL-terminated array in the unit's arena, in the order of the scope's symbols.
Symbol **cfg_live_after(Cfg *cfg, const Node *stmt);

// ---------------------------------------------------------------- defuse.c
// The bindings (as in Symbol.bindings) that may reach this NAME use within its function; NULL-terminated, arena.
// Parameters and deletions included. A symbol of another scope than the function's own, or a use that runs later (in a
// lambda, inner function, generator): all bindings. Source order.
Node **defuse_reaching(Unit *unit, Node *use);

// ---------------------------------------------------------------- verify.c: the invariant checker, debug builds, between passes
// Panics on: wrong parent links, children outside the parent's span (original nodes), NEW nodes in an untouched parent,
// a NAME without symbol, a scope without owner, CFG edges without their counterpart.
void unit_verify(Unit *unit);

// ---------------------------------------------------------------- dump.c: text forms that tests diff
void dump_ast(SyntaxTree *tree, Buf *out); // one node a line, indented, KIND start:end and its scalars
void dump_symbols(Unit *unit, Buf *out);
void dump_cfg(Unit *unit, Buf *out, bool dot);
void dump_ir(Unit *unit, Buf *out); // functions with their scopes, blocks and statements

// ---------------------------------------------------------------- print.c: back to text
// The whole file: untouched nodes as their own bytes, new ones in the style around them. The bytes of a replaced
// statement that no kept node covers may hold comments: they are kept, on lines of their own before the statement or
// inside the brackets of a new call where the line break was.
void print_unit(const SyntaxTree *tree, Buf *out);
// One node (new or original) as it would print at its place.

#endif
