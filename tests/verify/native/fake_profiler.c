// A profiler as NVTX injects one: prints the ranges that it is told of.
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

static int push(const char *name) {
    return printf("push %s\n", name), fflush(stdout), 0;
}

static int pop(void) {
    return printf("pop\n"), fflush(stdout), 0;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable functions;
    unsigned count;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &count))
        return 0;
    *functions[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
    *functions[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
    return 1;
}
