# Installs tamis into a fresh folder (but for add_subdirectory), builds the example of README.md
# against it in one WAY, and runs that. See CMakeLists.txt for the variables.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(dir ${BUILD}/tests/install/${WAY})
set(prefix ${dir}/prefix)
file(REMOVE_RECURSE ${dir})
file(MAKE_DIRECTORY ${dir})

# The example: the first block of C++ in README.md.
file(READ ${SOURCE}/README.md readme)
string(FIND "${readme}" "```cpp\n" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "README.md has no block of C++")
endif()
math(EXPR begin "${begin} + 7")
string(SUBSTRING "${readme}" ${begin} -1 example)
string(FIND "${example}" "```" length)
string(SUBSTRING "${example}" 0 ${length} example)
file(WRITE ${dir}/example.cc "${example}")

if(WAY STREQUAL "pkg_config")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs tamis
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${CXX} -std=c++20 ${dir}/example.cc -o ${dir}/example ${flags}
    -Wl,-rpath,${prefix}/${LIBDIR})
  run(${dir}/example)
  return()
endif()

set(options -D WAY=${WAY} -D EXAMPLE=${dir}/example.cc -D CMAKE_BUILD_TYPE=Debug
  -D CMAKE_CXX_COMPILER=${CXX} -G ${GENERATOR})
if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  list(APPEND options -D CMAKE_PREFIX_PATH=${prefix})
else()
  # The core alone, which is quick to build.
  list(APPEND options -D TAMIS_SOURCE=${SOURCE} -D TAMIS_SIMD=OFF -D TAMIS_TBB=OFF
    -D TAMIS_CUDA=OFF)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${dir}/build ${options})
run(${CMAKE_COMMAND} --build ${dir}/build)
run(${dir}/build/example)
