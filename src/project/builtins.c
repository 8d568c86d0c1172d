// Python's builtin names.

#include <stdlib.h>

#include "project/internal.h"

// In byte order.
// clang-format off
static const char *const builtins[] = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup",
    "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError",
    "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError",
    "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception",
    "ExceptionGroup", "False", "FileExistsError", "FileNotFoundError", "FloatingPointError",
    "FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError",
    "IndexError", "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError",
    "MemoryError", "ModuleNotFoundError", "NameError", "None", "NotADirectoryError", "NotImplemented",
    "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning", "PermissionError",
    "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError",
    "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError",
    "SystemExit", "TabError", "TimeoutError", "True", "TypeError", "UnboundLocalError",
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning",
    "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "__build_class__", "__debug__",
    "__import__", "abs", "aiter", "all", "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray",
    "bytes", "callable", "chr", "classmethod", "compile", "complex", "copyright", "credits", "delattr",
    "dict", "dir", "divmod", "enumerate", "eval", "exec", "exit", "filter", "float", "format", "frozenset",
    "getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input", "int", "isinstance",
    "issubclass", "iter", "len", "license", "list", "locals", "map", "max", "memoryview", "min", "next",
    "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "repr", "reversed",
    "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type",
    "vars", "zip",
};
// clang-format on

static int compare_builtin(const void *key, const void *item) {
    return str_cmp(*(const Str *)key, str_of(*(const char *const *)item));
}

bool name_is_builtin(Name name) {
    Str text = name_str(name);
    return bsearch(&text, builtins, sizeof builtins / sizeof *builtins, sizeof *builtins, compare_builtin) !=
           NULL;
}

bool name_is_builtin_exception(Name name) {
    Str text = name_str(name);
    static const char *const odd[] = {"StopIteration",     "StopAsyncIteration", "SystemExit",
                                      "GeneratorExit",     "KeyboardInterrupt",  "ExceptionGroup",
                                      "BaseExceptionGroup"};
    if (!name_is_builtin(name))
        return false;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (str_eq(text, str_of(odd[i])))
            return true;
    return str_ends(text, STR("Error")) || str_ends(text, STR("Exception")) || str_ends(text, STR("Warning"));
}

bool name_survives_torch_star(Name name) {
    static const char *const kept[] = {
        "print",   "len",     "isinstance", "super", "object", "property", "staticmethod", "classmethod",
        "getattr", "setattr", "hasattr",    "type",  "list",   "tuple",    "dict",         "enumerate",
        "zip",     "open",    "repr",       "None",  "True",   "False"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (str_eq(name_str(name), str_of(kept[i])))
            return true;
    return name_is_builtin_exception(name);
}
