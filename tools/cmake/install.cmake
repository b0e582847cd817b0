# Installs the libraries, their headers, a CMake package and a pkg-config file. Both of these name
# what the libraries themselves are linked with only where a consumer's link needs it: for static
# ones.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TAMIS_LIBRARIES)
install(TARGETS ${libraries} EXPORT tamis)
install(DIRECTORY core/tamis TYPE INCLUDE FILES_MATCHING PATTERN *.h)
if(TAMIS_WITH_CUDA)
  install(DIRECTORY cuda/tamis TYPE INCLUDE FILES_MATCHING PATTERN *.h PATTERN *.cuh)
endif()
if(TAMIS_CUDART)
  install(FILES ${TAMIS_CUDART} DESTINATION ${CMAKE_INSTALL_LIBDIR}/tamis)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)
install(EXPORT tamis NAMESPACE tamis:: FILE tamis-targets.cmake DESTINATION ${package_dir})

set(TAMIS_DEPENDENCIES "")
set(TAMIS_PC_REQUIRES "")
if(NOT BUILD_SHARED_LIBS)
  list(APPEND TAMIS_DEPENDENCIES ZLIB)
  list(APPEND TAMIS_PC_REQUIRES zlib)
  if(TAMIS_SIMD)
    list(APPEND TAMIS_DEPENDENCIES "HWY CONFIG NAMES HWY hwy")
    list(APPEND TAMIS_PC_REQUIRES libhwy)
  endif()
  if(TAMIS_TBB)
    list(APPEND TAMIS_DEPENDENCIES TBB)
    list(APPEND TAMIS_PC_REQUIRES tbb)
  endif()
endif()
list(TRANSFORM TAMIS_DEPENDENCIES REPLACE "(.+)" "find_dependency(\\1)")
list(JOIN TAMIS_DEPENDENCIES "\n" TAMIS_DEPENDENCIES)
list(JOIN TAMIS_PC_REQUIRES " " TAMIS_PC_REQUIRES)

set(package ${PROJECT_BINARY_DIR}/package)
configure_package_config_file(tools/cmake/tamis-config.cmake.in ${package}/tamis-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${package}/tamis-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${package}/tamis-config.cmake ${package}/tamis-config-version.cmake
  DESTINATION ${package_dir})

# Of static libraries, one comes before those that it uses.
set(TAMIS_PC_LIBS "")
foreach(library IN LISTS libraries)
  get_target_property(name ${library} OUTPUT_NAME)
  if(NOT name)
    set(name ${library})
  endif()
  list(PREPEND TAMIS_PC_LIBS -l${name})
endforeach()
if(TAMIS_CUDART)
  list(APPEND TAMIS_PC_LIBS "-L\${libdir}/tamis" -lcudart_static -ldl -lrt -lpthread)
endif()
list(JOIN TAMIS_PC_LIBS " " TAMIS_PC_LIBS)

# The prefix is known only when installing, and the file says it relative to its own place, so that
# the tree can move.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE TAMIS_PC_PREFIX)
foreach(dir LIBDIR INCLUDEDIR)
  set(TAMIS_PC_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${dir}})
    string(PREPEND TAMIS_PC_${dir} "\${prefix}/")
  endif()
endforeach()
configure_file(tools/cmake/tamis.pc.in ${package}/tamis.pc @ONLY)
install(FILES ${package}/tamis.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
