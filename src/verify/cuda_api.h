// The functions of CUDA's runtime and driver that cuda.c finds at run time, with the types that their headers give them, so
// that no CUDA is needed to build. tests/verify/cuda_signatures.c holds them against the headers where there are any: an
// enum counts as unsigned there, as gcc and clang have it.
//
//   X(result, name, arguments)
#ifndef GM_CUDA_API_H
#define GM_CUDA_API_H

#include <stddef.h>

struct CUevent_st;
struct CUstream_st;

#define CUDA_RUNTIME(X)                                                                                      \
    X(unsigned, cudaGetDeviceCount, (int *count))                                                            \
    X(unsigned, cudaGetDevice, (int *device))                                                                \
    X(unsigned, cudaDeviceGetAttribute, (int *value, unsigned attribute, int device))                        \
    X(unsigned, cudaMemGetInfo, (size_t *free, size_t *total))                                               \
    X(unsigned, cudaDriverGetVersion, (int *version))                                                        \
    X(unsigned, cudaRuntimeGetVersion, (int *version))                                                       \
    X(unsigned, cudaDeviceSynchronize, (void))                                                               \
    X(unsigned, cudaEventCreate, (struct CUevent_st * *event))                                               \
    X(unsigned, cudaEventRecord, (struct CUevent_st * event, struct CUstream_st * stream))                   \
    X(unsigned, cudaEventSynchronize, (struct CUevent_st * event))                                           \
    X(unsigned, cudaEventElapsedTime,                                                                        \
      (float *milliseconds, struct CUevent_st *start, struct CUevent_st *end))                               \
    X(unsigned, cudaEventDestroy, (struct CUevent_st * event))                                               \
    X(const char *, cudaGetErrorString, (unsigned error))

#define CUDA_DRIVER(X)                                                                                       \
    X(unsigned, cuInit, (unsigned flags))                                                                    \
    X(unsigned, cuDeviceGet, (int *device, int ordinal))                                                     \
    X(unsigned, cuDeviceGetName, (char *name, int len, int device))

// Of enum cudaDeviceAttr.
enum { CUDA_CAPABILITY_MAJOR = 75, CUDA_CAPABILITY_MINOR = 76 };

#endif
