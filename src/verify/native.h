// The built-in module _graphmend_native of the host.
#ifndef GM_NATIVE_H
#define GM_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *native_init(void);

#endif
