// _graphmend_native: what Python scripts in the host reach of the C interfaces to tensors (torch_shim.h) and to CUDA
// (cuda.h), and a loop that measures calls without Python between the clock and the call.
#include "verify/native.h"

#include "verify/cuda.h"
#include "verify/torch_shim.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <time.h>

// ---------------------------------------------------------------- the shim

// The shim speaks to one release of libtorch: 2.13.0 and 2.13.0+cpu are the same to it.
static bool is_release(const char *version) {
    size_t length = strcspn(GRAPHMEND_TORCH_VERSION, "+");
    return strncmp(version, GRAPHMEND_TORCH_VERSION, length) == 0 &&
           (!version[length] || version[length] == '+');
}

static bool check_version(void) {
    PyObject *torch = PyImport_ImportModule("torch");
    PyObject *version = torch ? PyObject_GetAttrString(torch, "__version__") : NULL;
    const char *text = version ? PyUnicode_AsUTF8(version) : NULL;
    bool good = text && is_release(text);
    if (text && !good)
        PyErr_Format(PyExc_ImportError, "graphmend-host was built for torch %s, and this is torch %s",
                     GRAPHMEND_TORCH_VERSION, text);
    Py_XDECREF(version);
    Py_XDECREF(torch);
    return good;
}

static const TorchShim *open_shim(void) {
    if (!check_version())
        return NULL;
    void *library = dlopen("libgraphmend_torch.so", RTLD_NOW | RTLD_LOCAL);
    const TorchShim *(*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, TORCH_SHIM_ENTRY);
    if (!entry)
        PyErr_Format(PyExc_ImportError, "libgraphmend_torch.so: %s", dlerror());
    return entry ? entry() : NULL;
}

static const TorchShim *shim(void) {
    static const TorchShim *opened;
    if (!opened)
        opened = open_shim();
    return opened;
}

static void *raise_error(const char *why) {
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_RuntimeError, why);
    return NULL;
}

static TorchTensor *take(PyObject *object) {
    TorchTensor *tensor = shim() ? shim()->from_python(object) : NULL;
    if (!tensor && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, shim()->error());
    return tensor;
}

// Two tensors, or none and an exception.
static bool take_pair(PyObject *first, PyObject *second, TorchTensor *pair[2]) {
    pair[0] = take(first);
    pair[1] = pair[0] ? take(second) : NULL;
    if (pair[0] && !pair[1])
        shim()->release(pair[0]);
    return pair[1] != NULL;
}

static void release_pair(TorchTensor *pair[2]) {
    shim()->release(pair[0]);
    shim()->release(pair[1]);
}

// Gives the handle back too.
static PyObject *give(TorchTensor *tensor) {
    PyObject *object = shim()->to_python(tensor);
    if (!object)
        raise_error(shim()->error());
    shim()->release(tensor);
    return object;
}

// ---------------------------------------------------------------- tensors

static PyObject *numbers(const int64_t *items, int64_t count) {
    if (!items)
        Py_RETURN_NONE;
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; tuple && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(items[i]);
        if (!number)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, number);
    }
    return tuple;
}

static PyObject *native_describe(PyObject *self, PyObject *object) {
    (void)self;
    TorchTensor *tensor = take(object);
    TorchInfo info;
    if (!tensor)
        return NULL;
    PyObject *result = NULL;
    if (shim()->describe(tensor, &info))
        result = Py_BuildValue("{sN sN ss ss sN}", "shape", numbers(info.sizes, info.rank), "strides",
                               numbers(info.strides, info.rank), "dtype", info.dtype, "device", info.device,
                               "requires_grad", PyBool_FromLong(info.requires_grad));
    else
        raise_error(shim()->error());
    shim()->release(tensor);
    return result;
}

static PyObject *native_grad(PyObject *self, PyObject *object) {
    (void)self;
    TorchTensor *tensor = take(object), *gradient = NULL;
    if (!tensor)
        return NULL;
    bool good = shim()->gradient(tensor, &gradient);
    shim()->release(tensor);
    if (!good)
        return raise_error(shim()->error());
    if (!gradient)
        Py_RETURN_NONE;
    return give(gradient);
}

static PyObject *native_bits_equal(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *a, *b;
    TorchTensor *pair[2];
    if (!PyArg_ParseTuple(arguments, "OO:bits_equal", &a, &b) || !take_pair(a, b, pair))
        return NULL;
    bool equal = false, good = shim()->bits_equal(pair[0], pair[1], &equal);
    release_pair(pair);
    return good ? PyBool_FromLong(equal) : raise_error(shim()->error());
}

static PyObject *native_close(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *a, *b;
    double rtol, atol;
    TorchTensor *pair[2];
    if (!PyArg_ParseTuple(arguments, "OOdd:close", &a, &b, &rtol, &atol) || !take_pair(a, b, pair))
        return NULL;
    TorchDistance distance;
    bool good = shim()->distance(pair[0], pair[1], rtol, atol, &distance);
    release_pair(pair);
    if (!good)
        return raise_error(shim()->error());
    return Py_BuildValue("(Ndd)", PyBool_FromLong(distance.close), distance.absolute, distance.relative);
}

static PyObject *native_checksum(PyObject *self, PyObject *object) {
    (void)self;
    TorchTensor *tensor = take(object);
    uint64_t sum = 0;
    if (!tensor)
        return NULL;
    bool good = shim()->checksum(tensor, &sum);
    shim()->release(tensor);
    return good ? PyLong_FromUnsignedLongLong(sum) : raise_error(shim()->error());
}

static PyObject *native_save(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *object, *path;
    if (!PyArg_ParseTuple(arguments, "OO&:save", &object, PyUnicode_FSConverter, &path))
        return NULL;
    TorchTensor *tensor = take(object);
    bool good = tensor && shim()->save(tensor, PyBytes_AS_STRING(path));
    Py_DECREF(path);
    if (tensor) {
        shim()->release(tensor);
        if (!good)
            raise_error(shim()->error());
    }
    if (!good)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *native_load(PyObject *self, PyObject *argument) {
    (void)self;
    PyObject *path;
    if (!PyUnicode_FSConverter(argument, &path))
        return NULL;
    TorchTensor *tensor = shim() ? shim()->load(PyBytes_AS_STRING(path)) : NULL;
    Py_DECREF(path);
    if (tensor)
        return give(tensor);
    return PyErr_Occurred() ? NULL : raise_error(shim()->error());
}

static bool seed_module(const char *name, unsigned long long number) {
    PyObject *module = PyImport_ImportModule(name);
    PyObject *result = module ? PyObject_CallMethod(module, "seed", "K", number) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(module);
    return result != NULL;
}

static bool is_loaded(const char *name) {
    return PyDict_GetItemString(PyImport_GetModuleDict(), name) != NULL;
}

static PyObject *native_seed(PyObject *self, PyObject *argument) {
    (void)self;
    unsigned long long number = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || !shim())
        return NULL;
    if (!shim()->seed(number))
        return raise_error(shim()->error());
    if (!seed_module("random", number) ||
        (is_loaded("numpy") && !seed_module("numpy.random", number & 0xffffffffu)))
        return NULL;
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------- time

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Nanoseconds of one call; false with an exception. The result is let go after the clock was read.
static bool measure_on_cpu(PyObject *callable, PyObject *args, PyObject *kwargs, int64_t *nanoseconds) {
    int64_t start = now();
    PyObject *result = PyObject_Call(callable, args, kwargs);
    *nanoseconds = now() - start;
    Py_XDECREF(result);
    return result != NULL;
}

static bool measure_on_cuda(CudaTimer *timer, PyObject *callable, PyObject *args, PyObject *kwargs,
                            int64_t *nanoseconds) {
    if (!cuda_timer_start(timer))
        return raise_error(cuda_error()) != NULL;
    PyObject *result = PyObject_Call(callable, args, kwargs);
    if (!result)
        return false;
    bool good = cuda_timer_stop(timer, nanoseconds);
    Py_DECREF(result);
    return good || raise_error(cuda_error()) != NULL;
}

static PyObject *measure(CudaTimer *timer, PyObject *callable, PyObject *args, PyObject *kwargs,
                         Py_ssize_t repeats) {
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list && i < repeats; i++) {
        int64_t nanoseconds = 0;
        bool good = timer ? measure_on_cuda(timer, callable, args, kwargs, &nanoseconds)
                          : measure_on_cpu(callable, args, kwargs, &nanoseconds);
        PyObject *number = good ? PyLong_FromLongLong(nanoseconds) : NULL;
        if (!number || PyList_Append(list, number) < 0)
            Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

static PyObject *native_measure(PyObject *self, PyObject *arguments) {
    (void)self;
    PyObject *callable, *args, *kwargs;
    Py_ssize_t repeats;
    const char *device;
    if (!PyArg_ParseTuple(arguments, "OO!O!ns:measure", &callable, &PyTuple_Type, &args, &PyDict_Type,
                          &kwargs, &repeats, &device))
        return NULL;
    if (strncmp(device, "cuda", 4) != 0)
        return measure(NULL, callable, args, kwargs, repeats);
    CudaTimer timer;
    PyObject *list = NULL;
    if (cuda_timer_open(&timer) && cuda_synchronize())
        list = measure(&timer, callable, args, kwargs, repeats);
    else
        raise_error(cuda_error());
    cuda_timer_close(&timer);
    return list;
}

// ---------------------------------------------------------------- memory, devices, ranges

static PyObject *native_peak_memory(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    PyObject *result = Py_BuildValue("{sL}", "host", (long long)usage.ru_maxrss * 1024);
    CudaDevice device;
    if (!result || !cuda_device(&device))
        return result;
    PyObject *used = PyLong_FromSize_t(device.memory_total - device.memory_free);
    PyObject *total = PyLong_FromSize_t(device.memory_total);
    if (!used || !total || PyDict_SetItemString(result, "cuda_used", used) < 0 ||
        PyDict_SetItemString(result, "cuda_total", total) < 0)
        Py_CLEAR(result);
    Py_XDECREF(used);
    Py_XDECREF(total);
    return result;
}

static PyObject *native_cuda_available(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    return PyBool_FromLong(cuda_available());
}

static PyObject *native_cuda_device(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    CudaDevice device;
    if (!cuda_device(&device))
        return raise_error(cuda_error());
    return Py_BuildValue("{ss s(ii) sN si si}", "name", device.name, "capability", device.major, device.minor,
                         "memory", PyLong_FromSize_t(device.memory_total), "driver", device.driver, "runtime",
                         device.runtime);
}

static PyObject *native_cuda_synchronize(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    if (!cuda_synchronize())
        return raise_error(cuda_error());
    Py_RETURN_NONE;
}

static PyObject *native_range_push(PyObject *self, PyObject *argument) {
    (void)self;
    const char *name = PyUnicode_AsUTF8(argument);
    if (!name)
        return NULL;
    cuda_range_push(name);
    Py_RETURN_NONE;
}

static PyObject *native_range_pop(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    cuda_range_pop();
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------- the module

static PyMethodDef methods[] = {
    {"describe", native_describe, METH_O, "describe(t): its shape, strides, dtype, device and requires_grad"},
    {"bits_equal", native_bits_equal, METH_VARARGS, "bits_equal(a, b): the same dtype, shape and bytes"},
    {"close", native_close, METH_VARARGS,
     "close(a, b, rtol, atol): (close, largest absolute, largest relative error)"},
    {"checksum", native_checksum, METH_O, "checksum(t): 64 bits over the bytes in row-major order"},
    {"save", native_save, METH_VARARGS, "save(t, path): its bytes, with dtype, shape and strides"},
    {"load", native_load, METH_O, "load(path): what save wrote, on the CPU"},
    {"grad", native_grad, METH_O, "grad(t): its gradient, or None"},
    {"seed", native_seed, METH_O,
     "seed(n): every generator of torch, random's and, where it is loaded, numpy's"},
    {"measure", native_measure, METH_VARARGS,
     "measure(callable, args, kwargs, repeats, device): nanoseconds of each call; on \"cuda\" by CUDA's "
     "events"},
    {"peak_memory", native_peak_memory, METH_NOARGS,
     "peak_memory(): bytes, the most of this process (host), and in use on the device (cuda_used, "
     "cuda_total)"},
    {"cuda_available", native_cuda_available, METH_NOARGS, "cuda_available(): whether CUDA sees a device"},
    {"cuda_device", native_cuda_device, METH_NOARGS,
     "cuda_device(): name, capability, memory, driver and runtime of the current device"},
    {"cuda_synchronize", native_cuda_synchronize, METH_NOARGS, "cuda_synchronize(): wait for the device"},
    {"range_push", native_range_push, METH_O, "range_push(name): opens a range for profilers"},
    {"range_pop", native_range_pop, METH_NOARGS, "range_pop(): closes it"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_graphmend_native",
    .m_doc = "Tensors and CUDA through C, for the scripts of verify and bench.",
    .m_size = -1,
    .m_methods = methods,
};

PyObject *native_init(void) {
    return PyModule_Create(&module);
}
