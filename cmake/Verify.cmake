# The host of `graphmend verify` and of the benchmarks: graphmend-host, a C program around CPython, and libgraphmend_torch,
# the C++ library that gives it libtorch. Both are for the Python and the torch of GRAPHMEND_PYTHON (by default the
# checkout's .venv), which are only needed here: the program graphmend itself links neither.

enable_language(CXX)
set(host_python "${GRAPHMEND_PYTHON}")
if(NOT host_python)
    set(host_python "${PROJECT_SOURCE_DIR}/.venv/bin/python")
endif()

set(query "import os, sysconfig, torch
home = os.path.dirname(torch.__file__)
config = sysconfig.get_config_var
print(sysconfig.get_path('include'), config('LIBDIR'), config('LDLIBRARY'), config('Py_ENABLE_SHARED'),
      torch.__version__, home, int(torch._C._GLIBCXX_USE_CXX11_ABI), sep=';')")
execute_process(COMMAND "${host_python}" -c "${query}"
    OUTPUT_VARIABLE answer ERROR_VARIABLE log RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "GRAPHMEND_VERIFY and GRAPHMEND_BENCH need a Python with torch: set GRAPHMEND_PYTHON to its path "
        "(tried ${host_python}).\n${log}")
endif()
list(POP_FRONT answer python_include python_libdir python_library python_shared torch_version torch_home torch_abi)
if(NOT python_shared)
    message(FATAL_ERROR "${host_python} has no shared libpython to embed")
endif()
message(STATUS "Host: ${host_python}, torch ${torch_version}")

add_library(graphmend_torch MODULE src/verify/torch_shim.cpp)
target_compile_features(graphmend_torch PRIVATE cxx_std_20)
target_compile_definitions(graphmend_torch PRIVATE _GLIBCXX_USE_CXX11_ABI=${torch_abi})
target_compile_options(graphmend_torch PRIVATE -Wall -Wextra -Wshadow $<$<BOOL:${GRAPHMEND_WERROR}>:-Werror>)
target_include_directories(graphmend_torch PRIVATE src)
target_include_directories(graphmend_torch SYSTEM PRIVATE "${torch_home}/include"
    "${torch_home}/include/torch/csrc/api/include" "${python_include}")
# No path to libtorch inside: Python has loaded it before.
target_link_directories(graphmend_torch PRIVATE "${torch_home}/lib")
target_link_libraries(graphmend_torch PRIVATE torch_python torch_cpu c10)
set_target_properties(graphmend_torch PROPERTIES CXX_VISIBILITY_PRESET hidden SKIP_BUILD_RPATH TRUE
    CXX_EXTENSIONS OFF)

find_path(GRAPHMEND_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS /usr/local/cuda/include
    DOC "Folder of nvtx3/nvToolsExt.h: ranges for NVIDIA's profilers; left out where it is missing")

add_executable(graphmend_host src/verify/host.c src/verify/native.c src/verify/cuda.c)
target_compile_definitions(graphmend_host PRIVATE GRAPHMEND_HOST_PYTHON="${host_python}"
    GRAPHMEND_TORCH_VERSION="${torch_version}")
target_include_directories(graphmend_host PRIVATE src)
target_include_directories(graphmend_host SYSTEM PRIVATE "${python_include}")
if(GRAPHMEND_NVTX_INCLUDE)
    target_compile_definitions(graphmend_host PRIVATE GRAPHMEND_NVTX)
    target_include_directories(graphmend_host SYSTEM PRIVATE "${GRAPHMEND_NVTX_INCLUDE}")
endif()
target_link_libraries(graphmend_host PRIVATE graphmend_flags "${python_libdir}/${python_library}" ${CMAKE_DL_LIBS})
set_target_properties(graphmend_host PROPERTIES OUTPUT_NAME graphmend-host ENABLE_EXPORTS ON
    BUILD_RPATH "$ORIGIN;${python_libdir}"
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${python_libdir}")
add_dependencies(graphmend_host graphmend_torch)

# Its scripts: beside it here, under share/ where it is installed.
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/verify" "${CMAKE_BINARY_DIR}/scripts" SYMBOLIC)

if(NOT SKBUILD)
    install(TARGETS graphmend_host RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(TARGETS graphmend_torch LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(FILES src/verify/main.py DESTINATION "${CMAKE_INSTALL_DATADIR}/graphmend/verify")
    install(DIRECTORY src/verify/graphmend_verify DESTINATION "${CMAKE_INSTALL_DATADIR}/graphmend/verify"
        FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
endif()
