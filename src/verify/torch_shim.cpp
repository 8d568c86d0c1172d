// torch_shim.h over libtorch: the one file in C++. Every function catches what libtorch throws and keeps its first line.
#include "verify/torch_shim.h"

#include <ATen/ATen.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

struct TorchTensor {
    at::Tensor value;
};

namespace {

thread_local std::string last_error;

// Runs the function; what it threw becomes last_error.
template <typename Function> bool guarded(Function function) {
    try {
        function();
        return true;
    } catch (const c10::Error &error) {
        last_error = error.what_without_backtrace();
    } catch (const std::exception &error) {
        last_error = error.what();
    } catch (...) {
        last_error = "an exception of no known kind";
    }
    last_error.resize(std::min(last_error.find('\n'), last_error.size()));
    return false;
}

const char *shim_error() {
    return last_error.c_str();
}

// ---------------------------------------------------------------- handles

TorchTensor *shim_from_python(void *object) {
    TorchTensor *handle = nullptr;
    guarded([&] {
        auto *python = static_cast<PyObject *>(object);
        if (!THPVariable_Check(python))
            throw std::invalid_argument(std::string("a tensor is wanted, not ") + Py_TYPE(python)->tp_name);
        handle = new TorchTensor{THPVariable_Unpack(python)};
    });
    return handle;
}

void *shim_to_python(const TorchTensor *tensor) {
    PyObject *object = nullptr;
    guarded([&] { object = THPVariable_Wrap(tensor->value); });
    return object;
}

void shim_release(TorchTensor *tensor) {
    delete tensor;
}

// ---------------------------------------------------------------- what a tensor is

std::string dtype_name(at::ScalarType type) {
    return "torch." + std::string(reinterpret_cast<THPDtype *>(torch::getTHPDtype(type))->name);
}

void copy_name(char (&into)[32], const std::string &name) {
    std::snprintf(into, sizeof into, "%s", name.c_str());
}

bool shim_describe(const TorchTensor *tensor, TorchInfo *info) {
    return guarded([&] {
        const at::Tensor &value = tensor->value;
        info->rank = value.dim();
        info->sizes = value.sizes().data();
        info->strides = value.layout() == at::kStrided ? value.strides().data() : nullptr;
        info->requires_grad = value.requires_grad();
        copy_name(info->dtype, dtype_name(value.scalar_type()));
        copy_name(info->device, value.device().str());
    });
}

bool shim_gradient(const TorchTensor *tensor, TorchTensor **gradient) {
    return guarded([&] {
        const at::Tensor &value = tensor->value.grad();
        *gradient = value.defined() ? new TorchTensor{value} : nullptr;
    });
}

// ---------------------------------------------------------------- its bytes

// Strided, with data of its own: no lazy conjugate or negative.
at::Tensor plain(const at::Tensor &value) {
    if (value.layout() != at::kStrided)
        throw std::invalid_argument("a tensor that is not strided has no bytes in order");
    if (value.is_meta())
        throw std::invalid_argument("a tensor on the meta device has no data");
    return value.detach().resolve_conj().resolve_neg();
}

// In row-major order on the CPU.
at::Tensor in_order(const at::Tensor &value) {
    return plain(value).cpu().contiguous();
}

bool shim_bits_equal(const TorchTensor *a, const TorchTensor *b, bool *equal) {
    return guarded([&] {
        *equal = a->value.scalar_type() == b->value.scalar_type() && a->value.sizes() == b->value.sizes();
        if (!*equal)
            return;
        at::Tensor x = in_order(a->value), y = in_order(b->value);
        *equal = x.nbytes() == 0 || std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
    });
}

bool shim_checksum(const TorchTensor *tensor, uint64_t *sum) {
    return guarded([&] {
        at::Tensor value = in_order(tensor->value);
        const auto *bytes = static_cast<const unsigned char *>(value.const_data_ptr());
        const size_t count = value.nbytes();
        uint64_t hash = 0xcbf29ce484222325u ^ count;
        for (size_t at = 0; at < count; at += sizeof hash) {
            uint64_t word = 0;
            std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
            // FNV-1a by words; the shift carries what a multiplication leaves in the high bits back down.
            hash = (hash ^ word) * 0x100000001b3u;
            hash ^= hash >> 29;
        }
        *sum = hash;
    });
}

// ---------------------------------------------------------------- closeness

void measure_pair(double x, double y, double rtol, double atol, TorchDistance *distance) {
    if (x == y || (std::isnan(x) && std::isnan(y)))
        return;
    double gap = std::fabs(x - y);
    if (!std::isfinite(gap)) { // NaN or infinity against a number, or against the other infinity
        distance->close = false;
        distance->absolute = distance->relative = std::numeric_limits<double>::infinity();
        return;
    }
    distance->close = distance->close && gap <= atol + rtol * std::fabs(y);
    distance->absolute = std::max(distance->absolute, gap);
    distance->relative = std::max(distance->relative, gap / std::fabs(y));
}

at::Tensor doubles(const at::Tensor &value) {
    at::Tensor ordered = in_order(value);
    if (ordered.is_complex())
        ordered = at::view_as_real(ordered.to(at::kComplexDouble));
    return ordered.to(at::kDouble).contiguous();
}

bool shim_distance(const TorchTensor *a, const TorchTensor *b, double rtol, double atol,
                   TorchDistance *distance) {
    return guarded([&] {
        const at::ScalarType type = a->value.scalar_type();
        const double infinity = std::numeric_limits<double>::infinity();
        *distance = {false, infinity, infinity};
        if (type != b->value.scalar_type() || a->value.sizes() != b->value.sizes())
            return;
        *distance = {true, 0, 0};
        at::Tensor x = doubles(a->value), y = doubles(b->value);
        for (int64_t i = 0; i < x.numel(); i++)
            measure_pair(x.const_data_ptr<double>()[i], y.const_data_ptr<double>()[i], rtol, atol, distance);
        if (!at::isFloatingType(type) && !at::isComplexType(type)) {
            bool equal = false;
            if (!shim_bits_equal(a, b, &equal))
                throw std::runtime_error(last_error);
            distance->close = equal;
        }
    });
}

// ---------------------------------------------------------------- files
// A header line for people and `load` ("graphmend tensor torch.float32 rank"), then sizes, strides and the stretch of
// storage between the first element and the last, so that a view comes back with its strides, even overlapping ones.

const char magic[] = "graphmend tensor ";

int64_t stretch(at::IntArrayRef sizes, at::IntArrayRef strides) {
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); i++) {
        if (sizes[i] == 0)
            return 0;
        last += (sizes[i] - 1) * strides[i];
    }
    return last + 1;
}

bool shim_save(const TorchTensor *tensor, const char *path) {
    return guarded([&] {
        at::Tensor value = plain(tensor->value);
        at::Tensor line = value.as_strided({stretch(value.sizes(), value.strides())}, {1}).cpu();
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file << magic << dtype_name(value.scalar_type()) << ' ' << value.dim() << '\n';
        auto put = [&](const void *bytes, size_t count) {
            file.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(count));
        };
        put(value.sizes().data(), value.sizes().size() * sizeof(int64_t));
        put(value.strides().data(), value.strides().size() * sizeof(int64_t));
        put(line.const_data_ptr(), line.nbytes());
        file.close();
        if (!file)
            throw std::runtime_error(std::string("cannot write ") + path);
    });
}

at::ScalarType dtype_of(const std::string &name) {
    for (int8_t i = 0; i < static_cast<int8_t>(at::ScalarType::Undefined); i++) {
        try {
            if (dtype_name(static_cast<at::ScalarType>(i)) == name)
                return static_cast<at::ScalarType>(i);
        } catch (const std::exception &) { // a number that Python has no dtype for
        }
    }
    throw std::runtime_error("no dtype is called " + name);
}

at::Tensor read_tensor(std::ifstream &file) {
    std::string line, dtype;
    std::getline(file, line);
    int64_t rank = 0;
    if (line.rfind(magic, 0) != 0)
        throw std::runtime_error("not a tensor's file");
    std::istringstream(line.substr(sizeof magic - 1)) >> dtype >> rank;
    std::vector<int64_t> sizes(static_cast<size_t>(rank)), strides(sizes.size());
    auto get = [&](void *bytes, size_t count) {
        file.read(static_cast<char *>(bytes), static_cast<std::streamsize>(count));
        if (static_cast<size_t>(file.gcount()) != count)
            throw std::runtime_error("the file ends too early");
    };
    get(sizes.data(), sizes.size() * sizeof(int64_t));
    get(strides.data(), strides.size() * sizeof(int64_t));
    at::Tensor storage = at::empty({stretch(sizes, strides)}, dtype_of(dtype));
    get(storage.mutable_data_ptr(), storage.nbytes());
    return storage.as_strided(sizes, strides);
}

TorchTensor *shim_load(const char *path) {
    TorchTensor *handle = nullptr;
    guarded([&] {
        std::ifstream file(path, std::ios::binary);
        if (!file)
            throw std::runtime_error(std::string("cannot open ") + path);
        handle = new TorchTensor{read_tensor(file)};
    });
    return handle;
}

bool shim_seed(uint64_t number) {
    return guarded([&] { at::manual_seed(number); });
}

const TorchShim table = {
    shim_error,      shim_from_python, shim_to_python, shim_release, shim_describe, shim_gradient,
    shim_bits_equal, shim_distance,    shim_checksum,  shim_save,    shim_load,     shim_seed,
};

} // namespace

extern "C" __attribute__((visibility("default"))) const TorchShim *torch_shim(void) {
    return &table;
}
