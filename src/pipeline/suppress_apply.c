// Which findings the suppression comments hold back.
//
// In:  the directives of a module, its findings. Out: the findings without those held back; the codes that held one back are
// marked as used. Directives are looked up by their line, and for each line and rule judged once.
#include "pipeline/suppress.h"

#include <ctype.h>

typedef struct Head { // lines of a statement, less its suites
    const Node *statement;
    uint32_t first, last;
    uint32_t raise_last; // of a guard that does nothing but raise: where its raise ends; 0: no such guard
} Head;

typedef struct Switch { // an `off` that a rule's findings heed, or an `on`: no code
    uint32_t line;
    DirectiveCode *code;
} Switch;

typedef struct RuleUse { // what holds back a rule's findings on more than one line
    bool known, in_file;
    VEC(Switch) switches; // in source order
} RuleUse;

typedef struct Applier {
    Suppressions *suppressions;
    const Source *source;
    VEC(Directive *) by_target; // those about one line, by it
    RuleUse *rules;             // one for each rule
    Map judged;                 // line, rule and alone or not -> whether a directive there holds it back
    Head head;                  // the last one asked for
} Applier;

// ---------------------------------------------------------------- lines

static uint32_t head_end(const Node *statement) {
    uint32_t end = statement->end;
    for (ChildIter it = ast_children((Node *)(uintptr_t)statement); ast_next(&it);)
        if (node_is_stmt(it.child) && !(it.child->flags & NODE_NEW) && it.child->start < end)
            end = it.child->start;
    return end;
}

static uint32_t raise_end(const Node *statement) {
    if (statement->kind != NODE_IF || statement->u.branch.body.len != 1 || statement->u.branch.orelse.len)
        return 0;
    const Node *only = statement->u.branch.body.items[0];
    return only->kind == NODE_RAISE ? only->end : 0;
}

static Head head_of(const Source *source, const Node *statement) {
    Head head = {.statement = statement, .first = source_place(source, statement->start).line};
    uint32_t raise = raise_end(statement);
    head.raise_last = raise ? source_place(source, raise - 1).line : 0;
    uint32_t end = head_end(statement);
    while (end > statement->start && isspace((unsigned char)source->bytes.ptr[end - 1]))
        end--;
    head.last = source_place(source, end > statement->start ? end - 1 : statement->start).line;
    if (end < statement->end)
        while (head.last > head.first && !is_code_line(source, head.last))
            head.last--; // comments between the head and its suite are not the head's
    return head;
}

// ---------------------------------------------------------------- what a directive holds back

static DirectiveCode *code_for(Directive *directive, const Rule *rule) {
    for (uint32_t i = 0; i < directive->codes.len; i++) {
        DirectiveCode *code = &directive->codes.items[i];
        if (!code->unknown && !code->foreign && (code->text.len == 0 || code_fits(code->text, rule)))
            return code;
    }
    return NULL;
}

static const RuleUse *rule_use(Applier *applier, const Rule *rule) {
    RuleUse *use = &applier->rules[rule - rule_at(0)];
    for (uint32_t i = 0; !use->known && i < applier->suppressions->list.len; i++) {
        Directive *directive = &applier->suppressions->list.items[i];
        bool on = directive->kind == DIRECTIVE_ON;
        if (directive->kind != DIRECTIVE_FILE && directive->kind != DIRECTIVE_OFF && !on)
            continue;
        DirectiveCode *code = code_for(directive, rule);
        if (code && directive->kind == DIRECTIVE_FILE)
            code->used = use->in_file = true;
        else if (code)
            vec_push(&use->switches, ((Switch){directive->line, on ? NULL : code}));
    }
    use->known = true;
    return use;
}

// The last of them at the line or before it counts.
static DirectiveCode *code_that_is_off(const RuleUse *use, uint32_t line) {
    uint32_t low = 0, high = use->switches.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (use->switches.items[middle].line <= line)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? use->switches.items[low - 1].code : NULL;
}

// The first directive about the line or one behind it.
static uint32_t from_line(const Applier *applier, uint32_t line) {
    uint32_t low = 0, high = applier->by_target.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (applier->by_target.items[middle]->target < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Every directive that fits is used, not the first alone: whether the others are needed would depend on their order.
static bool judge_line(Applier *applier, uint32_t line, bool alone, const Rule *rule) {
    bool held = false;
    for (uint32_t i = from_line(applier, line);
         i < applier->by_target.len && applier->by_target.items[i]->target == line; i++) {
        Directive *directive = applier->by_target.items[i];
        DirectiveCode *code = directive->alone == alone ? code_for(directive, rule) : NULL;
        if (code)
            code->used = held = true;
    }
    return held;
}

static bool holds_on_line(Applier *applier, uint32_t line, bool alone, const Rule *rule) {
    uint64_t key = map_key_pair(line, (uint32_t)(rule - rule_at(0)) * 2 + alone);
    uintptr_t held;
    if (!map_get(&applier->judged, key, &held)) {
        held = judge_line(applier, line, alone, rule);
        map_put(&applier->judged, key, held);
    }
    return held;
}

static bool holds_on_lines(Applier *applier, uint32_t first, uint32_t last, const Rule *rule) {
    bool held = false;
    uint32_t at;
    while ((at = from_line(applier, first)) < applier->by_target.len &&
           applier->by_target.items[at]->target <= last) {
        uint32_t line = applier->by_target.items[at]->target;
        held |= holds_on_line(applier, line, false, rule);
        first = line + 1;
    }
    return held;
}

static bool holds_back(Applier *applier, const Finding *finding) {
    const Rule *rule = finding->rule;
    uint32_t end = finding->end > finding->start ? finding->end - 1 : finding->start;
    uint32_t first = source_place(applier->source, finding->start).line;
    uint32_t last = source_place(applier->source, end).line;
    const Node *statement = finding->node ? node_statement(finding->node) : NULL;
    if (statement && statement != applier->head.statement)
        applier->head = head_of(applier->source, statement);
    Head head = statement ? applier->head : (Head){NULL, first, last, 0};
    const RuleUse *use = rule_use(applier, rule);
    DirectiveCode *off = code_that_is_off(use, first);
    if (off)
        off->used = true;
    bool held = use->in_file || off;
    held |= holds_on_line(applier, first, true, rule);
    held |= holds_on_line(applier, head.first, true, rule);
    held |= holds_on_lines(applier, first, last, rule);
    held |= holds_on_line(applier, head.first, false, rule);
    held |= holds_on_line(applier, head.last, false, rule);
    held |= holds_on_line(applier, head.raise_last, false, rule);
    return held;
}

// ---------------------------------------------------------------- over all findings

static int by_target(const void *a, const void *b) {
    const Directive *first = *(Directive *const *)a, *second = *(Directive *const *)b;
    return first->target < second->target ? -1 : first->target > second->target;
}

static Applier start(Suppressions *suppressions, const Source *source) {
    Applier applier = {.suppressions = suppressions, .source = source};
    applier.rules = heap_alloc(rule_count(), sizeof *applier.rules);
    for (uint32_t i = 0; i < suppressions->list.len; i++) {
        Directive *directive = &suppressions->list.items[i];
        if (directive->kind == DIRECTIVE_IGNORE || directive->kind == DIRECTIVE_NOQA)
            vec_push(&applier.by_target, directive);
    }
    if (applier.by_target.len)
        qsort(applier.by_target.items, applier.by_target.len, sizeof(Directive *), by_target);
    return applier;
}

static void finish(Applier *applier) {
    for (uint32_t i = 0; i < rule_count(); i++)
        vec_free(&applier->rules[i].switches);
    free(applier->rules);
    vec_free(&applier->by_target);
    map_free(&applier->judged);
}

void suppress_apply(Suppressions *suppressions, const Source *source, FindingList *findings,
                    FindingList *held) {
    Applier applier = start(suppressions, source);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->len; i++) {
        Finding finding = findings->items[i];
        if (holds_back(&applier, &finding))
            vec_push(held, finding);
        else
            findings->items[kept++] = finding;
    }
    findings->len = kept;
    finish(&applier);
}
