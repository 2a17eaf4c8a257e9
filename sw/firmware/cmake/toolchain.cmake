# CMake toolchain file: stock clang-19 and lld-19 for the tiles of Tessera.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)

find_program(TESSERA_CLANG NAMES clang-19)
find_program(TESSERA_CLANGXX NAMES clang++-19)
find_program(TESSERA_LLD NAMES ld.lld-19)
if(NOT TESSERA_CLANG OR NOT TESSERA_CLANGXX OR NOT TESSERA_LLD)
  message(FATAL_ERROR "Firmware needs clang-19 and lld-19: apt-get install clang-19 lld-19")
endif()
foreach(language IN ITEMS C ASM)
  set(CMAKE_${language}_COMPILER ${TESSERA_CLANG})
endforeach()
set(CMAKE_CXX_COMPILER ${TESSERA_CLANGXX})
foreach(language IN ITEMS C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET riscv32-unknown-elf)
  # Programs for a tile do not link without their start code: nothing is tried.
  set(CMAKE_${language}_COMPILER_WORKS TRUE)
endforeach()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Nothing of the host may be found for the tile.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
