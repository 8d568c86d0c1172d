// Internal to the printer: print.c (original nodes and their gaps), print_stmt.c (new statements), print_expr.c (new
// expressions as pieces), print_layout.c (pieces to lines), print_source.c (source ranges, re-indented; comments).
//
// A new simple statement, the head of a new compound one, and a new expression inside an original are each laid out from
// a list of pieces: text, original nodes, and places where a line may break.
#ifndef GM_PRINT_H
#define GM_PRINT_H

#include "ir/ir.h"

#include <stdlib.h>

enum { PRINT_WIDTH = 110 }; // a new call without line breaks of its own is broken beyond this column

typedef struct Span {
    uint32_t start, end;
} Span;

// The statements of a suite that share one line.
typedef struct LineGroup {
    Node *const *list;
    uint32_t from, to;
    bool behind_head; // on the line of the suite's head
    bool broken;      // a compound statement came to stand on it: each gets a line of its own
} LineGroup;
typedef struct Printer {
    const SyntaxTree *tree;
    const Source *source;
    Buf *out;
    Arena *arena;             // scratch, freed at the end
    uint8_t *done;            // per comment of the tree: printed, or kept aside
    Str indent;               // of the logical line being printed
    size_t line_start;        // in out: where the first statement of the latest logical line begins,
    Str line_indent;          // and the white space before it
    Str shift_from, shift_to; // original lines are moved from one indentation to the other
    LineGroup group;          // the latest
    size_t out_line;          // in out: where its last line starts, as far as it was looked at,
    size_t out_seen;          // up to here
    VEC(Span) strings;        // strings with line breaks in the node being moved: not to be touched
    Span skip;                // a trailing comment that was printed before its turn
    Span root;                // what the new node being printed replaces
    const Node *node;         // that new node
    uint32_t reached;         // in root: up to where its original parts have been printed
    bool first;               // nothing of root has been printed
    bool last;                // what is being printed ends root
    bool jumped;              // parts of root changed places or are gone: its line breaks are not all printed
} Printer;

// How good a place for a line break is.
typedef enum BreakKind { BREAK_NONE, BREAK_SPACE, BREAK_OPEN, BREAK_COMMA, BREAK_CLOSE } BreakKind;
typedef struct Piece {
    const Node *node; // an original node, or NULL
    Str text;         // text; of a break: what stands there when it is not broken
    BreakKind brk;
    uint32_t depth; // brackets around it
    bool call;      // OPEN and CLOSE of a call: a comma may stand before the end
} Piece;
typedef struct Pieces {
    Printer *printer;
    VEC(Piece) list;
    uint32_t depth;
    uint32_t base; // the depth at its start: brackets of the original around it
} Pieces;

// print_source.c
void print_source(Printer *p, uint32_t from, uint32_t to);
Span print_token_span(Printer *p, const Node *string);  // of a string literal, without parentheses
bool print_loose_newline(Printer *p, const Node *node); // a line break that needs brackets around it
bool print_at_line_start(const Source *source, uint32_t offset);
Str print_out_indent(Printer *p); // leading white space of the current output line
bool print_out_at_line_start(Printer *p);
Str print_deeper(Printer *p, Str indent);                // one unit deeper, of the kind that it has
uint32_t print_first_comment(Printer *p, uint32_t from); // index of the first comment at or after an offset
void print_newline(Printer *p, Str indent);
void print_line_begins(Printer *p); // a statement or clause starts at the end of out
void print_hoist(Printer *p, Span span, size_t at,
                 Str indent); // comments of span not yet printed, on lines before `at`

// print.c
typedef struct Root { // what print_root_end puts back
    Span root;
    const Node *node;
    uint32_t reached;
    bool first, last, jumped;
    size_t line;
    Str line_indent, indent;
} Root;
Root print_root_begin(Printer *p, const Node *node);
void print_root_end(Printer *p, Root outer); // hoists the comments of the replaced text that were not printed
void print_original(Printer *p, const Node *node, Str indent); // moved to a line with this indentation
void print_kept(Printer *p, const Node *node);                 // where it stands

// print_stmt.c
bool print_is_compound(const Node *node); // holds a compound statement somewhere in its sequence
void print_new_statement(Printer *p, const Node *node);
void print_joined(Printer *p, const Node *node); // statements joined by "; "
void print_suite(Printer *p, NodeList list, Str indent);
void print_new_if(Printer *p, const Node *node, bool is_elif);

// print_precedence.c
enum {
    PREC_YIELD,
    PREC_TUPLE,
    PREC_NAMED,
    PREC_LAMBDA,
    PREC_IF,
    PREC_OR,
    PREC_AND,
    PREC_NOT,
    PREC_COMPARE,
    PREC_BIT_OR,
    PREC_BIT_XOR,
    PREC_BIT_AND,
    PREC_SHIFT,
    PREC_SUM,
    PREC_TERM,
    PREC_UNARY,
    PREC_POWER,
    PREC_AWAIT,
    PREC_ATOM
};
int print_precedence(const Node *node);
int print_slot(const Node *parent, const Node *child); // the least precedence that needs no parentheses there
// print_expr.c
void pieces_text(Pieces *list, Str text);
void pieces_cstr(Pieces *list, const char *text);
void pieces_name(Pieces *list, Name name);
void pieces_space(Pieces *list);
void pieces_expr(Pieces *list, const Node *node, int least);
void pieces_comma_list(Pieces *list, NodeList items, int least);
void pieces_params(Pieces *list, const Node *params, bool breaks);

// print_layout.c
void print_boundary(Printer *p, uint32_t to); // from p->reached to a statement on a line of its own
void print_pieces(Printer *p, Pieces *list);  // prints and frees them
bool print_in_brackets(const Node *node);     // original brackets stand around it: line breaks are free

#endif
