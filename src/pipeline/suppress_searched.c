// Which suppression comments can be judged: those about code that this run has searched.
//
// In:  the directives of a module that the detectors have been over. Out: directive->searched. What is in no compiled region of
// this run (another entry, a file alone, a helper that only another file calls) may be in one of the next: a comment there
// is not called unused. One for the file, or for the lines between two comments, can be judged where all functions in
// it were searched.
#include "pipeline/suppress.h"

typedef struct LineRange {
    uint32_t first, last;
} LineRange;

// What stands on one line.
typedef struct LineInfo {
    Node *statement; // the innermost; NULL: none
    uint32_t
        not_searched; // behind the first byte of the last function on the line that was not searched; 0: none
    bool in_function;
    // Of the lines up to this one, how many are in functions, and in functions not searched.
    uint32_t function_lines, not_searched_lines;
} LineInfo;

typedef struct LineMap {
    const Source *source;
    LineInfo *lines; // from 1; lines[0] is empty
    uint32_t filled; // of how many lines the statement is known
} LineMap;

static LineRange lines_of_node(const Source *source, const Node *node) {
    uint32_t last = node->end > node->start ? node->end - 1 : node->start;
    return (LineRange){source_place(source, node->start).line, source_place(source, last).line};
}

static bool is_opaque(const Node *node) {
    for (; node && node->kind != NODE_MODULE; node = node->parent)
        if (node->flags & NODE_OPAQUE)
            return true;
    return false;
}

// ---------------------------------------------------------------- the lines

static void fill_to(LineMap *map, uint32_t line, Node *statement) {
    while (map->filled < line)
        map->lines[++map->filled].statement = statement;
}

// The lines up to the node's last; around: the statement that it stands in. Of two on one line the first counts.
static void fill_statements(LineMap *map, Node *node, Node *around) {
    LineRange range = lines_of_node(map->source, node);
    fill_to(map, range.first - 1, around);
    Node *statement = node_is_stmt(node) ? node : around;
    if (!node_is_expr(node))
        for (ChildIter it = ast_children(node); ast_next(&it);)
            fill_statements(map, it.child, statement);
    fill_to(map, range.last, statement);
}

static void mark_function(LineMap *map, const FuncInfo *function) {
    const Node *node = function->function->node;
    LineRange range = lines_of_node(map->source, node);
    bool searched = function->reachable && !is_opaque(node);
    for (uint32_t line = range.first; line <= range.last; line++) {
        LineInfo *info = &map->lines[line];
        info->in_function = true;
        if (!searched && node->start >= info->not_searched)
            info->not_searched = node->start + 1;
    }
}

static LineMap read_lines(const Module *module) {
    const SyntaxTree *tree = module->unit->tree;
    uint32_t count = tree->source.line_count;
    LineMap map = {.source = &tree->source, .lines = heap_alloc((size_t)count + 1, sizeof(LineInfo))};
    fill_statements(&map, tree->module, NULL);
    for (uint32_t i = 0; i < module->functions.len; i++)
        mark_function(&map, vec_at(&module->functions, i));
    for (uint32_t line = 1; line <= count; line++) {
        LineInfo *info = &map.lines[line];
        info->function_lines = info[-1].function_lines + info->in_function;
        info->not_searched_lines = info[-1].not_searched_lines + (info->not_searched > 0);
    }
    return map;
}

// ---------------------------------------------------------------- the directives

static bool line_searched(Module *module, const LineInfo *line) {
    Node *statement = line->statement;
    return statement && line->not_searched <= statement->start && !is_opaque(statement) &&
           node_in_compiled_code(module, statement);
}

static bool range_searched(const LineMap *map, LineRange range) {
    const LineInfo *before = &map->lines[range.first - 1], *last = &map->lines[range.last];
    return last->function_lines > before->function_lines &&
           last->not_searched_lines == before->not_searched_lines;
}

void suppress_judge(Suppressions *suppressions, Module *module) {
    LineMap map = read_lines(module);
    uint32_t last = map.source->line_count, region_end = last;
    for (uint32_t i = suppressions->list.len; i-- > 0;) {
        Directive *directive = &vec_at(&suppressions->list, i);
        if (directive->kind == DIRECTIVE_ON)
            region_end = directive->line;
        if (directive->kind == DIRECTIVE_OFF)
            directive->searched = range_searched(&map, (LineRange){directive->line, region_end});
        else if (directive->kind == DIRECTIVE_FILE)
            directive->searched = range_searched(&map, (LineRange){1, last});
        else
            directive->searched = line_searched(module, &map.lines[directive->target]);
    }
    free(map.lines);
}
