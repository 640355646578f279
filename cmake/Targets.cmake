# How a folder becomes a target. Each folder has a CMakeLists.txt with ONE explicit list of its files, headers included
# (the lint fails on a file that no list names).
#
#   photonsim_library(NAME photon_rpc
#     SOURCES in_flight.h in_flight.cc master_finder.h master_finder.cc
#     PUBLIC photon_runtime ext::boost          # what its headers include
#     PRIVATE ext::fmt)                         # what only its .cc files include
#
#   photonsim_test(NAME rpc_tests
#     SOURCES in_flight_test.cc master_finder_test.cc
#     DEPS photon_rpc)                          # Catch2 and its main come with it
#
#   photonsim_program(NAME photonsim SOURCES main.cc ... DEPS ...)   # an executable in the build root
#   photonsim_bench(NAME kernel_bench SOURCES ... DEPS ...)          # in build/*/bench; target benches builds them all
#
# A library without a .cc file becomes an INTERFACE library by itself. Every #include is written from the root of the
# repository: "core_impl/base/time.h", "sim/kernel.h". System libraries are ext::NAME (cmake/Dependencies.cmake).
# Tests include "tests/support/catch.h" and run in the root of the repository. photonsim_test also takes
#   LABELS l...      release_only keeps a slow test out of the sanitizer run of .ci/run
#   TIMEOUT seconds  1,800 by default: it only ends hangs; three times that when sanitized
#   ARGS a...        passed to the executable
#   SKIP_CODE n      an exit with n means "skipped": ctest says so, and ./test.sh why
#   NEEDS_PROGRAM    builds photonsim first and defines PHOTONSIM_PROGRAM as its path
#   APART file...    compiled alone, because their local names clash with those of the other files
#
# The files of a test are compiled several at once (PHOTONSIM_UNITY): most of a test's compile time is headers. A name
# that two files define in their unnamed namespaces is then an error; rename one, or put its file under APART too.
#
# A part of a program as a test of its own, so that ctest runs parts side by side:
#
#   photonsim_test_part(NAME world_shards OF world_tests ARGS "-#" "[#corner_test]")

define_property(GLOBAL PROPERTY PHOTONSIM_HEADERS BRIEF_DOCS "every header that a photonsim target lists")
define_property(GLOBAL PROPERTY PHOTONSIM_LIBRARY_SOURCES BRIEF_DOCS "every file of a library")
define_property(GLOBAL PROPERTY PHOTONSIM_LIBRARIES BRIEF_DOCS "every library target of the project")

function(photonsim_note_headers)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "\\.h$")
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE absolute)
      set_property(GLOBAL APPEND PROPERTY PHOTONSIM_HEADERS "${absolute}")
    endif()
  endforeach()
endfunction()

# Links TARGET to libraries, refusing names that are not targets: a typing error must not become "-lphoton_rcp".
function(photonsim_link target scope)
  foreach(dependency IN LISTS ARGN)
    if(NOT TARGET ${dependency})
      message(FATAL_ERROR "${target} names ${dependency}, which is not a target: lower layers come first")
    endif()
    target_link_libraries(${target} ${scope} ${dependency})
  endforeach()
endfunction()

function(photonsim_check_arguments function)
  if(NOT ARG_NAME OR NOT ARG_SOURCES)
    message(FATAL_ERROR "${function} needs NAME and SOURCES")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(NAME ${ARG_NAME}): unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

function(photonsim_library)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  photonsim_check_arguments(photonsim_library)
  photonsim_note_headers(${ARG_SOURCES})
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE absolute)
  set_property(GLOBAL APPEND PROPERTY PHOTONSIM_LIBRARY_SOURCES ${absolute})
  set(compiled ${ARG_SOURCES})
  list(FILTER compiled INCLUDE REGEX "\\.cc$")
  if(compiled)
    add_library(${ARG_NAME} STATIC ${ARG_SOURCES})
    target_include_directories(${ARG_NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${ARG_NAME} PRIVATE photonsim_flags)
    photonsim_link(${ARG_NAME} PUBLIC ${ARG_PUBLIC})
    photonsim_link(${ARG_NAME} PRIVATE ${ARG_PRIVATE})
  else()
    add_library(${ARG_NAME} INTERFACE ${ARG_SOURCES})
    target_include_directories(${ARG_NAME} INTERFACE "${PROJECT_SOURCE_DIR}")
    photonsim_link(${ARG_NAME} INTERFACE ${ARG_PUBLIC} ${ARG_PRIVATE})
  endif()
  set_property(GLOBAL APPEND PROPERTY PHOTONSIM_LIBRARIES ${ARG_NAME})
endfunction()

# Shared by the three kinds of executables.
function(photonsim_executable name sources dependencies)
  add_executable(${name} ${sources})
  photonsim_note_headers(${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE photonsim_flags)
  photonsim_link(${name} PRIVATE ${dependencies})
endfunction()

function(photonsim_program)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;DEPS" ${ARGN})
  photonsim_check_arguments(photonsim_program)
  photonsim_executable(${ARG_NAME} "${ARG_SOURCES}" "${ARG_DEPS}")
  set_target_properties(${ARG_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()

function(photonsim_bench)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;DEPS" ${ARGN})
  photonsim_check_arguments(photonsim_bench)
  photonsim_executable(${ARG_NAME} "${ARG_SOURCES}" "${ARG_DEPS}")
  set_target_properties(${ARG_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench"
    EXCLUDE_FROM_ALL ON)
  if(NOT TARGET benches)
    add_custom_target(benches)
  endif()
  add_dependencies(benches ${ARG_NAME})
endfunction()

function(photonsim_test)
  cmake_parse_arguments(ARG "NEEDS_PROGRAM" "NAME;TIMEOUT;SKIP_CODE" "SOURCES;APART;DEPS;LABELS;ARGS" ${ARGN})
  photonsim_check_arguments(photonsim_test)
  photonsim_executable(${ARG_NAME} "${ARG_SOURCES};${ARG_APART}" "${ARG_DEPS};photonsim_catch_main")
  set_target_properties(${ARG_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
    UNITY_BUILD ${PHOTONSIM_UNITY}
    UNITY_BUILD_BATCH_SIZE 12)
  if(ARG_APART)
    set_source_files_properties(${ARG_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PHOTONSIM_SANITIZE)
    target_compile_options(${ARG_NAME} PRIVATE -O1)  # the library under test keeps -O3; test bodies compile faster
  elseif(PHOTONSIM_SANITIZE)
    target_compile_options(${ARG_NAME} PRIVATE -O0)  # instrumented assertions take the compiler long to optimise
  endif()
  if(ARG_NEEDS_PROGRAM)
    target_compile_definitions(${ARG_NAME} PRIVATE "PHOTONSIM_PROGRAM=\"${PROJECT_BINARY_DIR}/photonsim\"")
    if(TARGET photonsim)
      add_dependencies(${ARG_NAME} photonsim)
    endif()
  endif()
  photonsim_test_part(NAME ${ARG_NAME} OF ${ARG_NAME} ARGS ${ARG_ARGS} LABELS ${ARG_LABELS} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_SKIP_CODE)
    set_tests_properties(${ARG_NAME} PROPERTIES SKIP_RETURN_CODE ${ARG_SKIP_CODE})
  endif()
endfunction()

# Adds no program: a test that runs one of photonsim_test.
function(photonsim_test_part)
  cmake_parse_arguments(ARG "" "NAME;OF;TIMEOUT" "ARGS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1800)
  endif()
  if(PHOTONSIM_SANITIZE)
    math(EXPR ARG_TIMEOUT "3 * ${ARG_TIMEOUT}")
  endif()
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_OF} ${ARG_ARGS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  # Property tests draw the same cases each time: the verdict depends on the commit alone.
  set_tests_properties(${ARG_NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()

# header_selfcontained: every header compiles on its own. A header with a .cc file of the same name is proven by it,
# because the lint requires that the .cc includes it first and the preset o0 compiles each .cc alone; each of the others
# gets a translation unit here.
function(photonsim_add_header_check)
  if(NOT PHOTONSIM_HEADER_CHECK)
    return()
  endif()
  get_property(headers GLOBAL PROPERTY PHOTONSIM_HEADERS)
  get_property(libraries GLOBAL PROPERTY PHOTONSIM_LIBRARIES)
  list(REMOVE_DUPLICATES headers)
  set(units "")
  foreach(header IN LISTS headers)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY ".cc" OUTPUT_VARIABLE source)
    if(EXISTS "${source}")
      continue()
    endif()
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
    string(REPLACE "/" "__" unit "${relative}")
    set(unit "${PROJECT_BINARY_DIR}/header_selfcontained/${unit}.cc")
    # Twice, so that a missing include guard shows as well.
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${relative}\"\n#include \"${relative}\"\n" @ONLY)
    list(APPEND units "${unit}")
  endforeach()
  if(NOT units)
    return()
  endif()
  add_library(header_selfcontained OBJECT ${units})
  set_target_properties(header_selfcontained PROPERTIES UNITY_BUILD OFF)
  target_include_directories(header_selfcontained PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(header_selfcontained PRIVATE photonsim_flags ${libraries} ext::catch2 ext::rapidcheck)
  # The code is not used: no optimisation, no debug information.
  target_compile_options(header_selfcontained PRIVATE -O0 -g0 -Wno-unused-function -Wno-unused-const-variable)
endfunction()

# The program against its golden fingerprints; .ci/run repeats it for other compilers, optimisation
# levels and CPU features.
function(photonsim_add_golden_test)
  file(GLOB goldens CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/goldens/*.txt")
  if(NOT goldens OR NOT TARGET photonsim OR NOT PHOTONSIM_TESTS OR PHOTONSIM_SANITIZE)
    return()
  endif()
  add_test(NAME goldens
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/goldens.sh" $<TARGET_FILE:photonsim>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(goldens PROPERTIES TIMEOUT 1800)
  add_test(NAME readme_transcript
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/transcript.sh" $<TARGET_FILE:photonsim>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  add_test(NAME cli_reference
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/reference.sh" $<TARGET_FILE:photonsim> --check
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endfunction()
