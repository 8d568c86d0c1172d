// Which edits of a file belong to which finding.
//
// In:  a file's old and new text, its findings. Out: for a finding the changed spans that touch its statement, with those
// that no finding's statement explains (the import of the runtime): applied alone they give a file that works. Edits of
// more than EDIT_BYTES_MAX are left out: the whole file tells more than they do. Computed when first asked for.
#include "api/session.h"

enum { EDIT_BYTES_MAX = 64 * 1024 }; // a line of thousands of statements would otherwise be repeated for each

typedef struct Span {
    uint32_t start, end;
} Span;

// The lines of the statement that holds the finding.
static Span statement_span(const Finding *finding) {
    const Node *statement = finding->node ? node_statement(finding->node) : NULL;
    const Source *source = &finding->module->unit->tree->source;
    if (!statement)
        return (Span){source_line_start(source, finding->start), finding->end};
    return (Span){source_line_start(source, statement->start), statement->end};
}

// The first edit that ends at or behind `offset`.
static uint32_t first_edit(const EditList *edits, uint32_t offset) {
    uint32_t low = 0, high = edits->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->items[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void compute(gm_session *session, FileEdits *edits, uint32_t index) {
    const ModuleResult *result = &session->pipeline->modules.items[index];
    edits->done = true;
    if (!result->changed)
        return;
    diff_edits(result->source, buf_view(&result->output), &edits->list);
    bool *owned = calloc(edits->list.len + 1, sizeof *owned);
    CHECK(owned);
    for (uint32_t i = 0; i < result->findings.len; i++) {
        const Finding *finding = &result->findings.items[i];
        if (finding->status == STATUS_LEFT)
            continue;
        Span span = statement_span(finding);
        for (uint32_t e = first_edit(&edits->list, span.start); e < edits->list.len; e++) {
            if (edits->list.items[e].start > span.end)
                break;
            owned[e] = true;
        }
    }
    for (uint32_t e = 0; e < edits->list.len; e++)
        if (!owned[e])
            vec_push(&edits->common, edits->list.items[e]);
    free(owned);
}

static void add_edit(gm_session *session, const Edit *edit, size_t *bytes) {
    gm_edit out = {edit->start, edit->end, edit->text.ptr, edit->text.len};
    vec_push(&session->answer, out);
    *bytes += edit->text.len;
}

// In the order of the file.
const gm_edit *gm_finding_edits(gm_session *session, const gm_finding *finding, size_t *count) {
    *count = 0;
    vec_clear(&session->answer);
    const Finding *origin = session->origins.items[finding - session->findings.items];
    if (!origin || origin->status == STATUS_LEFT)
        return NULL;
    uint32_t index = (uint32_t)(finding->file - session->files.items);
    FileEdits *edits = &session->edits[index];
    if (!edits->done)
        compute(session, edits, index);
    size_t bytes = 0;
    uint32_t c = 0;
    // What only takes a comment out needs nothing else.
    uint32_t common = origin->node ? edits->common.len : 0;
    Span span = statement_span(origin);
    for (; c < common && edits->common.items[c].start < span.start; c++)
        add_edit(session, &edits->common.items[c], &bytes);
    for (uint32_t e = first_edit(&edits->list, span.start); e < edits->list.len; e++) {
        if (edits->list.items[e].start > span.end)
            break;
        add_edit(session, &edits->list.items[e], &bytes);
    }
    for (; c < common && bytes <= EDIT_BYTES_MAX; c++)
        add_edit(session, &edits->common.items[c], &bytes);
    if (bytes > EDIT_BYTES_MAX)
        return NULL;
    *count = session->answer.len;
    return session->answer.items;
}

void session_free_edits(gm_session *session) {
    for (uint32_t i = 0; session->edits && i < session->files.len; i++) {
        vec_free(&session->edits[i].list);
        vec_free(&session->edits[i].common);
    }
    vec_free(&session->answer);
}
