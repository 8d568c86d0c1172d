// The embedded tables: rules, reasons, break ids, torch's operators, names.
#include <stdio.h>
#include <time.h>

#include "analysis/analysis.h"
#include "rules/rules.h"

static int passed, failed;
static void check(bool ok, const char *what) {
    ok ? passed++ : failed++;
    if (!ok)
        printf("FAILED: %s\n", what);
}
#define T(cond) check((cond), #cond)

static bool rule_is(const char *key, const char *code) {
    const Rule *rule = rule_find(str_of(key));
    return rule && str_eq(name_str(rule->code), str_of(code));
}

static void test_rules(void) {
    T(rule_count() > 30);
    T(rule_is("GM201", "GM201") && rule_is("raising-guard", "GM201"));
    T(rule_is("GB0170", "GM101") && rule_is("GB0124", "GM401") && rule_is("GB0291", "GM302"));
    T(rule_is("GB0036", "GM501") && rule_is("GB0059", "GM301"));
    T(!rule_find(STR("GM999")) && !rule_find(STR("")));
    T(reason_find(STR("caught-in-region")) && reason_find(STR("raises-on-data-after-guard")));
    T(!reason_find(STR("nonsense")));
    for (uint32_t i = 0; i < rule_count(); i++)
        T(rule_at(i)->summary.len && rule_at(i)->help.len && rule_at(i)->category.len);
    for (uint32_t i = 0; i < reason_count(); i++)
        T(reason_find(name_str(reason_at(i)->id)) == reason_at(i));
    Str type, context;
    T(gb_find(STR("GB0170"), &type, &context) && str_eq(type, STR("Data-dependent branching")));
    T(!gb_find(STR("GB9999"), &type, &context));
}

static void test_operators(void) {
    T(torch_function_flags(NAME_OF("torch.isnan")) & OP_RETURNS_BOOL_TENSOR);
    T(torch_function_flags(NAME_OF("torch.any")) ==
      (OP_RETURNS_TENSOR | OP_RETURNS_BOOL_TENSOR | OP_REDUCES_TO_SCALAR));
    T(torch_function_flags(NAME_OF("torch.nn.functional.relu")) & OP_RETURNS_TENSOR);
    T(torch_function_flags(NAME_OF("torch.nn.functional.dropout")) & OP_RANDOM);
    T(torch_function_flags(NAME_OF("torch.nn.functional.embedding")) & OP_RAISES_ON_DATA);
    T(torch_function_flags(NAME_OF("torch.equal")) == (OP_RETURNS_BOOL | OP_DATA_DEPENDENT));
    T(torch_function_flags(NAME_OF("torch.linalg.cholesky")) & OP_RAISES_ON_DATA);
    T(torch_function_flags(NAME_OF("torch.is_tensor")) & OP_RETURNS_STATIC);
    T(torch_function_flags(NAME_OF("torch.Tensor.add_")) & OP_INPLACE);
    T(torch_function_flags(NAME_OF("torch.nonzero")) & OP_DYNAMIC_SHAPE);
    T(torch_function_flags(NAME_OF("os.getcwd")) == 0);
    T(torch_method_flags(NAME_OF("item")) == (OP_RETURNS_SCALAR | OP_DATA_DEPENDENT));
    T(torch_method_flags(NAME_OF("add_")) == (OP_INPLACE | OP_RETURNS_TENSOR));
    T(torch_method_flags(NAME_OF("view")) & OP_VIEW);
    T(torch_method_flags(NAME_OF("size")) == OP_RETURNS_STATIC);
    T(torch_method_flags(NAME_OF("float")) & OP_RETURNS_SELF);
    T(torch_method_flags(NAME_OF("chunk")) & OP_RETURNS_TENSORS);
    T(torch_method_is_distinctive(NAME_OF("unsqueeze")) &&
      torch_method_is_distinctive(NAME_OF("masked_fill")));
    T(!torch_method_is_distinctive(NAME_OF("any")) && !torch_method_is_distinctive(NAME_OF("to")));
    T(torch_module_flags(NAME_OF("torch.nn.Linear")) == (OP_RETURNS_TENSOR | OP_HEAVY));
    T(torch_module_flags(NAME_OF("torch.nn.modules.linear.Linear")) == (OP_RETURNS_TENSOR | OP_HEAVY));
    T(torch_module_flags(NAME_OF("torch.nn.Dropout")) & OP_RANDOM);
    T(torch_module_flags(NAME_OF("torch.nn.BatchNorm2d")) & OP_INPLACE);
}

static void test_names(void) {
    bool caches = true;
    T(is_logger_method(NAME_OF("info"), &caches) && !caches);
    T(is_logger_method(NAME_OF("warning_once"), &caches) && caches);
    T(!is_logger_method(NAME_OF("append"), NULL));
    T(is_logger_factory(NAME_OF("logging.getLogger")));
    T(is_compile_function(NAME_OF("torch.compile")) && !is_compile_function(NAME_OF("re.compile")));
    T(is_region_boundary(NAME_OF("torch.compiler.disable")));
    T(is_compiling_query(NAME_OF("torch.compiler.is_compiling")));
    T(is_higher_order_call(NAME_OF("torch.utils.checkpoint.checkpoint")));
    T(kinds_of_external_call(NAME_OF("len")) == KIND_INT);
    T(kinds_of_external_call(NAME_OF("torch.device")) == KIND_DEVICE);
    T(kinds_of_tensor_attribute(NAME_OF("shape")) == KIND_SEQUENCE);
    T(kinds_of_tensor_attribute(NAME_OF("grad")) == (KIND_TENSOR | KIND_NONE));
    T(kinds_of_annotation(NAME_OF("torch.FloatTensor")) == KIND_TENSOR);
    T(kinds_of_annotation(NAME_OF("numpy.ndarray")) == KIND_NDARRAY);
    T(kinds_of_parameter_name(NAME_OF("hidden_states")) == KIND_TENSOR);
    T(kinds_of_parameter_name(NAME_OF("config")) == 0);
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
    test_rules();
    test_operators();
    test_names();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
