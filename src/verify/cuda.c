// cuda.h over libcudart and libcuda, opened by dlopen. PyTorch's CUDA builds have loaded theirs already, which is then the
// one that is found by its name.
#include "verify/cuda.h"

#include "verify/cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#ifdef GRAPHMEND_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

#define X(result, name, arguments) result(*name) arguments;
static struct {
    CUDA_RUNTIME(X)
} runtime;
static struct {
    CUDA_DRIVER(X)
} driver;
#undef X

static char why[256] = "no CUDA runtime was found";

const char *cuda_error(void) {
    return why;
}

static void *open_first(const char *const *names) {
    for (void *library; *names; names++)
        if ((library = dlopen(*names, RTLD_NOW)))
            return library;
    return NULL;
}

// ISO C has no conversion from dlsym's pointer to a function's; POSIX asks for this one to work.
static bool find(void *library, const char *name, void *slot) {
    *(void **)slot = dlsym(library, name);
    if (!*(void **)slot)
        snprintf(why, sizeof why, "the CUDA library at hand has no %s", name);
    return *(void **)slot != NULL;
}

static bool load_runtime(void) {
    static const char *const names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0",
                                        "libcudart.so", NULL};
    void *library = open_first(names);
    bool good = library != NULL;
#define X(result, name, arguments) good = good && find(library, #name, &runtime.name);
    CUDA_RUNTIME(X)
#undef X
    return good;
}

static bool load_driver(void) {
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    void *library = open_first(names);
    bool good = library != NULL;
#define X(result, name, arguments) good = good && find(library, #name, &driver.name);
    CUDA_DRIVER(X)
#undef X
    return good;
}

static bool runtime_ready(void) {
    static enum { UNKNOWN, ABSENT, READY } state;
    if (state == UNKNOWN)
        state = load_runtime() ? READY : ABSENT;
    return state == READY;
}

static bool check(unsigned status, const char *call) {
    if (status)
        snprintf(why, sizeof why, "%s: %s", call, runtime.cudaGetErrorString(status));
    return status == 0;
}
#define CHECK(name, ...) check(runtime.name(__VA_ARGS__), #name)

bool cuda_available(void) {
    int count = 0;
    if (!runtime_ready() || !CHECK(cudaGetDeviceCount, &count))
        return false;
    if (count == 0)
        snprintf(why, sizeof why, "CUDA sees no device");
    return count > 0;
}

bool cuda_device(CudaDevice *device) {
    int ordinal, handle;
    if (!cuda_available() || !CHECK(cudaGetDevice, &ordinal) ||
        !CHECK(cudaDeviceGetAttribute, &device->major, CUDA_CAPABILITY_MAJOR, ordinal) ||
        !CHECK(cudaDeviceGetAttribute, &device->minor, CUDA_CAPABILITY_MINOR, ordinal) ||
        !CHECK(cudaMemGetInfo, &device->memory_free, &device->memory_total) ||
        !CHECK(cudaDriverGetVersion, &device->driver) || !CHECK(cudaRuntimeGetVersion, &device->runtime))
        return false;
    // The runtime gives the name only in a structure that differs from version to version.
    if (!load_driver())
        return false;
    if (driver.cuInit(0) || driver.cuDeviceGet(&handle, ordinal) ||
        driver.cuDeviceGetName(device->name, (int)sizeof device->name, handle)) {
        snprintf(why, sizeof why, "the CUDA driver does not give the device's name");
        return false;
    }
    return true;
}

bool cuda_synchronize(void) {
    return cuda_available() && CHECK(cudaDeviceSynchronize);
}

bool cuda_timer_open(CudaTimer *timer) {
    *timer = (CudaTimer){0};
    return cuda_available() && CHECK(cudaEventCreate, &timer->start) && CHECK(cudaEventCreate, &timer->stop);
}

bool cuda_timer_start(CudaTimer *timer) {
    return CHECK(cudaEventRecord, timer->start, NULL);
}

bool cuda_timer_stop(CudaTimer *timer, int64_t *nanoseconds) {
    float milliseconds;
    if (!CHECK(cudaEventRecord, timer->stop, NULL) || !CHECK(cudaEventSynchronize, timer->stop) ||
        !CHECK(cudaEventElapsedTime, &milliseconds, timer->start, timer->stop))
        return false;
    *nanoseconds = (int64_t)((double)milliseconds * 1e6);
    return true;
}

void cuda_timer_close(CudaTimer *timer) {
    if (timer->start)
        runtime.cudaEventDestroy(timer->start);
    if (timer->stop)
        runtime.cudaEventDestroy(timer->stop);
    *timer = (CudaTimer){0};
}

#ifdef GRAPHMEND_NVTX
void cuda_range_push(const char *name) {
    nvtxRangePushA(name);
}

void cuda_range_pop(void) {
    nvtxRangePop();
}
#else
void cuda_range_push(const char *name) {
    (void)name;
}

void cuda_range_pop(void) {}
#endif
