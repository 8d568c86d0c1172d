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

// The innermost statement on the line; NULL: none.
static Node *statement_on(const Module *module, uint32_t line) {
    const Source *source = &module->unit->tree->source;
    Node *at = module->unit->tree->module, *found = NULL;
    for (bool more = true; more;) {
        more = false;
        for (ChildIter it = ast_children(at); !more && ast_next(&it);) {
            LineRange lines = lines_of_node(source, it.child);
            if (line < lines.first || line > lines.last)
                continue;
            at = it.child;
            more = true;
            if (node_is_stmt(at))
                found = at;
        }
    }
    return found;
}

// Whether all functions that lie between the lines, at or after `from`, are searched; *some: there are any.
static bool functions_searched(const Module *module, LineRange range, uint32_t from, bool *some) {
    *some = false;
    for (uint32_t i = 0; i < module->functions.len; i++) {
        const FuncInfo *function = vec_at(&module->functions, i);
        const Node *node = function->function->node;
        LineRange lines = lines_of_node(&module->unit->tree->source, node);
        if (node->start < from || lines.last < range.first || lines.first > range.last)
            continue;
        *some = true;
        if (!function->reachable || is_opaque(node))
            return false;
    }
    return true;
}

static bool line_searched(Module *module, uint32_t line) {
    Node *statement = statement_on(module, line);
    bool some;
    return statement && !is_opaque(statement) && node_in_compiled_code(module, statement) &&
           functions_searched(module, (LineRange){line, line}, statement->start, &some);
}

// The line before the next `on`.
static uint32_t region_end(const Suppressions *suppressions, uint32_t index, uint32_t last) {
    for (uint32_t i = index + 1; i < suppressions->list.len; i++)
        if (vec_at(&suppressions->list, i).kind == DIRECTIVE_ON)
            return vec_at(&suppressions->list, i).line;
    return last;
}

void suppress_judge(Suppressions *suppressions, Module *module) {
    uint32_t last = module->unit->tree->source.line_count;
    bool some;
    for (uint32_t i = 0; i < suppressions->list.len; i++) {
        Directive *directive = &vec_at(&suppressions->list, i);
        LineRange range = {1, last};
        if (directive->kind == DIRECTIVE_OFF)
            range = (LineRange){directive->line, region_end(suppressions, i, last)};
        if (directive->kind == DIRECTIVE_OFF || directive->kind == DIRECTIVE_FILE)
            directive->searched = functions_searched(module, range, 0, &some) && some;
        else
            directive->searched = line_searched(module, directive->target);
    }
}
