// Facts about values and predicates, on small modules.
#include "unit_helpers.h"

#define HEAD                                                                                                 \
    "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nfrom typing import Optional, "     \
    "Tuple, List, Union\n"

static bool is(World *world, const char *text, uint32_t kinds) {
    Fact fact = fact_of(world->module, expr_at(world, text));
    if (fact.kinds != kinds)
        printf("  %s: kinds %x, expected %x\n", text, fact.kinds, kinds);
    return fact.kinds == kinds;
}
static bool test_is(World *world, const char *text, Predicate expected) {
    Predicate predicate = predicate_of(world->module, expr_at(world, text));
    if (predicate != expected)
        printf("  %s: predicate %d, expected %d\n", text, predicate, expected);
    return predicate == expected;
}

static void test_operators(void) {
    World world = world_open(HEAD "@torch.compile\n"
                                  "def f(x: torch.Tensor, n: int, s='a', eps=1e-6, flag=False):\n"
                                  "    a = x + n\n"
                                  "    b = x.shape[0] * 2\n"
                                  "    c = x > n\n"
                                  "    d = n / 2\n"
                                  "    e = x.sum().item()\n"
                                  "    g = e * 2\n"
                                  "    h = not x.any()\n"
                                  "    i = x is None\n"
                                  "    j = [x, n]\n"
                                  "    k = x.topk(3)\n"
                                  "    values, where = x.max(dim=-1)\n"
                                  "    l = x.size()\n"
                                  "    m = x.dim()\n"
                                  "    o = (a, b)\n"
                                  "    p, q = o\n"
                                  "    r = torch.where(x > 0)\n"
                                  "    t = x.tolist()\n"
                                  "    u = x.dtype == torch.float16\n"
                                  "    v = torch.finfo(x.dtype).max\n"
                                  "    w = x.T\n"
                                  "    y = len(x)\n"
                                  "    z = f'{n}'\n"
                                  "    return values + 1, where + 1, p + 1, q + 1, eps * 1\n");
    T(is(&world, "x + n", KIND_TENSOR));
    T(is(&world, "x.shape[0] * 2", KIND_INT));
    T(is(&world, "x > n", KIND_TENSOR));
    T(is(&world, "n / 2", KIND_FLOAT));
    T(is(&world, "x.sum().item()", KIND_SCALAR_READ));
    T(is(&world, "e * 2", KIND_SCALAR_READ));
    T(is(&world, "not x.any()", KIND_SCALAR_READ));
    T(is(&world, "x is None", KIND_BOOL));
    T(is(&world, "[x, n]", KIND_SEQUENCE));
    T(is(&world, "x.topk(3)", KIND_SEQUENCE));
    T(is(&world, "values + 1", KIND_TENSOR) && is(&world, "where + 1", KIND_TENSOR));
    T(is(&world, "x.size()", KIND_SEQUENCE) && is(&world, "x.dim()", KIND_INT));
    T(is(&world, "p + 1", KIND_TENSOR) && is(&world, "q + 1", KIND_INT));
    T(is(&world, "torch.where(x > 0)", KIND_SEQUENCE));
    T(is(&world, "x.dtype == torch.float16", KIND_BOOL));
    T(is(&world, "torch.finfo(x.dtype).max", KIND_FLOAT));
    T(is(&world, "x.T", KIND_TENSOR) && is(&world, "len(x)", KIND_INT));
    T(is(&world, "eps * 1", KIND_FLOAT | KIND_INT));
    T(fact_of(world.module, expr_at(&world, "x > n")).dtype == DTYPE_BOOL);
    T(fact_of(world.module, expr_at(&world, "x.sum()")).rank == 0);
    T(expr_reads_tensor(world.module, expr_at(&world, "x.sum().item()")));
    T(!expr_reads_tensor(world.module, expr_at(&world, "x.shape[0] * 2")));
    world_close(&world);
}

static void test_annotations(void) {
    World world = world_open(
        HEAD "class Net(nn.Module):\n"
             "    def forward(self, a: Optional[torch.FloatTensor] = None, b: 'torch.Tensor' = None,\n"
             "                c: Tuple[torch.Tensor, int] = None, d: Union[int, float] = 1, e: "
             "torch.LongTensor | None = None,\n"
             "                g: List[torch.Tensor] = None, h: Optional[bool] = None, i: "
             "'Optional[torch.Tensor]' = None):\n"
             "        p, q = c\n"
             "        for t in g:\n"
             "            u = t * 1\n"
             "        return (a, b, d, e, h, i, p, q)\n");
    T(is(&world, "a", KIND_TENSOR | KIND_NONE) && is(&world, "b", KIND_TENSOR | KIND_NONE));
    T(is(&world, "d", KIND_INT | KIND_FLOAT) && is(&world, "e", KIND_TENSOR | KIND_NONE));
    T(is(&world, "h", KIND_BOOL | KIND_NONE) && is(&world, "i", KIND_TENSOR | KIND_NONE));
    T(is(&world, "t * 1", KIND_TENSOR));
    world_close(&world);
}

static void test_modules(void) {
    World world = world_open(HEAD "class Config:\n    def __init__(self):\n        self.flag = True\n"
                                  "class Inner(nn.Module):\n"
                                  "    def __init__(self, dim, eps=1e-5):\n"
                                  "        super().__init__()\n"
                                  "        self.weight = nn.Parameter(torch.ones(dim))\n"
                                  "        self.register_buffer('mask', torch.ones(3))\n"
                                  "        self.eps = eps\n"
                                  "    def forward(self, h):\n"
                                  "        return h * self.weight, h.shape[-1]\n"
                                  "class Net(nn.Module):\n"
                                  "    def __init__(self, config):\n"
                                  "        super().__init__()\n"
                                  "        self.config = config\n"
                                  "        self.inner = Inner(3)\n"
                                  "        self.lin = nn.Linear(3, 3)\n"
                                  "        self.max_len = config.max_len\n"
                                  "        self.layers = nn.ModuleList([Inner(3) for _ in range(2)])\n"
                                  "    def forward(self, x):\n"
                                  "        y, n = self.inner(x)\n"
                                  "        z = self.lin(y)\n"
                                  "        if self.config.any():\n            z = z + 1\n"
                                  "        if self.max_len > 3 and self.training:\n            z = z + 2\n"
                                  "        if self.inner.mask.all():\n            z = z + 3\n"
                                  "        for layer in self.layers:\n"
                                  "            z, m = layer(z)\n"
                                  "        if z.max() > self.inner.eps:\n            z = z + 4\n"
                                  "        return z, n + 1, m + 1, z + 9\n");
    T(is(&world, "self.weight", KIND_TENSOR));
    T(is(&world, "self.inner.mask", KIND_TENSOR) && is(&world, "self.inner.eps", KIND_FLOAT));
    T(is(&world, "n + 1", KIND_INT) && is(&world, "m + 1", KIND_INT));
    T(is(&world, "self.lin(y)", KIND_TENSOR) && is(&world, "z + 9", KIND_TENSOR));
    T(test_is(&world, "self.config.any()", PRED_UNKNOWN));
    T(test_is(&world, "self.max_len > 3 and self.training", PRED_STATIC));
    T(test_is(&world, "self.inner.mask.all()", PRED_DATA));
    T(test_is(&world, "z.max() > self.inner.eps", PRED_DATA));
    world_close(&world);
}

static void test_predicates(void) {
    World world = world_open(HEAD "@torch.compile\n"
                                  "def f(x, mask=None, scale=1.0, items=None):\n"
                                  "    x = x.unsqueeze(0)\n"
                                  "    if mask is not None and x.any(): pass\n"
                                  "    if x.shape[0] > 3 or x.dtype == torch.float16: pass\n"
                                  "    if torch.equal(x, x): pass\n"
                                  "    if torch.is_tensor(mask): pass\n"
                                  "    if 3 in x: pass\n"
                                  "    if any(t > 0 for t in x): pass\n"
                                  "    if all([x.max() > 1, x.min() < 0]): pass\n"
                                  "    if int(x.sum()) > 2: pass\n"
                                  "    if max(x.max(), x.min()) > 3: pass\n"
                                  "    if isinstance(scale, torch.Tensor):\n        x = x + scale.any()\n"
                                  "    elif scale != 1.0:\n        x = x * 2\n"
                                  "    if not torch.compiler.is_compiling() and x.all(): pass\n"
                                  "    while x.norm() > 1: x = x / 2\n"
                                  "    if hasattr(f, 'y') and len(items) > 0: pass\n"
                                  "    if unknown_thing(x): pass\n"
                                  "    return x\n");
    T(test_is(&world, "mask is not None and x.any()", PRED_DATA));
    T(test_is(&world, "x.shape[0] > 3 or x.dtype == torch.float16", PRED_STATIC));
    T(test_is(&world, "torch.equal(x, x)", PRED_DATA) &&
      test_is(&world, "torch.is_tensor(mask)", PRED_STATIC));
    T(test_is(&world, "3 in x", PRED_DATA) && test_is(&world, "any(t > 0 for t in x)", PRED_DATA));
    T(test_is(&world, "all([x.max() > 1, x.min() < 0])", PRED_DATA) &&
      test_is(&world, "int(x.sum()) > 2", PRED_DATA));
    T(test_is(&world, "max(x.max(), x.min()) > 3", PRED_DATA));
    T(test_is(&world, "scale != 1.0", PRED_STATIC));
    T(test_is(&world, "not torch.compiler.is_compiling() and x.all()", PRED_STATIC));
    T(test_is(&world, "x.norm() > 1", PRED_DATA));
    T(test_is(&world, "hasattr(f, 'y') and len(items) > 0", PRED_STATIC));
    T(test_is(&world, "unknown_thing(x)", PRED_UNKNOWN));
    world_close(&world);
}

static void test_cycles(void) {
    World world = world_open(HEAD "def even(x, n):\n    return x if n == 0 else odd(x + 1, n - 1)\n"
                                  "def odd(x, n):\n    return x * 2 if n == 0 else even(x, n - 1)\n"
                                  "@torch.compile\n"
                                  "def f(a: torch.Tensor):\n"
                                  "    h = a\n"
                                  "    for i in range(3):\n        h = even(h, i) + h\n"
                                  "    return h + 0\n");
    T(is(&world, "h + 0", KIND_TENSOR));
    T(is(&world, "even(h, i)", KIND_TENSOR));
    world_close(&world);
    // Deep nesting must not exhaust the stack.
    Buf source = {0};
    buf_cstr(&source, HEAD "@torch.compile\ndef f(x):\n    return x");
    for (int i = 0; i < 180; i++)
        buf_cstr(&source, " + 1");
    buf_cstr(&source, "\n");
    World deep = world_open(source.ptr);
    Node *value = nth_node(&deep, "x", NODE_NAME, 0);
    while (node_is_expr(value->parent))
        value = value->parent;
    T(fact_of(deep.module, value).kinds != 0);
    world_close(&deep);
    buf_free(&source);
}

// The last of 60 returns counts too.
static void test_many_returns(void) {
    Buf source = {0};
    buf_cstr(&source, HEAD "def pick(k, other):\n");
    for (int i = 0; i < 60; i++)
        buf_printf(&source, "    if k == %d: return 'text'\n", i);
    buf_cstr(&source, "    return other\n@torch.compile\ndef f(x):\n    return pick(9, x)\n");
    World world = world_open(source.ptr);
    T(is(&world, "pick(9, x)", KIND_ANY));
    world_close(&world);
    buf_free(&source);
}

int main(void) {
    test_operators();
    test_annotations();
    test_modules();
    test_predicates();
    test_cycles();
    test_many_returns();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
