# toml++ (Debian: libtomlplusplus-dev), headers only, behind one C++ file of ours: the target graphmend_toml. libstdc++ is
# linked statically, so that the program needs no more at run time than a C program does.

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
if(NOT TOMLPLUSPLUS_INCLUDE_DIR)
    message(FATAL_ERROR "toml++ is missing (Debian: apt-get install libtomlplusplus-dev)")
endif()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
add_library(graphmend_toml STATIC src/cli/toml.cpp)
target_include_directories(graphmend_toml SYSTEM PRIVATE "${TOMLPLUSPLUS_INCLUDE_DIR}")
target_compile_options(graphmend_toml PRIVATE -O1 -Wall -Wextra -fno-exceptions -fno-rtti)
target_link_options(graphmend_toml INTERFACE -static-libstdc++ -static-libgcc)
