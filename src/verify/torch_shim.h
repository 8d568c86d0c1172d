// Tensors for C, over libtorch, which has no C interface of its own. torch_shim.cpp implements it, as a library that the
// host opens once Python has imported torch: libtorch is then the one of the environment at hand.
//
// A tensor is a handle to be given back with `release`. Nothing throws: a function that fails says so by what it returns,
// and `error` has the reason until the thread's next call. All of them want the GIL.
#ifndef GM_TORCH_SHIM_H
#define GM_TORCH_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TorchTensor TorchTensor;

typedef struct TorchInfo {
    int64_t rank;
    const int64_t *sizes,
        *strides;               // the tensor's own, while it lives; strides are NULL if it has none (sparse)
    char dtype[32], device[32]; // as Python writes them: torch.float32, cuda:0
    bool requires_grad;
} TorchInfo;

typedef struct TorchDistance {
    bool close; // every |a - b| <= atol + rtol * |b|; NaN is close to NaN, integers only to themselves
    double absolute, relative; // the largest; complex numbers are measured part by part
} TorchDistance;

typedef struct TorchShim {
    const char *(*error)(void);

    TorchTensor *(*from_python)(void *object);     // a PyObject; NULL if it is no tensor
    void *(*to_python)(const TorchTensor *tensor); // a new reference; NULL on failure
    void (*release)(TorchTensor *tensor);

    bool (*describe)(const TorchTensor *tensor, TorchInfo *info);
    bool (*gradient)(const TorchTensor *tensor, TorchTensor **gradient); // NULL if there is none

    // By dtype, shape and bytes: a NaN's payload and the sign of zero count, strides and device do not.
    bool (*bits_equal)(const TorchTensor *a, const TorchTensor *b, bool *equal);
    bool (*distance)(const TorchTensor *a, const TorchTensor *b, double rtol, double atol,
                     TorchDistance *distance);
    bool (*checksum)(const TorchTensor *tensor, uint64_t *sum); // of the bytes in row-major order

    // The bytes with dtype, shape and strides; read back on the CPU.
    bool (*save)(const TorchTensor *tensor, const char *path);
    TorchTensor *(*load)(const char *path);

    bool (*seed)(uint64_t number); // torch's generators on every device
} TorchShim;

#define TORCH_SHIM_ENTRY "torch_shim"
const TorchShim *torch_shim(void);

#ifdef __cplusplus
}
#endif

#endif
