# The CMake package: all libraries of the program in one archive, the headers of an adapter and of a joiner, and
# package/photonsimConfig.cmake.in, which explains its use. Component "dev"; included by Package.cmake.

set(archive "${PROJECT_BINARY_DIR}/libphotonsim.a")
set(members "")
get_property(libraries GLOBAL PROPERTY PHOTONSIM_LIBRARIES)
foreach(library IN LISTS libraries)
  get_target_property(kind ${library} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY")
    list(APPEND members ${library})
  endif()
endforeach()
list(TRANSFORM members REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_custom_command(
  OUTPUT "${archive}"
  COMMAND "${CMAKE_COMMAND}" -E rm -f "${archive}"
  COMMAND "${CMAKE_AR}" qcs "${archive}" "${objects}"
  DEPENDS ${members}
  COMMENT "Writing libphotonsim.a"
  COMMAND_EXPAND_LISTS
  VERBATIM)
add_custom_target(photonsim_archive DEPENDS "${archive}")
add_dependencies(photonsim_package photonsim_archive)

# library:Debian's package
set(PHOTONSIM_PACKAGE_NEEDS boost_json:libboost-json1.81-dev boost_container:libboost-json1.81-dev
  boost_iostreams:libboost-iostreams1.81-dev sqlite3:libsqlite3-dev tomlplusplus:libtomlplusplus-dev fmt:libfmt-dev
  muparser:libmuparser-dev nlopt:libnlopt-dev xxhash:libxxhash-dev)
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/photonsim")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/package/photonsimConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/photonsimConfig.cmake"
  INSTALL_DESTINATION "${package_folder}"
  PATH_VARS CMAKE_INSTALL_DATADIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/photonsimConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${archive}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
install(FILES "${PROJECT_BINARY_DIR}/package/photonsimConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/photonsimConfigVersion.cmake" DESTINATION "${package_folder}" COMPONENT dev)
set(headers "${CMAKE_INSTALL_INCLUDEDIR}/photonsim")
install(DIRECTORY core_impl DESTINATION "${headers}" COMPONENT dev FILES_MATCHING PATTERN "*.h")
install(FILES models/reference_join.h DESTINATION "${headers}/models" COMPONENT dev)
install(FILES scenarios/extensions/extensions.h DESTINATION "${headers}/scenarios/extensions" COMPONENT dev)
install(FILES cli/program.h DESTINATION "${headers}/cli" COMPONENT dev)
install(FILES cli/photonsim.h DESTINATION "${headers}" COMPONENT dev)
