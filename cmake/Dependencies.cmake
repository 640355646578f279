# The libraries of DESIGN section 9, each as an imported target ext::NAME whose includes are SYSTEM includes.
#
#   ext::boost  ext::boost_json  ext::boost_iostreams  ext::sqlite3  ext::toml  ext::cli11  ext::fmt  ext::xxhash
#   ext::protozero  ext::random123  ext::eigen  ext::nlopt  ext::muparser  ext::rapidcheck  ext::catch2
#   ext::threads  ext::mpi, where it is found
#
# Only a missing required library stops the configuration, and it names the Debian package.

# photonsim_external(NAME PACKAGE p HEADER h [FOLDER f] [LIBRARIES l...] [DEFINITIONS d...] [OPTIONAL])
function(photonsim_external name)
  cmake_parse_arguments(ARG "OPTIONAL" "PACKAGE;HEADER;FOLDER" "LIBRARIES;DEFINITIONS" ${ARGN})
  find_path(PHOTONSIM_${name}_INCLUDE ${ARG_HEADER} PATH_SUFFIXES ${ARG_FOLDER})
  mark_as_advanced(PHOTONSIM_${name}_INCLUDE)
  set(missing "")
  if(NOT PHOTONSIM_${name}_INCLUDE)
    set(missing "header ${ARG_HEADER}")
  endif()
  set(files "")
  foreach(library IN LISTS ARG_LIBRARIES)
    find_library(PHOTONSIM_LIBRARY_${library} ${library})
    mark_as_advanced(PHOTONSIM_LIBRARY_${library})
    if(NOT PHOTONSIM_LIBRARY_${library})
      string(APPEND missing " library ${library}")
    endif()
    list(APPEND files "${PHOTONSIM_LIBRARY_${library}}")
  endforeach()
  if(missing)
    if(ARG_OPTIONAL)
      return()
    endif()
    message(FATAL_ERROR "Missing: ${missing}. Install Debian's package ${ARG_PACKAGE}, or run scripts/setup.sh.")
  endif()
  add_library(ext::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(ext::${name} SYSTEM INTERFACE "${PHOTONSIM_${name}_INCLUDE}")
  target_link_libraries(ext::${name} INTERFACE ${files})
  target_compile_definitions(ext::${name} INTERFACE ${ARG_DEFINITIONS})
endfunction()

photonsim_external(boost PACKAGE libboost1.81-dev HEADER boost/unordered/unordered_flat_map.hpp)
photonsim_external(boost_json PACKAGE libboost-json1.81-dev HEADER boost/json.hpp
  LIBRARIES boost_json boost_container)
photonsim_external(boost_iostreams PACKAGE libboost-iostreams1.81-dev
  HEADER boost/iostreams/filter/zstd.hpp LIBRARIES boost_iostreams)
photonsim_external(sqlite3 PACKAGE libsqlite3-dev HEADER sqlite3.h LIBRARIES sqlite3)
photonsim_external(toml PACKAGE libtomlplusplus-dev HEADER toml++/toml.h LIBRARIES tomlplusplus
  DEFINITIONS TOML_HEADER_ONLY=0)
photonsim_external(cli11 PACKAGE libcli11-dev HEADER CLI/CLI.hpp)
photonsim_external(fmt PACKAGE libfmt-dev HEADER fmt/format.h LIBRARIES fmt)
photonsim_external(xxhash PACKAGE libxxhash-dev HEADER xxhash.h LIBRARIES xxhash)
photonsim_external(protozero PACKAGE libprotozero-dev HEADER protozero/pbf_builder.hpp)
photonsim_external(random123 PACKAGE librandom123-dev HEADER Random123/philox.h)
photonsim_external(eigen PACKAGE libeigen3-dev HEADER Eigen/LU FOLDER eigen3)
photonsim_external(nlopt PACKAGE libnlopt-dev HEADER nlopt.h LIBRARIES nlopt)
photonsim_external(muparser PACKAGE libmuparser-dev HEADER muParser.h LIBRARIES muparser)

# Several machines: mpirun and srun (cli/cluster). AUTO: where it is found.
set(PHOTONSIM_MPI AUTO CACHE STRING "Build with MPI: AUTO, ON or OFF")
if(NOT PHOTONSIM_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    photonsim_external(boost_mpi PACKAGE libboost-mpi1.81-dev HEADER boost/mpi/communicator.hpp
      LIBRARIES boost_mpi boost_serialization OPTIONAL)
  endif()
  if(TARGET ext::boost_mpi)
    add_library(ext::mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ext::mpi INTERFACE ext::boost_mpi ${MPI_CXX_LIBRARIES})
    target_include_directories(ext::mpi SYSTEM INTERFACE ${MPI_CXX_INCLUDE_DIRS})
    # Its C++ bindings are gone from the standard, and from Boost.MPI.
    target_compile_definitions(ext::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  elseif(PHOTONSIM_MPI STREQUAL "ON")
    message(FATAL_ERROR "Missing: MPI with Boost.MPI. Install libboost-mpi1.81-dev, or run scripts/setup.sh --mpi.")
  endif()
endif()

find_package(Threads REQUIRED)
add_library(ext::threads ALIAS Threads::Threads)

if(PHOTONSIM_TESTS OR PHOTONSIM_BENCH)
  # Catch2 3 where it is installed, otherwise Debian 12's single header 2.13; tests/support/catch.h
  # hides the difference.
  find_package(Catch2 3 QUIET)
  if(Catch2_FOUND)
    add_library(ext::catch2 ALIAS Catch2::Catch2)
  else()
    photonsim_external(catch2 PACKAGE catch2 HEADER catch2/catch.hpp)
  endif()
  photonsim_external(rapidcheck PACKAGE librapidcheck-dev HEADER rapidcheck.h LIBRARIES rapidcheck)
endif()
