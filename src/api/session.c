// The public API over the pipeline: options in, findings and files out, as plain C structures.
//
// In:  gm_options, paths or bytes. Out: arrays that live as long as the session. The work is src/pipeline's, or was in an
// earlier run (cache.c). Declines: options that name codes that do not exist.
#include "api/session.h"

#include "rules/embedded.h"

const char *session_text(gm_session *session, Str text) {
    return str_dup(session->arena, text).ptr;
}

const char *const *session_list(gm_session *session, const char *const *list) {
    if (!list)
        return NULL;
    size_t len = 0;
    while (list[len])
        len++;
    const char **copy = ARENA_ARRAY(session->arena, const char *, len + 1);
    for (size_t i = 0; i < len; i++)
        copy[i] = session_text(session, str_of(list[i]));
    return copy;
}

// ---------------------------------------------------------------- open

static void forward_progress(void *context, const char *step, uint32_t done, uint32_t total, uint32_t found) {
    const gm_session *session = context;
    session->options.progress(session->options.progress_context, &(gm_progress){step, done, total, found});
}

static const Selection *selection_of(void *context, Str folder) {
    return &settings_of(context, folder)->selection;
}

static const ExcludeOptions *exclude_of(void *context, Str folder) {
    return &settings_of(context, folder)->exclude;
}

static PipelineOptions pipeline_options(gm_session *session, const gm_options *options) {
    return (PipelineOptions){
        .passes = {.trap = !options->no_trap,
                   .where = !options->no_where,
                   .defer = !options->no_defer,
                   .unsafe = options->unsafe_fixes,
                   .trap_form = options->assert_async ? TRAP_ASSERT_ASYNC : TRAP_EXACT,
                   .cond = !options->no_cond,
                   .runtime = (RuntimeForm)options->runtime},
        .jobs = options->jobs,
        .entries = session_list(session, options->entries),
        .pedantic = options->pedantic,
        .selection_of = selection_of,
        .selection_context = session,
        .exclude = session->exclude,
        .digests = options->cache_dir != NULL,
        .progress = options->progress ? forward_progress : NULL,
        .progress_context = session,
    };
}

gm_session *gm_open(const gm_options *options, const char **why) {
    Arena *arena = arena_new();
    gm_session *session = ARENA_NEW(arena, gm_session);
    session->arena = arena;
    session->options = *options;
    if (options->cache_dir)
        session->options.cache_dir = str_dup(arena, str_of(options->cache_dir)).ptr;
    session->error = "";
    Str reason = {0};
    session->settings = settings_read(session, options, &reason);
    if (!session->settings) {
        if (why)
            *why = name_str(intern(reason)).ptr;
        arena_free(arena);
        return NULL;
    }
    session->exclude =
        exclude_new(&session->settings->exclude, options->options_of ? exclude_of : NULL, session, arena);
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
    vec_free(&session->held);
    vec_free(&session->added);
    map_free(&session->in_memory);
    buf_free(&session->entry);
    settings_free(session);
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
    vec_push(&session->added, str_dup(session->arena, str_of(path)));
    bool good = pipeline_add(session->pipeline, path, &why);
    if (good && session->settings_error.len) {
        why = session->settings_error;
        good = false;
    }
    return added(session, good, why);
}

bool gm_add_text(gm_session *session, const char *path, const char *text, size_t len) {
    CHECK(!session->checked);
    map_put(&session->in_memory, intern(str_of(path)), 1);
    pipeline_add_bytes(session->pipeline, str_of(path), (Str){text, len});
    return added(session, true, STR(""));
}

const char *gm_error(const gm_session *session) {
    return session->error;
}

// ---------------------------------------------------------------- results

void gm_check(gm_session *session) {
    if (session->checked)
        return;
    session->checked = true;
    Digest key;
    bool usable;
    if (cache_load(session, &key, &usable))
        return;
    uint32_t first_diagnostic = session->pipeline->diags.list.len;
    pipeline_run(session->pipeline);
    results_collect(session);
    if (usable)
        cache_store(session, &key, first_diagnostic);
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
    uint32_t low = 0, high = session->files.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(session->files.items[middle].path, path);
        if (order == 0)
            return &session->files.items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
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

bool gm_runtime_fits(const char *path) {
    Arena *arena = arena_new();
    Buf held = {0};
    Str why;
    bool fits =
        !file_exists(path) || (file_read(path, &held, arena, &why) && place_is_runtime(buf_view(&held)));
    buf_free(&held);
    arena_free(arena);
    return fits;
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

static bool not_written(gm_session *session, const char *path, Str why) {
    diag_add(&session->pipeline->diags, DIAG_ERROR, str_of(path), 0, 0, "%.*s", STR_ARG(why));
    session->error = "some file could not be written";
    return false;
}

static bool write_file(gm_session *session, const char *path, Str text) {
    Str why;
    return file_write_atomic(path, text, NULL, session->arena, &why) || not_written(session, path, why);
}

typedef enum Held { HELD_OUTPUT, HELD_TEXT, HELD_ELSE } Held;

// Read once: another run may be writing the same.
static Held what_is_held(const gm_session *session, const gm_file *file) {
    Buf held = {0};
    Str why;
    bool from_disk = !map_get(&session->in_memory, intern(str_of(file->path)), NULL);
    bool readable = file_exists(file->path) && file_read(file->path, &held, session->arena, &why);
    Held what = readable && str_eq(buf_view(&held), (Str){file->output, file->output_len}) ? HELD_OUTPUT
                : !from_disk                                                               ? HELD_TEXT
                : readable && str_eq(buf_view(&held), (Str){file->text, file->len})        ? HELD_TEXT
                                                                                           : HELD_ELSE;
    buf_free(&held);
    return what;
}

// Not over what an editor has saved since.
static bool write_output(gm_session *session, gm_file *file) {
    bool good = true;
    if (!file->output)
        return true;
    switch (what_is_held(session, file)) {
    case HELD_OUTPUT:
        break;
    case HELD_TEXT:
        good = write_file(session, file->path, (Str){file->output, file->output_len});
        break;
    case HELD_ELSE:
        good =
            not_written(session, file->path, STR("it has changed since it was read, and is left as it is"));
        break;
    }
    file->failed |= !good;
    return good;
}

static bool write_runtime(gm_session *session, const char *path) {
    Str text;
    text.ptr = gm_runtime_text(&text.len);
    if (file_holds(path, text, session->arena))
        return true;
    if (!gm_runtime_fits(path))
        return not_written(session, path, STR("not a runtime of graphmend, and left as it is"));
    return write_file(session, path, text);
}

typedef VEC(const char *) PathVec;

static bool needs_one_of(const gm_file *file, const PathVec *runtimes) {
    for (uint32_t i = 0; file->runtime && i < runtimes->len; i++)
        if (strcmp(file->runtime, runtimes->items[i]) == 0)
            return true;
    return false;
}

// The runtimes first: a file that imports one must never stand without it.
bool gm_fix(gm_session *session) {
    gm_check(session);
    PathVec missing = {0};
    bool good = true;
    for (size_t i = 0; i < gm_runtime_count(session); i++)
        if (!write_runtime(session, gm_runtime_path(session, i)))
            vec_push(&missing, gm_runtime_path(session, i));
    for (uint32_t i = 0; i < session->files.len; i++) {
        gm_file *file = &session->files.items[i];
        if (session->options.progress)
            session->options.progress(
                session->options.progress_context,
                &(gm_progress){"writing", i, session->files.len, session->findings.len});
        if (needs_one_of(file, &missing))
            file->failed = !not_written(session, file->path, STR("not written, as its runtime is missing"));
        else
            good &= write_output(session, file);
    }
    good &= missing.len == 0;
    vec_free(&missing);
    return good;
}
