// The public API over the pipeline: options in, findings and files out, as plain C structures.
//
// In:  gm_options, paths or bytes. Out: arrays that live as long as the session. The work is src/pipeline's; here
// its results get the shapes of include/graphmend/graphmend.h. Declines: options that name codes that do not exist.
#include "api/session.h"

#include "rules/embedded.h"

const char *session_text(gm_session *session, Str text) {
    return str_dup(session->arena, text).ptr;
}

// ---------------------------------------------------------------- open

static void forward_progress(void *context, const char *step, uint32_t done, uint32_t total, uint32_t found) {
    const gm_session *session = context;
    session->options.progress(session->options.progress_context, &(gm_progress){step, done, total, found});
}

static const char *const *copy_list(Arena *arena, const char *const *list) {
    if (!list)
        return NULL;
    size_t len = 0;
    while (list[len])
        len++;
    const char **copy = ARENA_ARRAY(arena, const char *, len + 1);
    for (size_t i = 0; i < len; i++)
        copy[i] = str_dup(arena, str_of(list[i])).ptr;
    return copy;
}

static bool select_rules(gm_session *session, const gm_options *options, Str *why) {
    size_t count = 0;
    while (options->file_ignores && options->file_ignores[count].pattern)
        count++;
    FileCodes *files = ARENA_ARRAY(session->arena, FileCodes, count + 1);
    for (size_t i = 0; i < count; i++)
        files[i] = (FileCodes){options->file_ignores[i].pattern, options->file_ignores[i].codes};
    SelectOptions select = {
        .select = options->select,
        .extend_select = options->extend_select,
        .ignore = options->ignore,
        .fix_only = options->fix_only,
        .per_file = files,
        .root = options->exclude_root,
        .target_torch = options->target_torch,
    };
    return selection_init(&session->selection, &select, session->arena, why);
}

static PipelineOptions pipeline_options(gm_session *session, const gm_options *options) {
    return (PipelineOptions){
        .passes = {.trap = !options->no_trap,
                   .where = !options->no_where,
                   .defer = !options->no_defer,
                   .trap_form = options->assert_async ? TRAP_ASSERT_ASYNC : TRAP_EXACT,
                   .runtime = (RuntimeForm)options->runtime},
        .jobs = options->jobs,
        .entries = copy_list(session->arena, options->entries),
        .pedantic = options->pedantic,
        .selection = &session->selection,
        .exclude = session->exclude,
        .progress = options->progress ? forward_progress : NULL,
        .progress_context = session,
    };
}

gm_session *gm_open(const gm_options *options, const char **why) {
    Arena *arena = arena_new();
    gm_session *session = ARENA_NEW(arena, gm_session);
    session->arena = arena;
    session->options = *options;
    session->error = "";
    Str reason = {0};
    if (!select_rules(session, options, &reason)) {
        if (why)
            *why = name_str(intern(reason)).ptr;
        arena_free(arena);
        return NULL;
    }
    ExcludeOptions exclude = {.patterns = options->exclude,
                              .root = options->exclude_root,
                              .no_gitignore = options->no_gitignore,
                              .force = options->force_exclude};
    session->exclude = exclude_new(&exclude, arena);
    PipelineOptions settings = pipeline_options(session, options);
    session->pipeline = pipeline_new(&settings);
    return session;
}

void gm_close(gm_session *session) {
    if (!session)
        return;
    session_free_edits(session);
    vec_free(&session->findings);
    vec_free(&session->origins);
    vec_free(&session->files);
    selection_free(&session->selection);
    exclude_free(session->exclude);
    pipeline_free(session->pipeline);
    arena_free(session->arena);
}

static bool added(gm_session *session, bool good, Str why) {
    session->error = good ? "" : session_text(session, why);
    return good;
}

bool gm_add_path(gm_session *session, const char *path) {
    CHECK(!session->checked);
    Str why = STR("");
    bool good = pipeline_add(session->pipeline, path, &why);
    return added(session, good, why);
}

bool gm_add_text(gm_session *session, const char *path, const char *text, size_t len) {
    CHECK(!session->checked);
    Str why = STR("");
    bool good = pipeline_add_bytes(session->pipeline, str_of(path), (Str){text, len}, &why);
    return added(session, good, why);
}

const char *gm_error(const gm_session *session) {
    return session->error;
}

// ---------------------------------------------------------------- results

gm_range session_range(const Source *source, uint32_t start, uint32_t end) {
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
        session_range(&module->unit->tree->source, finding->reason_at->start, finding->reason_at->end);
}

static const char *const *gb_ids(gm_session *session, const Rule *rule) {
    const char **ids = ARENA_ARRAY(session->arena, const char *, rule->gb_ids.len + 1);
    for (uint32_t i = 0; i < rule->gb_ids.len; i++)
        ids[i] = name_str(rule->gb_ids.items[i]).ptr;
    return ids;
}

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
        .range = session_range(&unit->tree->source, finding->start, finding->end),
        .status = statuses[finding->status],
        .gb_ids = gb_ids(session, finding->rule),
        .file = file,
    };
    add_reason(session, finding, &out);
    vec_push(&session->findings, out);
    vec_push(&session->origins, finding);
}

static void add_file(gm_session *session, const ModuleResult *result) {
    gm_file file = {
        .path = session_text(session, result->module->path),
        .text = result->source.ptr,
        .len = result->source.len,
        .output = result->changed ? result->output.ptr : NULL,
        .output_len = result->changed ? result->output.len : 0,
        .suppressed = result->suppressed,
        .failed = result->failed,
        .in_folder = result->in_tree,
    };
    if (result->changed && !file.output)
        file.output = ""; // everything was taken out
    vec_push(&session->files, file);
}

void gm_check(gm_session *session) {
    if (session->checked)
        return;
    session->checked = true;
    Pipeline *pipeline = session->pipeline;
    pipeline_run(pipeline);
    for (uint32_t i = 0; i < pipeline->modules.len; i++)
        add_file(session, &pipeline->modules.items[i]);
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const FindingList *findings = &pipeline->modules.items[i].findings;
        for (uint32_t f = 0; f < findings->len; f++)
            add_finding(session, &findings->items[f], &session->files.items[i]);
    }
    session->edits = ARENA_ARRAY(session->arena, FileEdits, session->files.len + 1);
}

size_t gm_finding_count(const gm_session *session) {
    return session->findings.len;
}

const gm_finding *gm_finding_at(const gm_session *session, size_t index) {
    return &vec_at(&session->findings, (uint32_t)index);
}

size_t gm_file_count(const gm_session *session) {
    return session->files.len;
}

const gm_file *gm_file_at(const gm_session *session, size_t index) {
    return &vec_at(&session->files, (uint32_t)index);
}

const gm_file *gm_file_find(const gm_session *session, const char *path) {
    const ModuleResult *result = pipeline_result(session->pipeline, str_of(path));
    return result ? &session->files.items[result - session->pipeline->modules.items] : NULL;
}

size_t gm_runtime_count(const gm_session *session) {
    return session->pipeline->runtime_files.len;
}

const char *gm_runtime_path(const gm_session *session, size_t index) {
    return vec_at(&session->pipeline->runtime_files, (uint32_t)index).ptr;
}

const char *gm_runtime_text(size_t *len) {
    *len = embedded_runtime_size;
    return (const char *)embedded_runtime;
}

size_t gm_diagnostic_count(const gm_session *session) {
    return session->pipeline->diags.list.len;
}

gm_diagnostic gm_diagnostic_at(const gm_session *session, size_t index) {
    static const gm_level levels[] = {
        [DIAG_NOTE] = GM_NOTE, [DIAG_WARNING] = GM_WARNING, [DIAG_ERROR] = GM_ERROR};
    const Diag *diag = &vec_at(&session->pipeline->diags.list, (uint32_t)index);
    return (gm_diagnostic){levels[diag->level], diag->path.len ? diag->path.ptr : "", diag->line,
                           diag->column, diag->message.ptr};
}

size_t gm_error_count(const gm_session *session) {
    return session->pipeline->diags.errors;
}

// ---------------------------------------------------------------- fix

static bool is_current(gm_session *session, const char *path, Str text) {
    Buf bytes = {0};
    Str why;
    bool same =
        file_exists(path) && file_read(path, &bytes, session->arena, &why) && str_eq(buf_view(&bytes), text);
    buf_free(&bytes);
    return same;
}

static bool write_file(gm_session *session, const char *path, Str text) {
    Str why;
    if (is_current(session, path, text) || file_write_atomic(path, text, NULL, session->arena, &why))
        return true;
    diag_add(&session->pipeline->diags, DIAG_ERROR, str_of(path), 0, 0, "%.*s", STR_ARG(why));
    return false;
}

// The runtime first: a file that imports it must never stand without it.
bool gm_fix(gm_session *session) {
    gm_check(session);
    size_t len;
    const char *runtime = gm_runtime_text(&len);
    bool good = true;
    for (size_t i = 0; i < gm_runtime_count(session); i++)
        good &= write_file(session, gm_runtime_path(session, i), (Str){runtime, len});
    for (uint32_t i = 0; good && i < session->files.len; i++) {
        const gm_file *file = &session->files.items[i];
        if (session->options.progress)
            session->options.progress(
                session->options.progress_context,
                &(gm_progress){"writing", i, session->files.len, session->findings.len});
        if (file->output && !write_file(session, file->path, (Str){file->output, file->output_len}))
            session->error = "some file could not be written";
    }
    return good && !*session->error;
}
