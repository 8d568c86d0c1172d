// What the project layer makes of a tree, in numbers: modules parsed, classes, functions, calls resolved, loggers, time.
//
//     project_stats [--classes FILE] [--lines FILE] PATH...
//
// --classes writes the dotted name of every nn.Module class, which recall.py compares with what the interpreter finds.
// --lines reads "K path:line" lines (K: any letter) and says for each letter how many of the lines lie in compiled code;
// recall.py makes such a file from the survey of Dynamo's breaks.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "project/internal.h"
#include "rules/rules.h"

typedef struct Counts {
    uint32_t parsed, classes, modules, functions, reachable, entries, caught, unknown;
    uint64_t bytes, edges, calls, resolved, logger_calls, loggers;
} Counts;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool is_known_outside(Module *module, const Node *func) {
    if (!node_is(func, NODE_ATTRIBUTE))
        return false;
    const RefList *of = resolve_values(module, func->u.attribute.value);
    bool outside = of->len > 0 && !of->unknown;
    for (uint32_t i = 0; i < of->len; i++)
        outside &= of->items[i].kind == REF_LIST || of->items[i].kind == REF_EXTERNAL_INSTANCE;
    return outside || torch_method_flags(func->u.attribute.attr) != 0;
}

static void count_logger(Module *module, Node *call, Counts *counts) {
    const Node *func = call->u.call.func;
    Node *receiver = node_is(func, NODE_ATTRIBUTE) ? func->u.attribute.value : NULL;
    if (!node_is(receiver, NODE_NAME) || !is_logger_method(func->u.attribute.attr, NULL))
        return;
    if (receiver->u.name.name != NAME_OF("logger") && receiver->u.name.name != NAME_OF("logging"))
        return;
    counts->logger_calls++;
    Ref ref = resolve_expr(module, receiver);
    counts->loggers +=
        (ref.kind == REF_EXTERNAL_INSTANCE && is_logger_factory(ref.name)) || ref_is_external(ref, "logging");
}

static void count_calls(Module *module, Counts *counts) {
    Walk walk = {0};
    walk_push(&walk, module->unit->tree->module);
    for (Node *at; (at = walk_next(&walk));) {
        walk_children(&walk, at);
        if (!node_is(at, NODE_CALL) || !node_in_compiled_code(module, at))
            continue;
        const RefList *refs = resolve_values(module, at->u.call.func);
        counts->calls++;
        counts->resolved += (refs->len && !refs->unknown) || is_super_call(module, at) ||
                            is_known_outside(module, at->u.call.func);
        count_logger(module, at, counts);
    }
    walk_free(&walk);
}

static void count_module(Module *module, Counts *counts, FILE *classes) {
    counts->parsed++;
    counts->bytes += module->unit->tree->source.bytes.len;
    for (uint32_t i = 0; i < module->classes.len; i++) {
        ClassInfo *cls = module->classes.items[i];
        bool is_module = class_is_nn_module(cls);
        counts->classes++;
        counts->modules += is_module;
        if (classes && is_module)
            fprintf(classes, "%.*s.%.*s\n", STR_ARG(name_str(module->name)), STR_ARG(name_str(cls->name)));
    }
    for (uint32_t i = 0; i < module->functions.len; i++) {
        const FuncInfo *func = module->functions.items[i];
        counts->functions++;
        counts->reachable += func->reachable;
        counts->entries += func->is_entry;
        counts->caught += func->reachable && func->caught;
        counts->unknown += func->unknown_calls.len;
        counts->edges += func->calls.len;
    }
    count_calls(module, counts);
}

// ---------------------------------------------------------------- --lines

// The first statement that starts in the line, or else the innermost one around it.
static Node *statement_at(Module *module, uint32_t line) {
    const Source *source = &module->unit->tree->source;
    if (line == 0 || line > source->line_count)
        return NULL;
    uint32_t start = source->lines[line - 1];
    uint32_t end = line < source->line_count ? source->lines[line] : (uint32_t)source->bytes.len;
    Node *found = NULL;
    Walk walk = {0};
    walk_push(&walk, module->unit->tree->module);
    for (Node *at; (at = walk_next(&walk));) {
        if (!node_is(at, NODE_MODULE) && (at->end <= start || at->start >= end))
            continue;
        if (node_is_stmt(at) && !node_is(at, NODE_MODULE))
            found = at;
        if (found == at && at->start >= start)
            break;
        walk_children(&walk, at);
    }
    walk_free(&walk);
    return found;
}

static Module *module_ending(Project *project, Str path) {
    for (uint32_t i = 0; i < project_module_count(project); i++)
        if (str_ends(project_module(project, i)->path, path))
            return project_module(project, i);
    return NULL;
}

static void check_lines(Project *project, const char *file) {
    uint32_t total[128] = {0}, inside[128] = {0};
    char kind, path[1024];
    unsigned line;
    FILE *lines = fopen(file, "r");
    while (lines && fscanf(lines, " %c %1000[^:]:%u", &kind, path, &line) == 3) {
        Module *module = module_ending(project, str_of(path));
        Node *node = module && module->unit ? statement_at(module, line) : NULL;
        bool is_inside = node && node_in_compiled_code(module, node);
        total[kind & 127]++;
        inside[kind & 127] += is_inside;
        if (!is_inside)
            printf("outside: %c %s:%u\n", kind, path, line);
    }
    if (lines)
        fclose(lines);
    for (int i = 0; i < 128; i++)
        if (total[i])
            printf("lines %c: %u of %u in compiled code\n", i, inside[i], total[i]);
}

int main(int argc, char **argv) {
    Arena *arena = arena_new();
    DiagList diags;
    diag_init(&diags, arena);
    Project *project = project_new(&diags, &(ProjectOptions){0});
    FILE *classes = NULL;
    const char *lines = NULL;
    double start = now();
    for (int i = 1; i < argc; i++) {
        Str why;
        if (strcmp(argv[i], "--classes") == 0 && i + 1 < argc)
            classes = fopen(argv[++i], "w");
        else if (strcmp(argv[i], "--lines") == 0 && i + 1 < argc)
            lines = argv[++i];
        else if (!project_add(project, argv[i], &why))
            fprintf(stderr, "%s: %.*s\n", argv[i], STR_ARG(why));
    }
    project_analyse(project);
    double seconds = now() - start;
    Counts c = {0};
    for (uint32_t i = 0; i < project_module_count(project); i++)
        if (project_module(project, i)->unit)
            count_module(project_module(project, i), &c, classes);
    if (classes)
        fclose(classes);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("modules %u, parsed %u (%.1f MB)\n", project_module_count(project), c.parsed,
           (double)c.bytes / 1e6);
    printf("classes %u, nn.Module %u\n", c.classes, c.modules);
    printf("functions %u, reachable %u, entries %u, may be caught %u, edges %llu\n", c.functions, c.reachable,
           c.entries, c.caught, (unsigned long long)c.edges);
    printf("calls in compiled code %llu, resolved %llu\n", (unsigned long long)c.calls,
           (unsigned long long)c.resolved);
    printf("logger calls %llu, resolved %llu\n", (unsigned long long)c.logger_calls,
           (unsigned long long)c.loggers);
    printf("%.2f s, %.2f s of CPU, %ld MB\n", seconds,
           (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6, usage.ru_maxrss / 1024);
    if (lines)
        check_lines(project, lines);
    project_free(project);
    diag_free(&diags);
    arena_free(arena);
    return 0;
}
