// The abstract syntax tree: Python's own `ast` node names where they exist, with byte spans.
//
// Lossless by construction: nodes do not hold text, they hold spans into Source. A node that no pass touched prints as
// its own bytes; the bytes between two children of a touched node (operators, commas, comments, line ends) print as they
// are too. Parentheses around an expression belong to its span (flag NODE_PARENS).
//
// A pass never edits a node in place: it builds a new one (ast_new, flag NODE_NEW) which may hold original nodes as
// children, and puts it in the place of an old one with ast_replace. One statement becomes several through a STMT_SEQ.
#ifndef GM_AST_H
#define GM_AST_H

#include "syntax/source.h"

typedef struct Node Node;
typedef struct Symbol Symbol; // src/ir

typedef struct NodeList {
    Node **items;
    uint32_t len;
} NodeList;

typedef enum Op {
    OP_NONE,
    // binary and augmented
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_MATMUL,
    OP_DIV,
    OP_FLOORDIV,
    OP_MOD,
    OP_POW,
    OP_LSHIFT,
    OP_RSHIFT,
    OP_AND,
    OP_OR,
    OP_XOR,
    // unary
    OP_NOT,
    OP_INVERT,
    OP_UPLUS,
    OP_UMINUS,
    // comparison
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_IS,
    OP_IS_NOT,
    OP_IN,
    OP_NOT_IN,
    // boolean
    OP_BOOL_AND,
    OP_BOOL_OR,
} Op;
const char *op_text(Op op); // "+", "is not", "and", ...

typedef enum ConstKind {
    CONST_INT,
    CONST_FLOAT,
    CONST_IMAG,
    CONST_STR,
    CONST_BYTES,
    CONST_TRUE,
    CONST_FALSE,
    CONST_NONE,
    CONST_ELLIPSIS
} ConstKind;

typedef enum ParamKind {
    PARAM_POSITIONAL_ONLY, // before a bare /
    PARAM_NORMAL,
    PARAM_VARARGS,      // *args
    PARAM_KEYWORD_ONLY, // after * or *args
    PARAM_KWARGS,       // **kwargs
} ParamKind;

// One line per kind: X(KIND, union member, FIELDS), FIELDS in source order: ONE(f) an optional Node*, MANY(f) a NodeList.
// The member is given for every kind; kinds that share a member share its layout. type_params are PARAMs: annotation the
// bound, PARAM_VARARGS for *Ts, PARAM_KWARGS for **P. PARAMS is there (empty) for a lambda or def without parameters too.
// clang-format off
#define AST_KINDS(X)                                                                                                       \
    X(MODULE, module, MANY(body))                                                                                          \
    /* statements */                                                                                                       \
    X(FUNCTION_DEF, function, MANY(decorators) MANY(type_params) ONE(params) ONE(returns) MANY(body)) /* def, async def */ \
    X(CLASS_DEF, cls, MANY(decorators) MANY(type_params) MANY(args) MANY(body)) /* args: bases, Keyword, Starred */        \
    X(RETURN, value, ONE(value))                                                                                           \
    X(DELETE, items, MANY(items))                                                                                          \
    X(ASSIGN, assign, MANY(targets) ONE(value))              /* a = b = value: two targets */                              \
    X(AUG_ASSIGN, aug, ONE(target) ONE(value))                                                                             \
    X(ANN_ASSIGN, ann, ONE(target) ONE(annotation) ONE(value))                                                             \
    X(TYPE_ALIAS, ann, ONE(target) ONE(annotation) ONE(value)) /* type target[annotation] = value; annotation: PARAMS */   \
    X(FOR, loop, ONE(target) ONE(iter) MANY(body) MANY(orelse))                                                            \
    X(WHILE, branch, ONE(test) MANY(body) MANY(orelse))                                                                    \
    X(IF, branch, ONE(test) MANY(body) MANY(orelse))         /* elif: orelse is one IF with NODE_ELIF */                   \
    X(WITH, with, MANY(items) MANY(body))                    /* items: WITH_ITEM */                                        \
    X(MATCH, match, ONE(subject) MANY(cases))                                                                              \
    X(RAISE, raise, ONE(exc) ONE(cause))                                                                                   \
    X(TRY, try_, MANY(body) MANY(handlers) MANY(orelse) MANY(finalbody))                                                   \
    X(ASSERT, assert_, ONE(test) ONE(msg))                                                                                 \
    X(IMPORT, items, MANY(items))                            /* items: ALIAS */                                            \
    X(IMPORT_FROM, from, MANY(items))                        /* items: ALIAS, or STAR_IMPORT */                            \
    X(GLOBAL, items, MANY(items))                            /* items: NAME */                                             \
    X(NONLOCAL, items, MANY(items))                                                                                        \
    X(EXPR_STMT, value, ONE(value))                                                                                        \
    X(PASS, none, )                                                                                                        \
    X(BREAK, none, )                                                                                                       \
    X(CONTINUE, none, )                                                                                                    \
    X(STMT_SEQ, items, MANY(items))                          /* new only: several statements in one's place */            \
    X(STMT_ERROR, none, )                                    /* what the grammar could not read; opaque */                 \
    /* parts of statements */                                                                                              \
    X(WITH_ITEM, with_item, ONE(context) ONE(target))                                                                      \
    X(EXCEPT_HANDLER, handler, ONE(type) MANY(body))                                                                       \
    X(MATCH_CASE, match_case, ONE(pattern) ONE(guard) MANY(body))                                                          \
    X(PATTERN, pattern, MANY(items))                         /* any pattern; items: sub-patterns, NAMEs bound, values */   \
    X(ALIAS, alias, )                                                                                                      \
    X(STAR_IMPORT, none, )                                                                                                 \
    X(PARAMS, items, MANY(items))                            /* items: PARAM in source order */                            \
    X(PARAM, param, ONE(annotation) ONE(default_value))                                                                    \
    /* expressions */                                                                                                      \
    X(NAME, name, )                                                                                                        \
    X(CONSTANT, constant, )                                                                                                \
    X(STR_CONCAT, items, MANY(items))                        /* "a" f"b": adjacent literals */                             \
    X(FSTRING, items, MANY(items))                           /* f"..."; items: FORMATTED_VALUE, in order */                \
    X(FORMATTED_VALUE, formatted, ONE(value) MANY(spec))     /* {value!r:spec}; spec: nested FORMATTED_VALUEs */           \
    X(ATTRIBUTE, attribute, ONE(value))                                                                                    \
    X(SUBSCRIPT, subscript, ONE(value) ONE(index))           /* index: expr, SLICE, or TUPLE without parens */             \
    X(SLICE, slice, ONE(lower) ONE(upper) ONE(step))                                                                       \
    X(CALL, call, ONE(func) MANY(args))                      /* args in source order: expr, STARRED, KEYWORD */            \
    X(KEYWORD, keyword, ONE(value))                          /* name=value; name 0: **value */                             \
    X(STARRED, value, ONE(value))                                                                                          \
    X(BIN_OP, binary, ONE(left) ONE(right))                                                                                \
    X(BOOL_OP, binary, ONE(left) ONE(right))                 /* a and b: always two operands, left-nested */               \
    X(UNARY_OP, unary, ONE(operand))                                                                                       \
    X(COMPARE, compare, ONE(left) MANY(comparators))         /* ops[i] stands before comparators[i] */                     \
    X(IF_EXP, if_exp, ONE(body) ONE(test) ONE(orelse))       /* body if test else orelse */                                \
    X(LAMBDA, lambda, ONE(params) ONE(body))                                                                               \
    X(TUPLE, items, MANY(items))                                                                                           \
    X(LIST, items, MANY(items))                                                                                            \
    X(SET, items, MANY(items))                                                                                             \
    X(DICT, items, MANY(items))                              /* items: DICT_ITEM */                                        \
    X(DICT_ITEM, dict_item, ONE(key) ONE(value))             /* no key: **value */                                         \
    X(LIST_COMP, comp, ONE(element) ONE(value) MANY(clauses))                                                              \
    X(SET_COMP, comp, ONE(element) ONE(value) MANY(clauses))                                                               \
    X(DICT_COMP, comp, ONE(element) ONE(value) MANY(clauses)) /* {element: value for ...} */                               \
    X(GENERATOR_EXP, comp, ONE(element) ONE(value) MANY(clauses))                                                          \
    X(COMPREHENSION, comprehension, ONE(target) ONE(iter) MANY(ifs))                                                       \
    X(AWAIT, value, ONE(value))                                                                                            \
    X(YIELD, value, ONE(value))                                                                                            \
    X(YIELD_FROM, value, ONE(value))                                                                                       \
    X(NAMED_EXPR, named, ONE(target) ONE(value))             /* target := value */                                         \
    X(EXPR_ERROR, none, )                                    /* what the grammar could not read */                        \
    X(TEXT, text, )                                          /* new only: code given as text, an expression or statement */
// clang-format on

typedef enum NodeKind {
#define X(kind, member, fields) NODE_##kind,
    AST_KINDS(X)
#undef X
        NODE_KIND_COUNT
} NodeKind;

enum {
    NODE_PARENS = 1 << 0, // the span includes parentheses (a TUPLE's own parentheses count too)
    NODE_NEW = 1 << 1,    // made by a pass; the span is that of the node whose place it took, or empty
    NODE_DIRTY = 1 << 2,  // a descendant was replaced
    NODE_ELIF = 1 << 3,   // an IF spelled elif
    NODE_ASYNC = 1 << 4,  // async def, async for, async with, async comprehension clause
    NODE_OPAQUE =
        1 << 5, // a def or class (or the module's statement) that contains a syntax error: leave it alone
    NODE_STORE =
        1
        << 6, // a NAME, ATTRIBUTE, SUBSCRIPT, TUPLE, LIST, STARRED in target position (assign, for, with ...)
    NODE_DEL = 1 << 7,         // the same in a del statement
    NODE_EXCEPT_STAR = 1 << 8, // except* handler
};

// clang-format off: one line a member
struct Node {
    uint16_t kind;       // NodeKind
    uint16_t flags;
    uint32_t start, end; // byte span in the module's Source; statements: from first token to last token, no newline
    Node *parent;
    union {
        struct { NodeList body; } module;
        struct { NodeList decorators, type_params, body; Node *params, *returns; Name name; uint32_t def_start; } function; // def_start: offset of `async`/`def`
        struct { NodeList decorators, type_params, args, body; Name name; uint32_t def_start; } cls;
        struct { Node *value; } value;
        struct { NodeList items; } items;
        struct { NodeList targets; Node *value; } assign;
        struct { Node *target, *value; Op op; } aug;
        struct { Node *target, *annotation, *value; } ann;
        struct { Node *target, *iter; NodeList body, orelse; } loop;
        struct { Node *test; NodeList body, orelse; } branch;
        struct { NodeList items, body; } with;
        struct { Node *subject; NodeList cases; } match;
        struct { Node *exc, *cause; } raise;
        struct { NodeList body, handlers, orelse, finalbody; } try_;
        struct { Node *test, *msg; } assert_;
        struct { NodeList items; Name module; uint32_t level; } from; // module: dotted, 0 when only dots; level: dots
        struct { Node *context, *target; } with_item;
        struct { Node *type; NodeList body; Name name; uint32_t name_start; } handler; // except type as name
        struct { Node *pattern, *guard; NodeList body; } match_case;
        struct { NodeList items; } pattern;
        struct { Name name, as; } alias;      // name dotted; as 0 when absent
        struct { Node *annotation, *default_value; Name name; uint32_t name_start; ParamKind kind; } param;
        struct { Name name; Symbol *symbol; } name; // symbol: filled by scope_resolve
        struct { ConstKind kind; } constant;
        struct { Node *value; NodeList spec; char conversion; bool debug; } formatted; // conversion: 'r','s','a' or 0; debug: {x=}
        struct { Node *value; Name attr; } attribute;
        struct { Node *value, *index; } subscript;
        struct { Node *lower, *upper, *step; } slice;
        struct { Node *func; NodeList args; } call;
        struct { Node *value; Name name; } keyword;
        struct { Node *left, *right; Op op; } binary;
        struct { Node *operand; Op op; } unary;
        struct { Node *left; NodeList comparators; Op *ops; } compare;
        struct { Node *body, *test, *orelse; } if_exp;
        struct { Node *params, *body; } lambda;
        struct { Node *key, *value; } dict_item;
        struct { Node *element, *value; NodeList clauses; } comp;
        struct { Node *target, *iter; NodeList ifs; } comprehension;
        struct { Node *target, *value; } named;
        struct { Str text; } text;
        struct { char unused; } none;
    } u;
};
// clang-format on

// One parsed file.
typedef struct Comment {
    uint32_t start, end;
} Comment;
typedef struct SyntaxTree {
    Source source;
    Arena *arena;
    Node *module;
    Comment *comments; // in source order
    uint32_t comment_count;
    bool has_errors; // some node is NODE_OPAQUE / STMT_ERROR
} SyntaxTree;

// Parses source. Never fails for bad Python: what the grammar cannot read is marked. Adds one diagnostic (a warning with
// file:line:col) per ERROR or MISSING node. parser.c
SyntaxTree *syntax_parse(Arena *arena, Source source, DiagList *diags);
// How many ERROR or MISSING nodes the grammar finds in bytes: for the check before a write.
uint32_t syntax_error_count(Str bytes);

// No tree has as many levels: AST_MAX_DEPTH (lower.h) holds the nesting of the text, to each level of which belong one or two
// nodes, and what a pass builds adds few. A walk that comes here all the same answers as if what lies below were anything.
enum { NODE_DEPTH_MAX = 4000 };

// ast.c: generic access. Fields come in source order, so do children.
const char *node_kind_name(NodeKind kind);
// The slots that hold children: *slot may be overwritten. Returns false when done. Usage:
//   for (ChildIter it = ast_children(node); ast_next(&it);) use(it.child);
typedef struct ChildIter {
    Node *node;
    uint32_t field, index;
    Node *child, **slot;
} ChildIter;
ChildIter ast_children(Node *node);
bool ast_next(ChildIter *it);

bool node_is_stmt(const Node *node);
bool node_is_expr(const Node *node);
static inline bool node_is(const Node *node, NodeKind kind) {
    return node && node->kind == (uint16_t)kind;
}
Str node_text(const SyntaxTree *tree, const Node *node); // its original bytes; not for NODE_NEW nodes
Node *node_enclosing(const Node *node, NodeKind kind);   // nearest ancestor of that kind, or NULL
Node *node_function(const Node *node); // nearest enclosing FUNCTION_DEF or LAMBDA, not the node itself
Node *node_statement(Node *node);      // the node itself or the nearest ancestor that is a statement
// Of nodes in source order the number of the first that starts at the place or behind it; `len` if none does.
uint32_t nodes_from(Node *const *nodes, uint32_t len, uint32_t place);
// The suite that holds the statement, and where in it. False: it has been replaced.
bool node_in_suite(const Node *statement, NodeList *suite, uint32_t *at);
bool node_contains(const Node *outer, const Node *inner); // by parent links; true for the same node
// The value of a CONST_STR / STR_CONCAT of plain strings, escapes decoded; false for f-strings and bytes.
bool node_string_value(const SyntaxTree *tree, const Node *node, Arena *arena, Str *value);
// "a.b.c" for NAME / ATTRIBUTE chains as one interned name, 0 for anything else.
Name node_dotted(const Node *node);

// Building and replacing. A node is as large as its kind's member: it can become another kind only if that one's is no
// larger, and `Node copy = *node` reads too far.
Node *ast_node(Arena *arena, NodeKind kind); // zeroed; for the lowering
void ast_copy(const Node *node, Node *into);
Node *ast_new(Arena *arena, NodeKind kind); // NODE_NEW, zeroed
NodeList ast_list(Arena *arena, uint32_t len, Node *const *items);
Node *ast_name(Arena *arena, Str name);
Node *ast_text(Arena *arena, Str text); // a TEXT node
Node *ast_attribute(Arena *arena, Node *value, Str attr);
Node *ast_call(Arena *arena, Node *func, uint32_t len, Node *const *args);
Node *ast_keyword(Arena *arena, Str name, Node *value);
Node *ast_expr_stmt(Arena *arena, Node *value);
// Puts `fresh` into the slot that holds `old`, gives it old's span and parent, marks the ancestors dirty. Original nodes
// may be moved below fresh before or after; their `parent` is set by this call for the whole new part. fresh itself must be
// new: to put an original statement in another's place, wrap it in a STMT_SEQ.
void ast_replace(Node *old, Node *fresh);
// The same for the statements first..last of one suite: fresh takes the span of all of them; it may hold them.
void ast_replace_run(Node *first, Node *last, Node *fresh);

#endif
