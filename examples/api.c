// The C API: checks a file, prints its findings with their edits, and how long the rewritten text is.
//
//     cc api.c -lgraphmend && ./a.out model.py
#include <graphmend/graphmend.h>

#include <stdio.h>

static size_t show(gm_session *session, const gm_finding *finding) {
    static const char *const statuses[] = {"left", "fixable", "guarded", "unsafe"};
    size_t count;
    const gm_edit *edits = gm_finding_edits(session, finding, &count);
    printf("%s:%u:%u: %s %s [%s]\n", finding->path, finding->range.start.line, finding->range.start.column,
           finding->code, finding->message, finding->reason ? finding->reason : statuses[finding->status]);
    for (size_t i = 0; i < count; i++)
        printf("    bytes %zu to %zu: %.*s\n", edits[i].start, edits[i].end, (int)edits[i].len,
               edits[i].text);
    return count;
}

int main(int argc, char **argv) {
    const char *select[] = {"GM1", "GM2", "GM3", NULL};
    const char *why = "";
    gm_session *session = gm_open(&(gm_options){.select = select, .runtime = GM_RUNTIME_IMPORT}, &why);
    if (!session || argc != 2 || !gm_add_path(session, argv[1])) {
        fprintf(stderr, "cannot check: %s\n", session && argc == 2 ? gm_error(session) : why);
        gm_close(session);
        return 2;
    }
    gm_check(session);
    size_t edits = 0, count = gm_finding_count(session);
    for (size_t i = 0; i < count; i++)
        edits += show(session, gm_finding_at(session, i));
    printf("%zu findings, %zu edits\n", count, edits);
    const gm_file *file = gm_file_find(session, argv[1]);
    if (file && file->output)
        printf("%zu bytes become %zu\n", file->len, file->output_len);
    gm_close(session);
    return 0;
}
