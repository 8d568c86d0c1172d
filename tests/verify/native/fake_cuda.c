// Stands in for libcudart and libcuda: one device, whose events are always 1.5 ms apart. FAKE_CUDA says how it fails.
#include "verify/cuda_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(result, name, arguments) result name arguments;
CUDA_RUNTIME(X)
CUDA_DRIVER(X)
#undef X

struct CUevent_st {
    int recorded;
};

static int mode_is(const char *mode) {
    const char *given = getenv("FAKE_CUDA");
    return given && strcmp(given, mode) == 0;
}

unsigned cudaGetDeviceCount(int *count) {
    *count = mode_is("no device") ? 0 : 1;
    return mode_is("error") ? 35 : 0;
}

unsigned cudaGetDevice(int *device) {
    return *device = 0, 0;
}

unsigned cudaDeviceGetAttribute(int *value, unsigned attribute, int device) {
    *value = attribute == CUDA_CAPABILITY_MAJOR ? 9 : 0;
    return device == 0 ? 0 : 1;
}

unsigned cudaMemGetInfo(size_t *free, size_t *total) {
    return *free = 2000, *total = 8000, 0;
}

unsigned cudaDriverGetVersion(int *version) {
    return *version = 13010, 0;
}

unsigned cudaRuntimeGetVersion(int *version) {
    return *version = 13000, 0;
}

unsigned cudaDeviceSynchronize(void) {
    return 0;
}

unsigned cudaEventCreate(struct CUevent_st **event) {
    *event = calloc(1, sizeof **event);
    return *event ? 0 : 2;
}

unsigned cudaEventRecord(struct CUevent_st *event, struct CUstream_st *stream) {
    event->recorded = 1;
    return stream ? 1 : 0;
}

unsigned cudaEventSynchronize(struct CUevent_st *event) {
    return event->recorded ? 0 : 1;
}

unsigned cudaEventElapsedTime(float *milliseconds, struct CUevent_st *start, struct CUevent_st *end) {
    *milliseconds = 1.5f;
    return start->recorded && end->recorded ? 0 : 1;
}

unsigned cudaEventDestroy(struct CUevent_st *event) {
    return free(event), 0;
}

const char *cudaGetErrorString(unsigned error) {
    static char text[32];
    snprintf(text, sizeof text, "feigned error %u", error);
    return text;
}

unsigned cuInit(unsigned flags) {
    return flags;
}

unsigned cuDeviceGet(int *device, int ordinal) {
    return *device = ordinal, 0;
}

unsigned cuDeviceGetName(char *name, int len, int device) {
    snprintf(name, (size_t)len, "Feigned device %d", device);
    return 0;
}
