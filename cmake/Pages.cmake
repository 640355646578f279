# Pages that are compiled in.
#
#   photonsim_embed_page(TARGET HEADER name.h NAMESPACE n [HTML h STYLE s] ARRAY kPageScripts SCRIPTS a.js b.js)
#
# writes generated/name.h in the build folder (EmbedPage.cmake); TARGET stands for it. Relative files lie in the current
# folder.
function(photonsim_embed_page target)
  cmake_parse_arguments(ARG "" "HEADER;NAMESPACE;HTML;STYLE;ARRAY" "SCRIPTS" ${ARGN})
  set(header "${PROJECT_BINARY_DIR}/generated/${ARG_HEADER}")
  set(files "")
  foreach(list HTML STYLE SCRIPTS)
    set(${list} "")
    foreach(file IN LISTS ARG_${list})
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      list(APPEND ${list} "${file}")
    endforeach()
    list(APPEND files ${${list}})
  endforeach()
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${CMAKE_COMMAND}" "-DHEADER=${header}" "-DNAMESPACE=${ARG_NAMESPACE}" "-DHTML=${HTML}" "-DSTYLE=${STYLE}"
      "-DARRAY=${ARG_ARRAY}" "-DSCRIPTS=${SCRIPTS}" -P "${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake"
    DEPENDS "${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake" ${files}
    COMMENT "Embedding ${ARG_HEADER}"
    VERBATIM)
  add_custom_target(${target} DEPENDS "${header}")
endfunction()

# photonsim_npm_files(RESULT FOLDER f FILES a/b.js ...): files of the npm packages that f/package-lock.json pins.
# scripts/npm.sh installs them once for all build folders.
function(photonsim_npm_files result)
  cmake_parse_arguments(ARG "" "FOLDER" "FILES" ${ARGN})
  set(modules "${PROJECT_SOURCE_DIR}/build/npm/node_modules")
  set(files "")
  foreach(file IN LISTS ARG_FILES)
    list(APPEND files "${modules}/${file}")
  endforeach()
  add_custom_command(
    OUTPUT ${files}
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/npm.sh" "${ARG_FOLDER}"
    DEPENDS "${ARG_FOLDER}/package.json" "${ARG_FOLDER}/package-lock.json" "${PROJECT_SOURCE_DIR}/scripts/npm.sh"
    COMMENT "Installing npm packages of ${ARG_FOLDER}"
    VERBATIM)
  set(${result} ${files} PARENT_SCOPE)
endfunction()
