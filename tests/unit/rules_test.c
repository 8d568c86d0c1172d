// The embedded tables: rules, reasons, break ids, torch's operators, names.
#include "analysis/analysis.h"
#include "rules/rules.h"
#include "unit/test.h"

#include <time.h>

static bool rule_is(const char *key, const char *code) {
    const Rule *rule = rule_find(str_of(key));
    return rule && str_eq(name_str(rule->code), str_of(code));
}

TEST(rules) {
    EXPECT(rule_count() > 30);
    EXPECT(rule_is("GM201", "GM201") && rule_is("raising-guard", "GM201"));
    EXPECT(rule_is("GB0170", "GM101") && rule_is("GB0124", "GM401") && rule_is("GB0291", "GM302"));
    EXPECT(rule_is("GB0036", "GM501") && rule_is("GB0059", "GM301"));
    EXPECT(!rule_find(STR("GM999")) && !rule_find(STR("")));
    EXPECT(reason_find(STR("caught-in-region")) && reason_find(STR("raises-on-data-after-guard")));
    EXPECT(!reason_find(STR("nonsense")));
    for (uint32_t i = 0; i < rule_count(); i++)
        EXPECT(rule_at(i)->summary.len && rule_at(i)->help.len && rule_at(i)->category.len);
    for (uint32_t i = 0; i < reason_count(); i++)
        EXPECT(reason_find(name_str(reason_at(i)->id)) == reason_at(i));
    Str type, context;
    EXPECT(gb_find(STR("GB0170"), &type, &context) && str_eq(type, STR("Data-dependent branching")));
    EXPECT(!gb_find(STR("GB9999"), &type, &context));
}

TEST(operators) {
    EXPECT(torch_function_flags(NAME_OF("torch.isnan")) & OP_RETURNS_BOOL_TENSOR);
    EXPECT(torch_function_flags(NAME_OF("torch.any")) ==
           (OP_RETURNS_TENSOR | OP_RETURNS_BOOL_TENSOR | OP_REDUCES_TO_SCALAR));
    EXPECT(torch_function_flags(NAME_OF("torch.nn.functional.relu")) & OP_RETURNS_TENSOR);
    EXPECT(torch_function_flags(NAME_OF("torch.nn.functional.dropout")) & OP_RANDOM);
    EXPECT(torch_function_flags(NAME_OF("torch.nn.functional.embedding")) & OP_RAISES_ON_DATA);
    EXPECT(torch_function_flags(NAME_OF("torch.equal")) == (OP_RETURNS_BOOL | OP_DATA_DEPENDENT));
    EXPECT(torch_function_flags(NAME_OF("torch.linalg.cholesky")) & OP_RAISES_ON_DATA);
    EXPECT(torch_function_flags(NAME_OF("torch.is_tensor")) & OP_RETURNS_STATIC);
    EXPECT(torch_function_flags(NAME_OF("torch.Tensor.add_")) & OP_INPLACE);
    EXPECT(torch_function_flags(NAME_OF("torch.nonzero")) & OP_DYNAMIC_SHAPE);
    EXPECT(torch_function_flags(NAME_OF("os.getcwd")) == 0);
    EXPECT(torch_method_flags(NAME_OF("item")) == (OP_RETURNS_SCALAR | OP_DATA_DEPENDENT));
    EXPECT(torch_method_flags(NAME_OF("add_")) == (OP_INPLACE | OP_RETURNS_TENSOR));
    EXPECT(torch_method_flags(NAME_OF("view")) & OP_VIEW);
    EXPECT(torch_method_flags(NAME_OF("size")) == OP_RETURNS_STATIC);
    EXPECT(torch_method_flags(NAME_OF("float")) & OP_RETURNS_SELF);
    EXPECT(torch_method_flags(NAME_OF("chunk")) & OP_RETURNS_TENSORS);
    EXPECT(torch_method_is_distinctive(NAME_OF("unsqueeze")) &&
           torch_method_is_distinctive(NAME_OF("masked_fill")));
    EXPECT(!torch_method_is_distinctive(NAME_OF("any")) && !torch_method_is_distinctive(NAME_OF("to")));
    EXPECT(torch_module_flags(NAME_OF("torch.nn.Linear")) == (OP_RETURNS_TENSOR | OP_HEAVY));
    EXPECT(torch_module_flags(NAME_OF("torch.nn.modules.linear.Linear")) == (OP_RETURNS_TENSOR | OP_HEAVY));
    EXPECT(torch_module_flags(NAME_OF("torch.nn.Dropout")) & OP_RANDOM);
    EXPECT(torch_module_flags(NAME_OF("torch.nn.BatchNorm2d")) & OP_INPLACE);
}

TEST(names) {
    bool caches = true;
    EXPECT(is_logger_method(NAME_OF("info"), &caches) && !caches);
    EXPECT(is_logger_method(NAME_OF("warning_once"), &caches) && caches);
    EXPECT(!is_logger_method(NAME_OF("append"), NULL));
    EXPECT(is_logger_factory(NAME_OF("logging.getLogger")));
    EXPECT(is_compile_function(NAME_OF("torch.compile")) && !is_compile_function(NAME_OF("re.compile")));
    EXPECT(is_region_boundary(NAME_OF("torch.compiler.disable")));
    EXPECT(is_compiling_query(NAME_OF("torch.compiler.is_compiling")));
    EXPECT(is_higher_order_call(NAME_OF("torch.utils.checkpoint.checkpoint")));
    EXPECT(kinds_of_external_call(NAME_OF("len")) == KIND_INT);
    EXPECT(kinds_of_external_call(NAME_OF("torch.device")) == KIND_DEVICE);
    EXPECT(kinds_of_tensor_attribute(NAME_OF("shape")) == KIND_SEQUENCE);
    EXPECT(kinds_of_tensor_attribute(NAME_OF("grad")) == (KIND_TENSOR | KIND_NONE));
    EXPECT(kinds_of_annotation(NAME_OF("torch.FloatTensor")) == KIND_TENSOR);
    EXPECT(kinds_of_annotation(NAME_OF("numpy.ndarray")) == KIND_NDARRAY);
    EXPECT(kinds_of_parameter_name(NAME_OF("hidden_states")) == KIND_TENSOR);
    EXPECT(kinds_of_parameter_name(NAME_OF("config")) == 0);
}

int main(void) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    torch_method_flags(NAME_OF("view"));
    is_io_call(NAME_OF("print"));
    rule_count();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    fprintf(stderr, "tables read in %.2f ms\n", ms);
    RUN(rules);
    RUN(operators);
    RUN(names);
    return test_report();
}
