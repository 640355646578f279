# Uses ccache where it is installed; PHOTONSIM_CCACHE=OFF switches it off.
option(PHOTONSIM_CCACHE "Compile through ccache when it is installed" ON)
if(PHOTONSIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(PHOTONSIM_CCACHE_PROGRAM ccache)
  if(PHOTONSIM_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${PHOTONSIM_CCACHE_PROGRAM}")
  endif()
endif()
