// GM105 and GM407: comprehensions.
//     [row for row in rows if row.any()]              GM105   a filter on tensor values
//     [int(h) for h, w in zip(heights, widths)]       GM407   something in it breaks: the iterator itself cannot be handed
//                                                             to the next graph, so that there is a second break
#include "detect/detect_internal.h"

void detect_filter(Detector *detector, Node *clause) {
    for (uint32_t i = 0; i < clause->u.comprehension.ifs.len; i++) {
        Node *test = clause->u.comprehension.ifs.items[i];
        if (decides_on_data(detector->module, test))
            detector_add(detector, "GM105", clause, test->start, test->end, STR("a filter on tensor values"));
    }
}

// `before`: how many findings there were before its parts were looked at.
void detect_comprehension(Detector *detector, Node *node, uint32_t before) {
    if (detector->findings->len == before || node_is(node, NODE_GENERATOR_EXP) || !node->u.comp.clauses.len)
        return;
    const Node *first = node->u.comp.clauses.items[0];
    bool inside = false;
    for (uint32_t i = before; i < detector->findings->len;
         i++) // the first iterable is evaluated before, outside
        inside = inside || !node_contains(first->u.comprehension.iter, vec_at(detector->findings, i).node);
    if (!inside || is_array(detector->module, first->u.comprehension.iter))
        return;
    if (!detector_add(detector, "GM407", node, node->start, node->end,
                      STR("a comprehension with a break inside")))
        return;
    // In source order: before what it holds.
    Finding found = vec_pop(detector->findings);
    vec_push(detector->findings, found);
    Finding *items = detector->findings->items;
    memmove(items + before + 1, items + before, (detector->findings->len - 1 - before) * sizeof *items);
    items[before] = found;
}
