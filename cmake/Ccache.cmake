# Uses ccache where it is installed; PHOTONSIM_CCACHE=OFF switches it off.
#
# Paths are hashed relative to the source tree, so that every clone on a machine shares what the others have compiled.
option(PHOTONSIM_CCACHE "Compile through ccache when it is installed" ON)
if(PHOTONSIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PHOTONSIM_CCACHE_PROGRAM ccache)
  find_program(PHOTONSIM_ENV_PROGRAM env)
  if(PHOTONSIM_CCACHE_PROGRAM AND PHOTONSIM_ENV_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${PHOTONSIM_ENV_PROGRAM}" "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "${PHOTONSIM_CCACHE_PROGRAM}")
  endif()
endif()
