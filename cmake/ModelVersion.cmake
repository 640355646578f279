# The model version (DESIGN section 7): the hash of the sources that decide results. A result row
# carries it, so that a rerun executes only what is missing.
#
#   photonsim_library(... PRIVATE photonsim_model_version)
#   #include <generated/model_version.h>      // photonsim::kModelVersion, 16 hexadecimal digits
#
# Include it in one .cc file only: every change of a source recompiles that file.

add_library(photonsim_model_version INTERFACE)
target_include_directories(photonsim_model_version INTERFACE "${PROJECT_BINARY_DIR}")

function(photonsim_add_model_version)
  get_property(sources GLOBAL PROPERTY PHOTONSIM_LIBRARY_SOURCES)
  list(TRANSFORM sources REPLACE "^${PROJECT_SOURCE_DIR}/" "")
  list(FILTER sources INCLUDE REGEX "^(core_impl|sim|models|analysis|scenarios|campaigns)/")
  list(SORT sources)
  set(header "${PROJECT_BINARY_DIR}/generated/model_version.h")
  set(manifest "${PROJECT_BINARY_DIR}/generated/model_sources.txt")
  list(JOIN sources "\n" lines)
  file(CONFIGURE OUTPUT "${manifest}" CONTENT "${lines}\n" @ONLY)
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DMANIFEST=${manifest}"
      "-DHEADER=${header}" -P "${PROJECT_SOURCE_DIR}/cmake/HashSources.cmake"
    DEPENDS "${manifest}" "${PROJECT_SOURCE_DIR}/cmake/HashSources.cmake" ${files}
    COMMENT "Hashing the model's sources"
    VERBATIM)
  add_custom_target(photonsim_model_version_header DEPENDS "${header}")
  add_dependencies(photonsim_model_version photonsim_model_version_header)

  # The commit of the clone, looked up in each build: photonsim::kCommit of <generated/commit.h>.
  add_custom_target(photonsim_commit_header
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DHEADER=${PROJECT_BINARY_DIR}/generated/commit.h"
      -P "${PROJECT_SOURCE_DIR}/cmake/Commit.cmake"
    BYPRODUCTS "${PROJECT_BINARY_DIR}/generated/commit.h"
    VERBATIM)
  add_dependencies(photonsim_model_version photonsim_commit_header)
endfunction()
