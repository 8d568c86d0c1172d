// The pipeline in one place, read top to bottom: open, analyse, detect, Trap, Where, Defer, runtime, print, check.
//
// In:  paths or bytes. Out: for each input module its findings and, when a pass changed something, its new text.
// The order of the steps over all modules matters: every module is searched before any is rewritten, because facts and
// findings of one module are read off the syntax trees of others.
// Declines: a module whose new text has more syntax errors than the old one stays as it was (a bug of ours, reported as
// an internal error); a module that could not be read is marked as failed and the others go on.
#include "pipeline/pipeline.h"

#include "analysis/runtime_calls.h"
#include "rules/rules.h"

// Steps that read across modules fill caches of modules that other threads read: one thread.
enum { SHARED_JOBS = 1 };

static bool skip_entry(void *context, const char *path, bool is_folder) {
    return exclude_skips(context, path, is_folder);
}

static void tell(const Pipeline *pipeline, const char *step, uint32_t done) {
    if (pipeline->options.progress)
        pipeline->options.progress(pipeline->options.progress_context, step, done, pipeline->modules.len,
                                   pipeline->found);
}

Pipeline *pipeline_new(const PipelineOptions *options) {
    Arena *arena = arena_new();
    Pipeline *pipeline = ARENA_NEW(arena, Pipeline);
    pipeline->arena = arena;
    pipeline->writers.arena = arena;
    pipeline->options = *options;
    diag_init(&pipeline->diags, arena);
    ProjectOptions project = {.jobs = options->jobs,
                              .entries = options->entries,
                              .prints = stmt_may_print,
                              .digests = options->digests};
    if (options->exclude) {
        project.skip = skip_entry;
        project.skip_context = options->exclude;
    }
    pipeline->project = project_new(&pipeline->diags, &project);
    return pipeline;
}

void pipeline_free(Pipeline *pipeline) {
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        ModuleResult *result = &vec_at(&pipeline->modules, i);
        vec_free(&result->findings);
        vec_free(&result->guesses);
        vec_free(&result->withheld);
        vec_free(&result->held);
        suppress_free(result->suppressions);
        buf_free(&result->output);
        arena_free(result->diags.arena);
        diag_free(&result->diags);
    }
    vec_free(&pipeline->modules);
    vec_free(&pipeline->folders);
    vec_free(&pipeline->runtime_files);
    map_free(&pipeline->writers.before);
    project_free(pipeline->project);
    diag_free(&pipeline->diags);
    arena_free(pipeline->arena);
}

bool pipeline_add(Pipeline *pipeline, const char *path, Str *why) {
    if (pipeline->options.exclude && exclude_skips_named(pipeline->options.exclude, path))
        return true;
    if (file_is_dir(path))
        vec_push(&pipeline->folders, str_dup(pipeline->arena, str_of(path)));
    return project_add(pipeline->project, path, why);
}

void pipeline_add_bytes(Pipeline *pipeline, Str path, Str bytes) {
    project_add_bytes(pipeline->project, path, bytes);
}

const ModuleResult *pipeline_result(const Pipeline *pipeline, Str path) {
    uint32_t low = 0, high = pipeline->modules.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = str_cmp(vec_at(&pipeline->modules, middle).module->path, path);
        if (order == 0)
            return &vec_at(&pipeline->modules, middle);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// ---------------------------------------------------------------- the steps, each over one module

// What is not selected is dropped, what a comment holds back or is not to be fixed set aside. reported: of this file.
static void choose_of(ModuleResult *result, FindingList *list, const bool *reported, FindingList *dropped) {
    const Selection *selection = result->selection;
    bool guesses = list == &result->guesses;
    uint32_t kept = 0;
    if (result->suppressions)
        suppress_apply(result->suppressions, &result->module->unit->tree->source, list, &result->held);
    for (uint32_t i = 0; selection && i < list->len; i++) {
        Finding finding = list->items[i];
        if (!reported[finding.rule - rule_at(0)]) {
            vec_push(dropped, finding);
        } else if (!guesses && !selection->fixed[finding.rule - rule_at(0)]) {
            finding.reason = reason_find(STR("not-chosen"));
            vec_push(&result->withheld, finding);
        } else {
            list->items[kept++] = finding;
        }
    }
    if (selection)
        list->len = kept;
}

// For each node with findings of the list inside of it the first of these.
static Map first_inside(const FindingList *list) {
    Map first = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        Node *node = list->items[i].node;
        for (Node *up = node->parent; up && !map_ptr(&first, map_key_ptr(up)); up = up->parent)
            map_put(&first, map_key_ptr(up), (uintptr_t)node);
    }
    return first;
}

// What stands around something that is to stay stays too: rewriting it would move that, or rely on its being rewritten.
static void withhold_outer(ModuleResult *result) {
    FindingList *list = &result->findings;
    Map held = first_inside(&result->held), withheld = first_inside(&result->withheld);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        Finding finding = list->items[i];
        Node *inner = map_ptr(&held, map_key_ptr(finding.node));
        if (!inner)
            inner = map_ptr(&withheld, map_key_ptr(finding.node));
        if (!inner) {
            list->items[kept++] = finding;
            continue;
        }
        finding.reason = reason_find(STR("holds-withheld"));
        finding.reason_at = inner;
        vec_push(&result->withheld, finding);
    }
    list->len = kept;
    map_free(&held);
    map_free(&withheld);
}

static void choose(const Pipeline *pipeline, ModuleResult *result) {
    FindingList dropped = {0};
    const bool *reported = result->selection
                               ? selection_of_file(result->selection, result->module->path, pipeline->arena)
                               : NULL;
    choose_of(result, &result->findings, reported, &dropped);
    result->suppressed = result->held.len;
    for (uint32_t i = 0; i < dropped.len; i++)
        vec_push(&result->held, dropped.items[i]);
    withhold_outer(result);
    vec_clear(&dropped);
    choose_of(result, &result->guesses, reported, &dropped);
    vec_free(&dropped);
    if (!pipeline->options.pedantic)
        result->guesses.len = 0;
}

static void step_detect(void *context, uint32_t index) {
    Pipeline *pipeline = context;
    ModuleResult *result = &vec_at(&pipeline->modules, index);
    Module *module = result->module;
    if (!module->unit || is_runtime_module_name(module->name))
        return;
    tell(pipeline, "searching", index);
    detect_module(module, &result->findings);
    result->suppressions = suppress_read(module->unit->tree);
    Name bound;
    if (result->suppressions) {
        suppress_judge(result->suppressions, module);
        result->suppressions->rewritten = find_runtime_binding(module, &bound) != NULL;
    }
    // A comment about a guess is of use, whether guesses are asked for or not.
    if (pipeline->options.pedantic || result->suppressions)
        detect_unknown(module, &result->guesses);
    choose(pipeline, result);
    pipeline->found += result->findings.len + result->withheld.len;
}

// Between passes, in debug builds: what a pass must keep is checked by another's eyes.
static void check_unit(const ModuleResult *result) {
#ifdef GM_DEBUG
    unit_verify(result->module->unit);
#else
    (void)result;
#endif
}

static void add_nodes(Map *nodes, const FindingList *list) {
    for (uint32_t i = 0; i < list->len; i++)
        map_put(nodes, map_key_ptr(list->items[i].node), true);
}

static void step_rewrite(void *context, uint32_t index) {
    Pipeline *pipeline = context;
    ModuleResult *result = &vec_at(&pipeline->modules, index);
    if (result->findings.len == 0)
        return;
    PassContext *passes = &result->context;
    passes->module = result->module;
    passes->options = &pipeline->options.passes;
    passes->findings = &result->findings;
    Map withheld = {0};
    add_nodes(&withheld, &result->withheld);
    add_nodes(&withheld, &result->held);
    passes->withheld = &withheld;
    passes->writers = &pipeline->writers;
    tell(pipeline, "rewriting", index);
    place_runtime(pipeline, result);
    if (find_runtime_binding(result->module, &passes->runtime))
        result->runtime_path = STR(""); // an earlier run put it there
    else
        passes->runtime = unit_fresh_name(result->module->unit, STR("_graphmend"));
    check_unit(result);
    if (pipeline->options.passes.trap)
        pass_trap(passes), check_unit(result);
    if (pipeline->options.passes.where)
        pass_where(passes), check_unit(result);
    pass_need(passes), check_unit(result);
    if (pipeline->options.passes.defer)
        pass_defer(passes), check_unit(result);
    pass_runtime_import(passes), check_unit(result);
    passes->withheld = NULL;
    map_free(&withheld);
}

// Back to the text as it was: what the passes did is a finding again.
static void take_back(ModuleResult *result) {
    for (uint32_t i = 0; i < result->findings.len; i++)
        vec_at(&result->findings, i).status = STATUS_LEFT;
    result->output.len = 0;
    result->changed = false;
    diag_add(&result->diags, DIAG_ERROR, result->module->path, 0, 0,
             "internal error: the rewritten file would have a syntax error; it is left as it is. Please "
             "report this");
}

// A file that does not matter was not parsed; whether it is Python text at all has to be known all the same.
static void check_text(ModuleResult *result) {
    Arena *arena = arena_new();
    Source source;
    Str why;
    result->source = module_raw(result->module);
    if (!result->failed && !source_init(&source, arena, result->module->path, result->source, &why)) {
        diag_add(&result->diags, DIAG_ERROR, result->module->path, source.fault_line, 0, "%.*s",
                 STR_ARG(why));
        result->failed = true;
    }
    arena_free(arena);
    if (result->in_tree) {
        result->source = (Str){0}; // of a tree it is copied or left where it is
        module_drop_raw(result->module);
    }
}

// Unused suppressions go, in the new text or, when nothing else changed, in the old one.
static void clean_suppressions(ModuleResult *result) {
    const Unit *unit = result->module->unit;
    if (result->suppressions && !unit->tree->has_errors &&
        suppress_clean(result->suppressions, result->selection, unit->tree, result->changed, &result->output))
        result->changed = true;
}

static void step_print(void *context, uint32_t index) {
    Pipeline *pipeline = context;
    ModuleResult *result = &vec_at(&pipeline->modules, index);
    const Unit *unit = result->module->unit;
    if (!unit) {
        check_text(result);
        return;
    }
    result->source = unit->tree->source.bytes;
    if (!(unit->tree->module->flags & NODE_DIRTY)) {
        clean_suppressions(result);
        return;
    }
    print_unit(unit->tree, &result->output);
    Str output = buf_view(&result->output);
    result->changed = !str_eq(output, result->source);
    uint32_t errors_before = unit->tree->has_errors ? syntax_error_count(result->source) : 0;
    if (result->changed && syntax_error_count(output) > errors_before)
        take_back(result);
    clean_suppressions(result);
}

// ---------------------------------------------------------------- before and after

bool pipeline_in_folder(const Pipeline *pipeline, Str path) {
    for (uint32_t i = 0; i < pipeline->folders.len; i++) {
        Str folder = vec_at(&pipeline->folders, i);
        bool slash = str_ends(folder, STR("/"));
        if (str_starts(path, folder) && (slash || (path.len > folder.len && path.ptr[folder.len] == '/')))
            return true;
    }
    return false;
}

static void collect_modules(Pipeline *pipeline) {
    for (uint32_t i = 0; i < project_module_count(pipeline->project); i++) {
        Module *module = project_module(pipeline->project, i);
        if (!module->is_input)
            continue;
        ModuleResult result = {.module = module, .in_tree = pipeline_in_folder(pipeline, module->path)};
        if (pipeline->options.selection_of)
            result.selection =
                pipeline->options.selection_of(pipeline->options.selection_context, module_real_dir(module));
        result.failed = module->failed;
        diag_init(&result.diags, arena_new());
        vec_push(&pipeline->modules, result);
    }
}

// The others among the findings, in source order: the lists are by function, so they are sorted by place.
static int by_place(const void *a, const void *b) {
    const Finding *first = a, *second = b;
    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    if (first->end != second->end)
        return first->end < second->end ? -1 : 1;
    if (first->rule != second->rule)
        return first->rule < second->rule ? -1 : 1;
    return str_cmp(first->message, second->message);
}

static void add_others(ModuleResult *result) {
    uint32_t before = result->findings.len;
    for (uint32_t i = 0; i < result->guesses.len; i++)
        vec_push(&result->findings, vec_at(&result->guesses, i));
    for (uint32_t i = 0; i < result->withheld.len; i++)
        vec_push(&result->findings, vec_at(&result->withheld, i));
    if (result->suppressions && !result->module->unit->tree->has_errors)
        suppress_report(result->suppressions, result->selection, result->module, &result->findings);
    if (result->findings.len == before)
        return;
    qsort(result->findings.items, result->findings.len, sizeof(Finding), by_place);
}

static void note_runtime_file(Pipeline *pipeline, ModuleResult *result) {
    if (!result->changed || !result->context.uses_runtime)
        result->runtime_path = STR("");
    if (result->runtime_path.len == 0)
        return;
    uint32_t at = pipeline->runtime_files.len;
    for (uint32_t i = 0; i < at; i++)
        if (str_eq(vec_at(&pipeline->runtime_files, i), result->runtime_path))
            return;
    vec_push(&pipeline->runtime_files, result->runtime_path);
    for (; at > 0 && str_cmp(result->runtime_path, vec_at(&pipeline->runtime_files, at - 1)) < 0; at--)
        pipeline->runtime_files.items[at] = pipeline->runtime_files.items[at - 1];
    pipeline->runtime_files.items[at] = result->runtime_path;
}

static void gather_results(Pipeline *pipeline) {
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        ModuleResult *result = &vec_at(&pipeline->modules, i);
        add_others(result);
        note_runtime_file(pipeline, result);
        for (uint32_t d = 0; d < result->diags.list.len; d++) {
            const Diag *diag = &vec_at(&result->diags.list, d);
            diag_add(&pipeline->diags, diag->level, diag->path, diag->line, diag->column, "%.*s",
                     STR_ARG(diag->message));
        }
    }
}

void pipeline_run(Pipeline *pipeline) {
    tell(pipeline, "reading", 0);
    project_analyse(pipeline->project);
    collect_modules(pipeline);
    pool_run(pipeline->modules.len, SHARED_JOBS, step_detect, pipeline);
    pool_run(pipeline->modules.len, SHARED_JOBS, step_rewrite, pipeline);
    pool_run(pipeline->modules.len, pipeline->options.jobs, step_print, pipeline);
    gather_results(pipeline);
}
