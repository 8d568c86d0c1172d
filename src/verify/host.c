// graphmend-host [--python VENV/bin/python] SCRIPT [ARGUMENT...]: runs a script in an embedded CPython that has the built-in
// module _graphmend_native. The interpreter is isolated from the user's settings (no PYTHON* variables, no user
// site-packages, fixed string hashes) and finds the packages of the environment that --python belongs to, by default the one
// it was built with. Exit: as the script says; 2 if it cannot start.
#include "verify/native.h"

#include <stdio.h>
#include <unistd.h>

static PyStatus set_arguments(PyConfig *config, const char *python, int argc, char **argv) {
    PyStatus status = PyConfig_SetBytesString(config, &config->executable, python);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(config, &config->program_name, python);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(config, &config->run_filename, argv[0]);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesArgv(config, argc, argv);
    return status;
}

static PyStatus start(const char *python, int argc, char **argv) {
    PyPreConfig before;
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1; // whatever the locale
    PyStatus status = Py_PreInitialize(&before);
    if (PyStatus_Exception(status))
        return status;
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = 1;
    // Sets of strings come in the same order in every process.
    config.use_hash_seed = 1;
    config.hash_seed = 0;
    status = set_arguments(&config, python, argc, argv);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    return status;
}

int main(int argc, char **argv) {
    const char *python = GRAPHMEND_HOST_PYTHON;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--python") == 0) {
        python = argv[2];
        first = 3;
    }
    if (first >= argc) {
        fprintf(stderr, "usage: graphmend-host [--python VENV/bin/python] SCRIPT [ARGUMENT...]\n");
        return 2;
    }
    if (access(python, X_OK) != 0) {
        fprintf(stderr, "graphmend-host: no Python at %s\n", python);
        return 2;
    }
    if (PyImport_AppendInittab("_graphmend_native", native_init) < 0)
        return 2;
    PyStatus status = start(python, argc - first, argv + first);
    if (PyStatus_Exception(status)) {
        fprintf(stderr, "graphmend-host: %s\n", status.err_msg ? status.err_msg : "Python does not start");
        return 2;
    }
    return Py_RunMain();
}
