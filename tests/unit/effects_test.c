// Effects, purity and what follows in the region, on small modules.
#include "unit_helpers.h"

#define HEAD                                                                                                 \
    "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nimport logging\nlogger = "         \
    "logging.getLogger(__name__)\n"

static uint32_t effects_at(World *world, const char *text) {
    return effects_of_expr(world->module, expr_at(world, text));
}
static bool pure(World *world, const char *text) {
    return expr_is_pure(world->module, expr_at(world, text));
}

static void test_functions(void) {
    World world = world_open(
        HEAD "COUNT = 0\n"
             "def clean(x):\n    y = x + 1\n    y += 2\n    return y.relu()\n"
             "def inplace(x):\n    x.add_(1)\n    return x\n"
             "def augmented(x: torch.Tensor):\n    x += 1\n    return x\n"
             "def view(x: torch.Tensor):\n    v = x.view(-1)[0]\n    v.zero_()\n    return x\n"
             "def copy(x: torch.Tensor):\n    v = x.clone()\n    v.zero_()\n    v[0] = 3\n    return v\n"
             "def counts(x):\n    global COUNT\n    COUNT += 1\n    return x\n"
             "def stores(x, d):\n    d['k'] = x\n    return x\n"
             "def fills(x):\n    out = []\n    out.append(x)\n    d = {}\n    d['k'] = x\n    return out\n"
             "def prints(x):\n    print(x)\n    logger.info('x')\n    return x\n"
             "def random(x):\n    return F.dropout(x, 0.5) + torch.rand(3)\n"
             "def lookup(x, ids):\n    return F.embedding(ids, x)\n"
             "def passes_fresh(x: torch.Tensor):\n    return inplace(x * 2)\n"
             "def passes_own(x: torch.Tensor):\n    return inplace(x)\n"
             "def sized(x: torch.Tensor, n: torch.Tensor):\n    return x.split(n.tolist()), "
             "x.view(n.sum().item(), -1)\n"
             "def unknown(x):\n    return mystery(x)\n"
             "def recursive(x, n):\n    return x if n == 0 else recursive(x + 1, n - 1)\n"
             "def loops(x: torch.Tensor):\n    outs = ()\n    for i in range(3):\n        x = x * 2\n        "
             "outs += (x,)\n    return outs\n"
             "class Net(nn.Module):\n"
             "    def __init__(self):\n"
             "        super().__init__()\n"
             "        self.lin, self.bn, self.emb = nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Embedding(3, 3)\n"
             "        self.norm = nn.LayerNorm(3)\n        self.batch = nn.BatchNorm1d(3)\n        "
             "self.table = nn.Embedding(3, 3)\n"
             "        self.drop = nn.Dropout(0.1)\n        self.act = nn.ReLU(inplace=True)\n        "
             "self.steps = 0\n"
             "        self.register_buffer('count', torch.zeros(1))\n"
             "    def forward(self, x: torch.Tensor, ids: torch.Tensor):\n"
             "        y = self.norm(x)\n        self.steps = 1\n        self.count += 1\n"
             "        y = self.batch(y)\n        y = y + self.table(ids)\n        y = self.drop(y)\n        "
             "z = self.act(x)\n"
             "        w = self.act(x + 5)\n        return y + z\n");
    const uint32_t visible = EFFECT_WRITES_ATTR | EFFECT_WRITES_GLOBAL | EFFECT_WRITES_ITEM | EFFECT_INPLACE;
    T(!(effects_of_function(func_at(&world, "clean")) & (visible | EFFECT_UNKNOWN)));
    T(effects_of_function(func_at(&world, "inplace")) & EFFECT_INPLACE);
    T(effects_of_function(func_at(&world, "augmented")) & EFFECT_INPLACE);
    T(effects_of_function(func_at(&world, "view")) & EFFECT_INPLACE);
    T(!(effects_of_function(func_at(&world, "copy")) & visible));
    T(effects_of_function(func_at(&world, "counts")) & EFFECT_WRITES_GLOBAL);
    T(effects_of_function(func_at(&world, "stores")) & EFFECT_WRITES_ITEM);
    T(!(effects_of_function(func_at(&world, "fills")) & visible));
    T(effects_of_function(func_at(&world, "prints")) & EFFECT_IO);
    T(effects_of_function(func_at(&world, "random")) & EFFECT_RNG);
    T(effects_of_function(func_at(&world, "lookup")) & EFFECT_RAISES_ON_DATA);
    T(!(effects_of_function(func_at(&world, "passes_fresh")) & visible));
    T(effects_of_function(func_at(&world, "passes_own")) & EFFECT_INPLACE);
    T(effects_at(&world, "x.split(n.tolist())") & EFFECT_RAISES_ON_DATA);
    T(effects_at(&world, "x.view(n.sum().item(), -1)") & EFFECT_RAISES_ON_DATA);
    T(!(effects_at(&world, "x.view(-1)") & EFFECT_RAISES_ON_DATA));
    T(effects_of_function(func_at(&world, "unknown")) & EFFECT_UNKNOWN);
    T(!(effects_of_function(func_at(&world, "recursive")) & (visible | EFFECT_UNKNOWN)));
    T(!(effects_of_function(func_at(&world, "loops")) & visible));
    T(!(effects_at(&world, "self.norm(x)") & (visible | EFFECT_UNKNOWN | EFFECT_RNG)));
    T(effects_at(&world, "self.batch(y)") & EFFECT_INPLACE);
    T(effects_at(&world, "self.table(ids)") & EFFECT_RAISES_ON_DATA);
    T(effects_at(&world, "self.drop(y)") & EFFECT_RNG);
    T(effects_at(&world, "self.act(x)") & EFFECT_INPLACE);
    T(!(effects_at(&world, "self.act(x + 5)") & EFFECT_INPLACE));
    T(effects_of_stmt(world.module, nth_node(&world, "self.steps = 1", NODE_ASSIGN, 0)) & EFFECT_WRITES_ATTR);
    T(effects_of_stmt(world.module, nth_node(&world, "self.count += 1", NODE_AUG_ASSIGN, 0)) &
      EFFECT_INPLACE);
    world_close(&world);
}

static void test_pure(void) {
    World world = world_open(HEAD "TABLE = {1: 2.0}\n"
                                  "def helper(t: torch.Tensor):\n    return t * 2\n"
                                  "@torch.compile\n"
                                  "def f(x: torch.Tensor, y: torch.Tensor, n: int, key, ids: torch.Tensor):\n"
                                  "    return [x * 2 + y, x.clamp(-1, 1), torch.relu(x), x.shape[0], x[0], "
                                  "x[n], x[1:], x[ids], 10 // n, n * 2 + 1,\n"
                                  "            TABLE[key], f'{n}', f'{x}', x.add_(1), torch.rand(3), "
                                  "F.dropout(x), x.any().item(), int(x.sum()),\n"
                                  "            helper(x), mystery(x), F.embedding(ids, x), n / 2, x / y, x "
                                  "// ids, not x.any(), x.dtype == torch.float16,\n"
                                  "            key.attr, len(x), isinstance(key, int), "
                                  "torch.finfo(x.dtype).max - 1000, x.sum(dim=-1), x @ y, [x, y],\n"
                                  "            (x > 0) & (y > 0), x if n > 1 else y, x.nonzero(), "
                                  "torch.where(x > 0, x, y), torch.cat([x, y])]\n");
    static const char *const yes[] = {"x * 2 + y",
                                      "x.clamp(-1, 1)",
                                      "torch.relu(x)",
                                      "x.shape[0]",
                                      "x[0]",
                                      "x[1:]",
                                      "n * 2 + 1",
                                      "f'{n}'",
                                      "helper(x)",
                                      "n / 2",
                                      "x / y",
                                      "x.dtype == torch.float16",
                                      "len(x)",
                                      "isinstance(key, int)",
                                      "torch.finfo(x.dtype).max - 1000",
                                      "x.sum(dim=-1)",
                                      "x @ y",
                                      "[x, y]",
                                      "(x > 0) & (y > 0)",
                                      "x if n > 1 else y",
                                      "torch.where(x > 0, x, y)",
                                      "torch.cat([x, y])"};
    static const char *const no[] = {"x[n]",           "x[ids]",       "10 // n",       "TABLE[key]",
                                     "f'{x}'",         "x.add_(1)",    "torch.rand(3)", "F.dropout(x)",
                                     "x.any().item()", "int(x.sum())", "mystery(x)",    "F.embedding(ids, x)",
                                     "x // ids",       "not x.any()",  "key.attr",      "x.nonzero()"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        check_at(pure(&world, yes[i]), __LINE__, yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        check_at(!pure(&world, no[i]), __LINE__, no[i]);
    world_close(&world);
}

static uint32_t after(World *world, const char *guard, uint32_t wanted, bool about) {
    Node *node = nth_node(world, guard, NODE_IF, 0);
    return effects_after(world->module, node, wanted, about ? node->u.branch.test : NULL, NULL).effects;
}

static void test_after(void) {
    World world =
        world_open(HEAD "def check(t):\n"
                        "    if t.isnan().any(): raise ValueError('nan')\n"
                        "    return t\n"
                        "def gather_rows(table: torch.Tensor, index: torch.Tensor, offset: torch.Tensor):\n"
                        "    limit = table.shape[0]\n"
                        "    if (index >= limit).any(): raise KeyError('row')\n"
                        "    if (offset > 3).any(): raise KeyError('offset')\n"
                        "    rows = table[index]\n"
                        "    return rows + offset\n"
                        "class Net(nn.Module):\n"
                        "    def __init__(self):\n        super().__init__()\n        self.table = "
                        "nn.Embedding(8, 4)\n        self.calls = 0\n"
                        "    def look(self, ids):\n        return self.table(ids)\n"
                        "    def forward(self, ids: torch.Tensor, w: torch.Tensor, labels: torch.Tensor):\n"
                        "        if ids.max() >= 8: raise IndexError('id')\n"
                        "        if w.max() >= 9: raise IndexError('w')\n"
                        "        h = self.look(ids) * w\n"
                        "        h = check(h)\n"
                        "        self.calls += 1\n"
                        "        return F.cross_entropy(h, labels)\n"
                        "def late(x: torch.Tensor):\n"
                        "    for i in range(3):\n"
                        "        x.mul_(2)\n"
                        "        if x.sum() > 3: raise ValueError('sum')\n"
                        "    return x\n"
                        "def quiet(x: torch.Tensor):\n"
                        "    x = x * 2\n"
                        "    if x.sum() > 4: raise ValueError('sum')\n"
                        "    y = x.relu()\n    y += 1\n    return y\n"
                        "net = torch.compile(Net())\ng = torch.compile(gather_rows)\nl = "
                        "torch.compile(late)\nq = torch.compile(quiet)\n");
    const uint32_t writes = EFFECT_WRITES_ATTR | EFFECT_WRITES_GLOBAL | EFFECT_WRITES_ITEM | EFFECT_INPLACE;
    T(after(&world, "if (index >= limit).any(): raise KeyError('row')", EFFECT_RAISES_ON_DATA, true) &
      EFFECT_RAISES_ON_DATA);
    T(!(after(&world, "if (offset > 3).any(): raise KeyError('offset')", EFFECT_RAISES_ON_DATA, true) &
        EFFECT_RAISES_ON_DATA));
    Node *guard = nth_node(&world, "if ids.max() >= 8: raise IndexError('id')", NODE_IF, 0);
    T(effects_after(world.module, guard, EFFECT_RAISES_ON_DATA, guard->u.branch.test, NULL).by_place);
    T(!after(&world, "if w.max() >= 9: raise IndexError('w')", EFFECT_RAISES_ON_DATA, true));
    T(after(&world, "if w.max() >= 9: raise IndexError('w')", EFFECT_RAISES_ON_DATA, false));
    T(after(&world, "if ids.max() >= 8: raise IndexError('id')", writes, false) & EFFECT_WRITES_ATTR);
    T(after(&world, "if t.isnan().any(): raise ValueError('nan')", writes, false) &
      EFFECT_WRITES_ATTR); // in the caller
    T(!after(&world, "if t.isnan().any(): raise ValueError('nan')", EFFECT_RAISES_ON_DATA,
             true)); // class numbers, not logits
    T(after(&world, "if x.sum() > 3: raise ValueError('sum')", writes, false) &
      EFFECT_INPLACE); // round the loop
    T(!after(&world, "if x.sum() > 4: raise ValueError('sum')", writes, false));
    world_close(&world);
}

// What only the branch would bind stays None where its body is not run.
static void test_after_untaken(void) {
    World world = world_open(HEAD "def f(x: torch.Tensor, y=None):\n"
                                  "    a, b = None, None\n"
                                  "    if (x == 1).any(): a = y[0]\n"
                                  "    if a is not None: x.add_(1)\n"
                                  "    if (x == 2).any(): b = y[0]\n"
                                  "    b = x\n"
                                  "    if b is not None: x.add_(1)\n"
                                  "    return x\n"
                                  "def g(x: torch.Tensor, y=None):\n"
                                  "    a = None\n"
                                  "    if (x == 3).any(): a = y[0]\n"
                                  "    if a is not None: x.add_(1)\n"
                                  "    else: x = x + 1\n"
                                  "    return x\n"
                                  "f = torch.compile(f)\ng = torch.compile(g)\n");
    const char *const branches[] = {"if (x == 1).any(): a = y[0]", "if (x == 2).any(): b = y[0]",
                                    "if (x == 3).any(): a = y[0]"};
    for (int i = 0; i < 3; i++) {
        Node *branch = nth_node(&world, branches[i], NODE_IF, 0);
        T(effects_after(world.module, branch, EFFECT_INPLACE, NULL, NULL).effects);
        T(!effects_after(world.module, branch, EFFECT_INPLACE, NULL, branch).effects == (i == 2));
    }
    world_close(&world);
}

static void test_change(void) {
    World world = world_open(HEAD "@torch.compile\n"
                                  "def f(x: torch.Tensor):\n"
                                  "    a = x * 2\n"
                                  "    if x.sum() > 0: b = x\n"
                                  "    else: b = a\n"
                                  "    if x.sum() > 1: c = x + 1\n"
                                  "    else: c = x - 1\n"
                                  "    v = b.view(-1)\n"
                                  "    v.add_(1)\n"
                                  "    return x, c + 1\n");
    Node *first = nth_node(&world, "if x.sum() > 0: b = x\n    else: b = a", NODE_IF, 0);
    Node *second = nth_node(&world, "if x.sum() > 1: c = x + 1\n    else: c = x - 1", NODE_IF, 0);
    T(may_change_after(world.module, first, first->u.branch.body.items[0]->u.assign.targets.items[0]));
    T(!may_change_after(world.module, second, second->u.branch.body.items[0]->u.assign.targets.items[0]));
    world_close(&world);
}

static void add_callers(Buf *source, int from, int to) {
    for (int i = from; i < to; i++)
        buf_printf(source, "def c%d(t):\n    return check(t)\n", i);
    buf_printf(source, "@torch.compile\ndef run%d(x: torch.Tensor, k):\n", from);
    for (int i = from; i < to; i++)
        buf_printf(source, "    if k == %d: return c%d(x)\n", i, i);
}

// 900 callers, and in their middle one that changes its argument afterwards.
static void test_many_callers(void) {
    Buf source = {0};
    buf_cstr(&source, HEAD "def check(t):\n    if t.isnan().any(): raise ValueError('nan')\n    return t\n");
    add_callers(&source, 0, 450);
    buf_cstr(&source, "@torch.compile\ndef changes(t: torch.Tensor):\n    r = inner(t)\n    t.add_(1)\n"
                      "    return r\ndef inner(t):\n    return check(t)\n");
    add_callers(&source, 450, 900);
    World world = world_open(source.ptr);
    T(after(&world, "if t.isnan().any(): raise ValueError('nan')", EFFECT_INPLACE, false));
    world_close(&world);
    buf_free(&source);
}

int main(void) {
    test_functions();
    test_pure();
    test_after();
    test_after_untaken();
    test_many_callers();
    test_change();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
