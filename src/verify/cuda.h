// NVIDIA devices through CUDA's C interface, looked for when first asked for: without CUDA, or without a device, everything
// here says so and nothing fails to load. The stream is the default one, on which PyTorch works unless it is told otherwise.
#ifndef GM_CUDA_H
#define GM_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct CUevent_st;

typedef struct CudaDevice {
    char name[256];
    int major, minor;    // compute capability
    int driver, runtime; // versions, as 13000 for 13.0
    size_t memory_total, memory_free;
} CudaDevice;

typedef struct CudaTimer {
    struct CUevent_st *start, *stop;
} CudaTimer;

bool cuda_available(void);
// All of these: false when it failed, for the reason in cuda_error.
bool cuda_device(CudaDevice *device); // the current one
bool cuda_synchronize(void);
bool cuda_timer_open(CudaTimer *timer);
bool cuda_timer_start(CudaTimer *timer);
bool cuda_timer_stop(CudaTimer *timer,
                     int64_t *nanoseconds); // waits for what was put on the stream in between
void cuda_timer_close(CudaTimer *timer);
const char *cuda_error(void);

// Ranges that a profiler shows; without a profiler, or built without NVTX, nothing.
void cuda_range_push(const char *name);
void cuda_range_pop(void);

#endif
