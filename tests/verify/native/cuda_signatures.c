// Compiles only if src/verify/cuda_api.h declares CUDA's functions as its headers do.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "verify/cuda_api.h"

#define X(result, name, arguments)                                                                           \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result arguments), #name);
CUDA_RUNTIME(X)
CUDA_DRIVER(X)

_Static_assert(CUDA_CAPABILITY_MAJOR == (int)cudaDevAttrComputeCapabilityMajor, "capability");
_Static_assert(CUDA_CAPABILITY_MINOR == (int)cudaDevAttrComputeCapabilityMinor, "capability");
