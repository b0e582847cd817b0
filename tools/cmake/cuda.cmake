# Whether to build for GPUs. TAMIS_CUDA=AUTO does where nvcc is found, ON refuses to go without, OFF
# goes without. Sets TAMIS_WITH_CUDA and, for .cu files, TAMIS_CUDA_OPTIONS.
set(TAMIS_WITH_CUDA OFF)
string(TOUPPER "${TAMIS_CUDA}" wanted)
if(wanted STREQUAL "OFF" OR (wanted STREQUAL "AUTO" AND CMAKE_CROSSCOMPILING))
  return()
endif()

if(EXISTS "$ENV{CUDACXX}")
  set(TAMIS_NVCC $ENV{CUDACXX})
else()
  find_program(TAMIS_NVCC NAMES $ENV{CUDACXX} nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda
    PATH_SUFFIXES bin DOC "nvcc, the CUDA compiler")
endif()
if(NOT TAMIS_NVCC)
  if(NOT wanted STREQUAL "AUTO")
    message(FATAL_ERROR
      "TAMIS_CUDA=${TAMIS_CUDA} needs nvcc: not in PATH, CUDACXX, CUDA_HOME or /usr/local/cuda/bin")
  endif()
  return()
endif()

# Machine code for the data centre's generations, and PTX of the last for what is still to come.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)
endif()
set(CMAKE_CUDA_COMPILER ${TAMIS_NVCC})
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(TAMIS_WITH_CUDA ON)
# The language by option, since Debian's CMake does not know that nvcc has C++20.
set(TAMIS_CUDA_OPTIONS
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;--threads=3;-Werror=all-warnings>")
