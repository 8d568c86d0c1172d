// [Where]: branches on tensor values. Not built yet: every such finding is left, with the reason "needs-where".
#include "passes/rewrite.h"

#include "rules/rules.h"

void pass_where(PassContext *context) {
    for (uint32_t i = 0; i < context->findings->len; i++) {
        Finding *finding = &context->findings->items[i];
        if (str_eq(finding->rule->category, STR("branch")) && finding->status == STATUS_LEFT)
            decline(finding, "needs-where", finding->node);
    }
}
