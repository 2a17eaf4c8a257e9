# What ./run install PREFIX puts down beside the targets that install themselves: headers, CMake package, pkg-config file and the
# `enable` script.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/sw/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/user ${PROJECT_SOURCE_DIR}/docs/reference
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera)

configure_file(${CMAKE_CURRENT_LIST_DIR}/enable.in ${PROJECT_BINARY_DIR}/enable @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/enable DESTINATION .)
foreach(library IN ITEMS poplar poputil popops gcl)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET poplar)
  set_target_properties(poplar poputil popops gcl PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS poplar poputil popops gcl EXPORT poplarTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT poplarTargets DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplar)
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/poplarConfig.cmake.in ${PROJECT_BINARY_DIR}/poplarConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplar PATH_VARS CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/poplarConfigVersion.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/poplarConfig.cmake ${PROJECT_BINARY_DIR}/poplarConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplar)
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/poplibsConfig.cmake.in ${PROJECT_BINARY_DIR}/poplibsConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplibs)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/poplibsConfigVersion.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/poplibsConfig.cmake ${PROJECT_BINARY_DIR}/poplibsConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/poplibs)
endif()

# Where the folders of the RTL are built (TESSERA_FOLDERS may leave them out).
if(TARGET tessera_rtl_chip AND TARGET tessera_pcie AND TARGET tessera_inspect_faults)
  include(InstallSimulator)
endif()
