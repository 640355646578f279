# One place for the language standard, warnings and code generation.
#
# Determinism (DESIGN section 5): no contraction of a*b+c into one rounding, no fast-math, no
# -march, so that -O0 and -O3, g++ and clang++ produce the same bits.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

if(NOT CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "No build type. Configure through a preset: cmake --preset release (or dev, "
    "asan-ubsan, tsan, coverage, o0, clang).")
endif()

# Optimisation and debug information are the presets' (CMAKE_CXX_FLAGS_RELEASE and _DEBUG): a set() here would
# hide them. The project's CHECK macros do not depend on NDEBUG; only the libraries' own asserts do.

add_library(photonsim_flags INTERFACE)

target_compile_options(photonsim_flags INTERFACE
  -ffp-contract=off
  -fno-omit-frame-pointer
  # __FILE__ in a failed check is the path in the tree, on every machine; ccache makes paths relative to the build.
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/="
  "-fmacro-prefix-map=../../=")

target_compile_options(photonsim_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor)

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # g++ keeps -Wsign-conversion out of -Wconversion for C++: ask both compilers the same questions.
  target_compile_options(photonsim_flags INTERFACE -Wno-sign-conversion)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 invents overlaps inside std::string (GCC bug 105651).
  target_compile_options(photonsim_flags INTERFACE -Wno-restrict)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # The order of instructions and how memory is copied, not which instructions there are: for any processor g++ copies
  # names and records with `rep movs`, which is slow to begin (docs/performance.md).
  target_compile_options(photonsim_flags INTERFACE -mtune=znver3)
endif()

if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Of several files compiled at once g++ takes all but one for headers, and warns of their unnamed namespaces.
  target_compile_options(photonsim_flags INTERFACE -Wno-subobject-linkage)
endif()

if(PHOTONSIM_WERROR)
  target_compile_options(photonsim_flags INTERFACE -Werror)
endif()

if(PHOTONSIM_SANITIZE)
  target_compile_options(photonsim_flags INTERFACE
    "-fsanitize=${PHOTONSIM_SANITIZE}" -fno-sanitize-recover=all
    # A third of the time to compile. The address sanitizer sees the first two by itself; casts down are dynamic here.
    -fno-sanitize=null,object-size,vptr)
  target_link_options(photonsim_flags INTERFACE "-fsanitize=${PHOTONSIM_SANITIZE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code hides initialisations and bounds from g++: the release build reports these.
    target_compile_options(photonsim_flags INTERFACE
      -Wno-maybe-uninitialized -Wno-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()

if(PHOTONSIM_COVERAGE)
  target_compile_options(photonsim_flags INTERFACE --coverage)
  target_link_options(photonsim_flags INTERFACE --coverage)
endif()
