// Results kept from one run to the next, found again by the content of all that they follow from.
//
// In:  a session with its inputs. Out: its files, findings and diagnostics, as results.c gives them.
// The key of an entry is a digest of the build, the options, the working directory, the paths that were given, and of each
// input its name and bytes. Findings of one file follow from others too (who calls what, what a value can be), so an entry
// is a whole run: when a file changes, all is done anew. What the run looked at besides its inputs, or looked for in vain,
// it finds out only as it goes: the entry lists those paths with a digest of each, and counts only while all are the same
// (project/seen.c). Time stamps are never asked: reading and hashing a tree takes a hundredth of analysing it, and a
// clock, a copy or a checkout can make them lie.
// Declines: inputs that came as bytes, or that cannot be read; a program without a build id.
#include "api/session.h"

#include "api/cache_folder.h"

#include <limits.h>
#include <unistd.h>

// ---------------------------------------------------------------- numbers and texts in a row

static void put_number(Buf *out, uint32_t number) {
    buf_bytes(out, &number, sizeof number);
}

// A NUL follows, so that it can be used where it lies.
static void put_text(Buf *out, Str text) {
    put_number(out, (uint32_t)text.len);
    buf_str(out, text);
    buf_char(out, '\0');
}

typedef struct Reader {
    Str rest;
    bool failed;
} Reader;

static const char *take(Reader *reader, size_t size) {
    reader->failed |= size > reader->rest.len;
    if (reader->failed)
        return NULL;
    const char *at = reader->rest.ptr;
    reader->rest = str_slice(reader->rest, size, reader->rest.len);
    return at;
}

static uint32_t take_number(Reader *reader) {
    uint32_t number = 0;
    const char *at = take(reader, sizeof number);
    if (at)
        memcpy(&number, at, sizeof number);
    return number;
}

static Str take_text(Reader *reader) {
    size_t len = take_number(reader);
    const char *at = take(reader, len + 1);
    reader->failed |= at && at[len] != '\0';
    return reader->failed ? STR("") : (Str){at, len};
}

// ---------------------------------------------------------------- the key

static void put_list(Buf *out, const char *const *list) {
    uint32_t count = 0;
    while (list && list[count])
        count++;
    put_number(out, count);
    for (uint32_t i = 0; i < count; i++)
        put_text(out, str_of(list[i]));
}

static void put_selection(Buf *out, const Selection *selection) {
    uint32_t rules = rule_count();
    buf_bytes(out, selection->reported, rules * sizeof *selection->reported);
    buf_bytes(out, selection->fixed, rules * sizeof *selection->fixed);
    put_number(out, selection->per_file.len);
    for (uint32_t i = 0; i < selection->per_file.len; i++) {
        put_text(out, str_of(selection->per_file.items[i].pattern));
        put_text(out, str_of(selection->per_file.items[i].root));
        buf_bytes(out, selection->per_file.items[i].rules, rules * sizeof(bool));
    }
}

static void put_options(Buf *out, const gm_session *session) {
    const PipelineOptions *options = &session->pipeline->options;
    put_number(out, options->passes.trap);
    put_number(out, options->passes.where);
    put_number(out, options->passes.defer);
    put_number(out, options->passes.unsafe);
    put_number(out, options->passes.trap_form);
    put_number(out, options->passes.cond);
    put_number(out, options->passes.runtime);
    put_number(out, options->pedantic);
    put_list(out, options->entries);
}

static void put_input(Buf *out, gm_session *session, const Module *module) {
    put_text(out, module->path);
    put_text(out, module->relative);
    put_text(out, module->name ? name_str(module->name) : STR(""));
    put_text(out, module_real_dir(module));
    put_text(out, module_import_root(module));
    put_number(out, module->is_package);
    put_number(out, pipeline_in_folder(session->pipeline, module->path));
    put_selection(out, &settings_of(session, module_real_dir(module))->selection);
    buf_bytes(out, module_digest(module), sizeof(Digest));
}

static bool make_key(gm_session *session, Digest *key) {
    Project *project = session->pipeline->project;
    char here[PATH_MAX];
    Buf text = {0};
    Str build = build_id();
    if (build.len == 0 || !getcwd(here, sizeof here))
        return false;
    put_text(&text, build);
    put_text(&text, str_of(here));
    put_options(&text, session);
    put_number(&text, session->added.len);
    for (uint32_t i = 0; i < session->added.len; i++)
        put_text(&text, session->added.items[i]);
    put_number(&text, project_module_count(project));
    for (uint32_t i = 0; i < project_module_count(project); i++)
        put_input(&text, session, project_module(project, i));
    *key = digest_of(buf_view(&text));
    buf_free(&text);
    return true;
}

// ---------------------------------------------------------------- what else the run has seen

static void put_seen(Buf *out, const Project *project) {
    put_number(out, project_seen_count(project));
    for (uint32_t i = 0; i < project_seen_count(project); i++) {
        const Seen *seen = project_seen(project, i);
        put_text(out, seen->path);
        buf_bytes(out, &seen->digest, sizeof seen->digest);
    }
}

static bool still_seen(Reader *reader) {
    for (uint32_t count = take_number(reader); count > 0 && !reader->failed; count--) {
        Seen seen = {.path = take_text(reader)};
        const char *digest = take(reader, sizeof seen.digest);
        if (!digest)
            return false;
        memcpy(&seen.digest, digest, sizeof seen.digest);
        if (!seen_holds(&seen))
            return false;
    }
    return !reader->failed;
}

// ---------------------------------------------------------------- files

enum { HAS_TEXT = 1, HAS_OUTPUT = 2, FAILED = 4, HAS_RUNTIME = 8 };

static void put_files(Buf *out, const gm_session *session) {
    put_number(out, session->files.len);
    for (uint32_t i = 0; i < session->files.len; i++) {
        const gm_file *file = &session->files.items[i];
        put_number(out, (file->text ? HAS_TEXT : 0) | (file->output ? HAS_OUTPUT : 0) |
                            (file->failed ? FAILED : 0) | (file->runtime ? HAS_RUNTIME : 0));
        put_number(out, file->suppressed);
        if (file->output)
            put_text(out, (Str){file->output, file->output_len});
        if (file->runtime)
            put_text(out, str_of(file->runtime));
    }
}

static void take_file(gm_session *session, Reader *reader, Module *module) {
    uint32_t flags = take_number(reader);
    gm_file file = {
        .path = session_text(session, module->path),
        .failed = (flags & FAILED) != 0,
        .in_folder = pipeline_in_folder(session->pipeline, module->path),
        .suppressed = take_number(reader),
    };
    if (flags & HAS_TEXT) {
        Str text = module_raw(module);
        file.text = text.ptr, file.len = text.len;
    } else {
        module_drop_raw(module);
    }
    if (flags & HAS_OUTPUT) {
        Str output = take_text(reader);
        file.output = output.ptr, file.output_len = output.len;
    }
    if (flags & HAS_RUNTIME)
        file.runtime = take_text(reader).ptr;
    vec_push(&session->files, file);
}

static void take_files(gm_session *session, Reader *reader) {
    Project *project = session->pipeline->project;
    uint32_t count = take_number(reader);
    reader->failed |= count != project_module_count(project);
    for (uint32_t i = 0; i < count && !reader->failed; i++)
        take_file(session, reader, project_module(project, i));
    session->edits = ARENA_ARRAY(session->arena, FileEdits, session->files.len + 1);
}

static uint32_t take_file_index(const gm_session *session, Reader *reader) {
    uint32_t index = take_number(reader);
    reader->failed |= index >= session->files.len;
    return reader->failed ? 0 : index;
}

// ---------------------------------------------------------------- findings

static void put_range(Buf *out, const gm_range *range) {
    const gm_place *places[] = {&range->start, &range->end};
    for (int i = 0; i < 2; i++) {
        put_number(out, places[i]->line);
        put_number(out, places[i]->column);
        put_number(out, places[i]->byte);
    }
}

static gm_range take_range(Reader *reader) {
    gm_place places[2];
    for (int i = 0; i < 2; i++) {
        places[i].line = take_number(reader);
        places[i].column = take_number(reader);
        places[i].byte = take_number(reader);
    }
    return (gm_range){places[0], places[1]};
}

static void put_lines(Buf *out, Lines lines) {
    put_number(out, lines.first);
    put_number(out, lines.last);
}

static Lines take_lines(Reader *reader) {
    uint32_t first = take_number(reader);
    return (Lines){first, take_number(reader)};
}

static void put_finding(Buf *out, const gm_session *session, uint32_t index) {
    const gm_finding *finding = &session->findings.items[index];
    const Origin *origin = session->origins.items[index];
    put_number(out, (uint32_t)(finding->file - session->files.items));
    put_text(out, str_of(finding->code));
    put_text(out, str_of(finding->message));
    put_text(out, str_of(finding->function));
    put_range(out, &finding->range);
    put_number(out, finding->status);
    put_text(out, str_of(finding->reason ? finding->reason : ""));
    put_text(out, str_of(finding->reason_path ? finding->reason_path : ""));
    put_range(out, &finding->reason_range);
    put_number(out, origin->start);
    put_number(out, origin->end);
    put_lines(out, origin->statement);
    put_number(out, origin->in_code);
    put_number(out, origin->rewritten);
}

static void take_finding(gm_session *session, Reader *reader, Origin *origin) {
    uint32_t file = take_file_index(session, reader);
    Str code = take_text(reader), message = take_text(reader), function = take_text(reader);
    gm_finding finding = {.code = code.ptr, .message = message.ptr, .function = function.ptr};
    finding.range = take_range(reader);
    finding.status = (gm_status)take_number(reader);
    Str reason = take_text(reader), reason_path = take_text(reader);
    finding.reason_range = take_range(reader);
    origin->start = take_number(reader);
    origin->end = take_number(reader);
    origin->statement = take_lines(reader);
    origin->in_code = take_number(reader);
    origin->rewritten = take_number(reader);
    const Rule *rule = rule_find(code);
    const Reason *known = reason.len ? reason_find(reason) : NULL;
    reader->failed |= !rule || finding.status > GM_UNSAFE || (reason.len && !known);
    if (reader->failed)
        return;
    finding.file = &session->files.items[file];
    finding.path = finding.file->path;
    finding.gb_ids = results_gb_ids(session, rule);
    if (known) {
        finding.reason = reason.ptr;
        finding.reason_text = session_text(session, known->summary);
    }
    if (reason_path.len)
        finding.reason_path = reason_path.ptr;
    FileEdits *edits = &session->edits[file];
    if (edits->origin_count++ == 0)
        edits->origins = origin;
    vec_push(&session->findings, finding);
    vec_push(&session->origins, origin);
}

static void put_findings(Buf *out, const gm_session *session) {
    put_number(out, session->findings.len);
    for (uint32_t i = 0; i < session->findings.len; i++)
        put_finding(out, session, i);
    put_number(out, session->held.len);
    for (uint32_t i = 0; i < session->held.len; i++) {
        const HeldBack *held = &session->held.items[i];
        put_number(out, held->file);
        put_lines(out, held->shown);
        put_lines(out, held->statement);
    }
}

// The findings of a file stand together, so its origins do.
static void take_findings(gm_session *session, Reader *reader) {
    uint32_t count = take_number(reader);
    reader->failed |= count > reader->rest.len;
    Origin *origins = ARENA_ARRAY(session->arena, Origin, reader->failed ? 1 : count + 1);
    for (uint32_t i = 0; i < count && !reader->failed; i++)
        take_finding(session, reader, &origins[i]);
    for (count = take_number(reader); count > 0 && !reader->failed; count--) {
        HeldBack held = {.file = take_file_index(session, reader)};
        held.shown = take_lines(reader);
        held.statement = take_lines(reader);
        vec_push(&session->held, held);
    }
}

// ---------------------------------------------------------------- the rest

static void put_diagnostics(Buf *out, const DiagList *diags, uint32_t first) {
    put_number(out, diags->list.len - first);
    for (uint32_t i = first; i < diags->list.len; i++) {
        const Diag *diag = &diags->list.items[i];
        put_number(out, diag->level);
        put_text(out, diag->path);
        put_number(out, diag->line);
        put_number(out, diag->column);
        put_text(out, diag->message);
    }
}

static void take_diagnostics(Reader *reader, DiagList *diags) {
    for (uint32_t count = take_number(reader); count > 0 && !reader->failed; count--) {
        uint32_t level = take_number(reader);
        Str path = take_text(reader);
        uint32_t line = take_number(reader), column = take_number(reader);
        Str message = take_text(reader);
        reader->failed |= level > DIAG_ERROR;
        if (!reader->failed)
            diag_add(diags, (DiagLevel)level, path, line, column, "%.*s", STR_ARG(message));
    }
}

static void put_runtime_files(Buf *out, const Pipeline *pipeline) {
    put_number(out, pipeline->runtime_files.len);
    for (uint32_t i = 0; i < pipeline->runtime_files.len; i++)
        put_text(out, pipeline->runtime_files.items[i]);
}

static void take_runtime_files(Reader *reader, Pipeline *pipeline) {
    for (uint32_t count = take_number(reader); count > 0 && !reader->failed; count--) {
        Str path = take_text(reader);
        if (!reader->failed)
            vec_push(&pipeline->runtime_files, path);
    }
}

// ---------------------------------------------------------------- the whole

void cache_store(gm_session *session, const Digest *key, uint32_t first_diagnostic) {
    Buf out = {0};
    put_seen(&out, session->pipeline->project);
    put_files(&out, session);
    put_findings(&out, session);
    put_diagnostics(&out, &session->pipeline->diags, first_diagnostic);
    put_runtime_files(&out, session->pipeline);
    cache_folder_put(session->options.cache_dir, key, &out);
    buf_free(&out);
}

// As before the entry was looked into.
static void forget(gm_session *session) {
    vec_clear(&session->files);
    vec_clear(&session->findings);
    vec_clear(&session->origins);
    vec_clear(&session->held);
    vec_clear(&session->pipeline->runtime_files);
}

// Diagnostics come last: they alone are added to what was there before.
static bool take_all(gm_session *session, Reader *reader) {
    if (!still_seen(reader))
        return false;
    take_files(session, reader);
    take_findings(session, reader);
    Reader diagnostics = *reader;
    DiagList nowhere;
    Arena *arena = arena_new();
    diag_init(&nowhere, arena);
    take_diagnostics(reader, &nowhere);
    take_runtime_files(reader, session->pipeline);
    diag_free(&nowhere);
    arena_free(arena);
    if (reader->failed || reader->rest.len)
        return false;
    take_diagnostics(&diagnostics, &session->pipeline->diags);
    return true;
}

bool cache_load(gm_session *session, Digest *key, bool *usable) {
    const char *folder = session->options.cache_dir;
    *usable = folder && session->in_memory.len == 0 && project_read(session->pipeline->project) &&
              make_key(session, key);
    if (!*usable || !cache_folder_get(folder, key, &session->entry))
        return false;
    Reader reader = {.rest = buf_view(&session->entry)};
    if (take_all(session, &reader))
        return true;
    forget(session);
    return false;
}
