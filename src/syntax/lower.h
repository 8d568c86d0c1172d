// Internal to src/syntax: what parser.c and lower_*.c share. The only header that includes tree_sitter/api.h.
//
// The lowering is one walk over the concrete tree with one cursor. A lower_* function is called with the cursor at the
// node it lowers and leaves it there. Each concrete node is entered at most once, in source order, so comments are
// collected on the way.
#ifndef GM_LOWER_H
#define GM_LOWER_H

#include "syntax/ast.h"
#include "tree_sitter/api.h"

// Nested nodes the AST may have. Far beyond what CPython compiles (its parser gives up at 6000 C frames, its compiler at
// 100 blocks); keeps every recursive walk in the program within a thread's stack (base/pool.c).
enum { AST_MAX_DEPTH = 1000 };

// The grammar's symbols we tell apart. N: a named node, T: a token.
// clang-format off: a table
#define CST_SYMBOLS(N, T) \
    N(module) N(comment) N(line_continuation) N(block) N(decorated_definition) N(decorator) \
    N(import_statement) N(future_import_statement) N(import_from_statement) N(import_prefix) N(relative_import) \
    N(aliased_import) N(wildcard_import) N(dotted_name) N(print_statement) N(assert_statement) \
    N(expression_statement) N(return_statement) N(delete_statement) N(raise_statement) N(pass_statement) \
    N(break_statement) N(continue_statement) N(global_statement) N(nonlocal_statement) N(exec_statement) \
    N(type_alias_statement) N(if_statement) N(elif_clause) N(else_clause) N(for_statement) N(while_statement) \
    N(try_statement) N(except_clause) N(except_group_clause) N(finally_clause) N(with_statement) N(with_clause) \
    N(with_item) N(function_definition) N(class_definition) N(match_statement) N(case_clause) \
    N(parameters) N(lambda_parameters) N(typed_parameter) N(default_parameter) N(typed_default_parameter) \
    N(keyword_separator) N(positional_separator) N(type_parameter) \
    N(type) N(splat_type) N(generic_type) N(union_type) N(constrained_type) N(member_type) \
    N(case_pattern) N(as_pattern) N(as_pattern_target) N(keyword_pattern) N(class_pattern) N(splat_pattern) \
    N(union_pattern) N(list_pattern) N(tuple_pattern) N(dict_pattern) N(complex_pattern) N(pattern_list) \
    N(expression_list) N(assignment) N(augmented_assignment) N(identifier) N(true) N(false) N(none) N(ellipsis) \
    N(integer) N(float) N(string) N(concatenated_string) N(string_start) N(string_end) N(interpolation) \
    N(format_specifier) N(format_expression) N(type_conversion) N(parenthesized_expression) N(tuple) N(list) N(set) \
    N(dictionary) N(pair) N(dictionary_splat) N(list_splat) N(list_splat_pattern) N(dictionary_splat_pattern) \
    N(list_comprehension) N(set_comprehension) N(dictionary_comprehension) N(generator_expression) \
    N(for_in_clause) N(if_clause) N(binary_operator) N(boolean_operator) N(unary_operator) N(not_operator) \
    N(comparison_operator) N(conditional_expression) N(lambda) N(named_expression) N(attribute) N(subscript) N(slice) \
    N(call) N(argument_list) N(keyword_argument) N(await) N(yield) \
    T(PLUS, "+") T(MINUS, "-") T(STAR, "*") T(SLASH, "/") T(DOUBLE_SLASH, "//") T(PERCENT, "%") T(AT, "@") \
    T(POWER, "**") T(LSHIFT, "<<") T(RSHIFT, ">>") T(AMP, "&") T(PIPE, "|") T(CARET, "^") T(TILDE, "~") \
    T(AND, "and") T(OR, "or") T(NOT, "not") T(LT, "<") T(LE, "<=") T(EQ, "==") T(NE, "!=") T(GE, ">=") T(GT, ">") \
    T(LTGT, "<>") T(IN, "in") T(NOT_IN, "not in") T(IS, "is") T(IS_NOT, "is not") \
    T(PLUS_EQ, "+=") T(MINUS_EQ, "-=") T(STAR_EQ, "*=") T(SLASH_EQ, "/=") T(AT_EQ, "@=") T(DOUBLE_SLASH_EQ, "//=") \
    T(PERCENT_EQ, "%=") T(POWER_EQ, "**=") T(RSHIFT_EQ, ">>=") T(LSHIFT_EQ, "<<=") T(AMP_EQ, "&=") T(CARET_EQ, "^=") \
    T(PIPE_EQ, "|=") T(ASSIGN, "=") T(COMMA, ",") T(COLON, ":") T(LPAREN, "(") T(FROM, "from") T(ASYNC, "async") \
    T(DEF, "def") T(CLASS, "class") T(UNDERSCORE, "_") T(AS, "as") T(IMPORT, "import") T(LAMBDA, "lambda")
// clang-format on

typedef enum Cst {
    CST_OTHER,
    CST_ERROR,
#define N(name) CST_##name,
#define T(name, text) TOK_##name,
    CST_SYMBOLS(N, T)
#undef N
#undef T
        CST_COUNT
} Cst;

typedef VEC(Comment) CommentList;

typedef struct Lower {
    SyntaxTree *tree;
    Arena *arena;
    DiagList *diags;
    const char *bytes;
    TSTreeCursor cursor;
    VEC(Node *) stack; // scratch for lists being collected
    CommentList comments;
    uint32_t depth;
    uint32_t quotes[2]; // strings seen with " and '
    bool careful;       // the concrete tree has errors somewhere: look for them
    bool broken;        // an error was met since the enclosing def, class or statement began
    bool too_deep;      // AST_MAX_DEPTH was hit since the enclosing simple statement began
    bool has_indent_unit;
} Lower;

// The node at the cursor.
typedef struct Cur {
    TSNode node;
    uint16_t cst;
    uint32_t start, end;
} Cur;

// parser.c
Cur cur_here(Lower *l);
// Iterates over the children, comments recorded and skipped, line joins
// skipped, errors reported and skipped:
//   for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) ...
// Must run to its end: that is what brings the cursor back to the parent.
bool cur_first(Lower *l, Cur *c);
bool cur_next(Lower *l, Cur *c);
bool cur_first_stmt(Lower *l, Cur *c); // the same over a suite: an ERROR among its statements is offered
bool cur_next_stmt(Lower *l, Cur *c);
bool cur_has_error(Lower *l, const Cur *c);                 // always false when the tree has none
void cur_skip(Lower *l, const Cur *c);                      // walks the node for its comments and errors only
void lower_report(Lower *l, uint32_t at, const char *what); // one warning; sets broken
bool lower_deeper(Lower *l, const Cur *c); // depth++; false, reported and undone, beyond AST_MAX_DEPTH

// comments.c
CommentList comments_in_runs(Str text);                       // lines end with \n; freed by the caller
void comments_blank(const CommentList *comments, char *text); // puts spaces in their place
bool comments_in_token(const CommentList *comments,
                       TSNode root); // some are no comments: the tree has a token there

// lines.c
void lower_lines(Lower *l); // after the module: what CPython's tokenizer refuses; the cursor is at the root

// Node of `kind` with the cursor node's span.
Node *lower_node(Lower *l, NodeKind kind, uint32_t start, uint32_t end);
NodeList lower_take(Lower *l, uint32_t base); // what was pushed on l->stack above base
Name lower_name(Lower *l, uint32_t start, uint32_t end);

// lower_expr.c, lower_display.c, lower_string.c, lower_type.c
Node *lower_expr(Lower *l, const Cur *c);
Node *lower_display(Lower *l, const Cur *c); // tuple, list, set, dict, parentheses, comprehensions
Node *lower_call(Lower *l, const Cur *c);
Node *lower_subscript(Lower *l, const Cur *c);
Node *lower_string(Lower *l, const Cur *c);
Node *lower_string_concat(Lower *l, const Cur *c);
Node *lower_type(Lower *l, const Cur *c);     // what the grammar knows only in annotations
Node *lower_sequence(Lower *l, const Cur *c); // a, b without parentheses
NodeList lower_args(Lower *l);                // the cursor is at an argument_list
Node *lower_index(Lower *l, NodeList items,
                  uint32_t comma);            // a subscript's items; comma: end of the last comma, or 0
void lower_mark(Node *target, uint16_t flag); // NODE_STORE or NODE_DEL on a target and its parts
// lower_params.c
Node *lower_params(Lower *l, const Cur *c);
NodeList lower_type_params(Lower *l); // the cursor is at a type_parameter
// lower_pattern.c
Node *lower_pattern(Lower *l, const Cur *c);
Node *lower_case_pattern(Lower *l, const Cur *c);
// lower_stmt.c, lower_block.c, lower_def.c, lower_import.c
NodeList lower_suite(Lower *l);           // the cursor is at a block or module
Node *lower_stmt(Lower *l, const Cur *c); // NULL for a token
Node *lower_compound(Lower *l, const Cur *c);
Node *lower_def(Lower *l, const Cur *c);
Node *lower_import(Lower *l, const Cur *c);
static inline uint32_t lower_end(NodeList list, uint32_t otherwise) {
    return list.len ? list.items[list.len - 1]->end : otherwise;
}

#endif
