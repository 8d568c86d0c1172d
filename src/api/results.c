// What the pipeline found, in the shapes of include/graphmend/graphmend.h.
//
// In:  a session whose pipeline has run. Out: its files, findings and what edits.c, observe.c and cache.c ask of them; after
// this nobody looks at the syntax trees.
#include "api/session.h"

static gm_range range_of(const Source *source, uint32_t start, uint32_t end) {
    Place first = source_place(source, start), last = source_place(source, end);
    return (gm_range){{first.line, first.column, start}, {last.line, last.column, end}};
}

static void add_reason(gm_session *session, const Finding *finding, gm_finding *out) {
    if (finding->status != STATUS_LEFT || !finding->reason)
        return;
    out->reason = name_str(finding->reason->id).ptr;
    out->reason_text = session_text(session, finding->reason->summary);
    const Module *module = finding->reason_module ? finding->reason_module : finding->module;
    if (!finding->reason_at || !module->unit)
        return;
    out->reason_path = session_text(session, module->path);
    out->reason_range =
        range_of(&module->unit->tree->source, finding->reason_at->start, finding->reason_at->end);
}

const char *const *results_gb_ids(gm_session *session, const Rule *rule) {
    const char **ids = ARENA_ARRAY(session->arena, const char *, rule->gb_ids.len + 1);
    for (uint32_t i = 0; i < rule->gb_ids.len; i++)
        ids[i] = name_str(rule->gb_ids.items[i]).ptr;
    return ids;
}

// ---------------------------------------------------------------- where a finding stands

static bool is_simple(const Node *statement) {
    if (node_is(statement, NODE_FUNCTION_DEF))
        return false;
    for (ChildIter it = ast_children((Node *)(uintptr_t)statement); ast_next(&it);)
        if (node_is_stmt(it.child))
            return false;
    return true;
}

static Lines lines_of(const Source *source, uint32_t start, uint32_t end) {
    return (Lines){source_place(source, start).line, source_place(source, end).line};
}

static Lines simple_statement(const Finding *finding) {
    const Node *statement = finding->node ? node_statement(finding->node) : NULL;
    if (!statement || !is_simple(statement))
        return (Lines){0};
    return lines_of(&finding->module->unit->tree->source, statement->start, statement->end);
}

static Origin origin_of(const Finding *finding) {
    const Node *statement = finding->node ? node_statement(finding->node) : NULL;
    const Source *source = &finding->module->unit->tree->source;
    return (Origin){
        .start = source_line_start(source, statement ? statement->start : finding->start),
        .end = statement ? statement->end : finding->end,
        .statement = simple_statement(finding),
        .in_code = finding->node != NULL,
        .rewritten = finding->status != STATUS_LEFT,
    };
}

// ---------------------------------------------------------------- one file

static void add_finding(gm_session *session, const Finding *finding, const gm_file *file) {
    static const gm_status statuses[] = {[STATUS_LEFT] = GM_LEFT,
                                         [STATUS_FIXABLE] = GM_FIXABLE,
                                         [STATUS_GUARDED] = GM_GUARDED,
                                         [STATUS_UNSAFE] = GM_UNSAFE};
    const Unit *unit = finding->module->unit;
    const Function *function = finding->node ? unit_function_at(finding->module->unit, finding->node) : NULL;
    gm_finding out = {
        .code = name_str(finding->rule->code).ptr,
        .path = file->path,
        .message = session_text(session, finding->message),
        .function = function ? name_str(function->qualname).ptr : "<module>",
        .range = range_of(&unit->tree->source, finding->start, finding->end),
        .status = statuses[finding->status],
        .gb_ids = results_gb_ids(session, finding->rule),
        .file = file,
    };
    add_reason(session, finding, &out);
    vec_push(&session->findings, out);
}

static void add_file(gm_session *session, const ModuleResult *result) {
    gm_file file = {
        .path = session_text(session, result->module->path),
        .text = result->source.ptr,
        .len = result->source.len,
        .output = result->changed ? result->output.ptr : NULL,
        .output_len = result->changed ? result->output.len : 0,
        .runtime = result->runtime_path.len ? session_text(session, result->runtime_path) : NULL,
        .suppressed = result->suppressed,
        .failed = result->failed,
        .in_folder = result->in_tree,
    };
    if (result->changed && !file.output)
        file.output = ""; // everything was taken out
    vec_push(&session->files, file);
}

static void add_findings(gm_session *session, const ModuleResult *result, uint32_t index) {
    const FindingList *findings = &result->findings;
    Origin *origins = ARENA_ARRAY(session->arena, Origin, findings->len + 1);
    for (uint32_t i = 0; i < findings->len; i++) {
        add_finding(session, &findings->items[i], &session->files.items[index]);
        origins[i] = origin_of(&findings->items[i]);
        vec_push(&session->origins, &origins[i]);
    }
    session->edits[index].origins = origins;
    session->edits[index].origin_count = findings->len;
}

static void add_held(gm_session *session, const ModuleResult *result, uint32_t index) {
    for (uint32_t i = 0; i < result->held.len; i++) {
        const Finding *finding = &result->held.items[i];
        const Source *source = &finding->module->unit->tree->source;
        HeldBack held = {index, lines_of(source, finding->start, finding->end), simple_statement(finding)};
        vec_push(&session->held, held);
    }
}

void results_collect(gm_session *session) {
    const Pipeline *pipeline = session->pipeline;
    for (uint32_t i = 0; i < pipeline->modules.len; i++)
        add_file(session, &pipeline->modules.items[i]);
    session->edits = ARENA_ARRAY(session->arena, FileEdits, session->files.len + 1);
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        add_findings(session, &pipeline->modules.items[i], i);
        add_held(session, &pipeline->modules.items[i], i);
    }
}
