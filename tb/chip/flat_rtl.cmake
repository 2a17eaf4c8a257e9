# flat_rtl(<target> <machine> <compiler flags>): rtl/chip/chip.sv with all tiles in one verilated class Vchip, as library <target>.
include(${PROJECT_SOURCE_DIR}/tb/fabric_rtl.cmake)

function(flat_rtl target machine tuning)
  get_property(package GLOBAL PROPERTY TESSERA_MACHINE_PKG_${machine})
  get_property(fabric GLOBAL PROPERTY TESSERA_LINKED_FABRIC_SOURCES)
  get_property(tile GLOBAL PROPERTY TESSERA_TILE_SOURCES)
  get_property(depends GLOBAL PROPERTY TESSERA_TILE_DEPENDS)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  add_custom_command(
    OUTPUT ${folder}/Vchip__ALL.a
    BYPRODUCTS ${folder}/Vchip.h
    COMMAND ${CMAKE_COMMAND} -E env "OBJCACHE=${TESSERA_VERILATED_LAUNCHER}"
            ${VERILATOR} --cc --build -j 2 --assert -Wall -O3 --x-assign fast --x-initial fast --output-split 20000
            --compiler clang --top-module chip --prefix Vchip --Mdir ${folder}
            -MAKEFLAGS "CXX=${TESSERA_VERILATED_CXX} LINK=${TESSERA_VERILATED_CXX} OPT_FAST='${tuning}' OPT_SLOW=-O0"
            ${package} ${tile} ${fabric} ${PROJECT_SOURCE_DIR}/rtl/chip/chip.sv > ${folder}.log ||
            sh -c "cat '${folder}.log'; exit 1"
    COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${folder}/Vchip__ALL.a
    DEPENDS ${package} ${tile} ${fabric} ${PROJECT_SOURCE_DIR}/rtl/chip/chip.sv
    COMMENT "Verilating the flat chip of ${machine}"
    VERBATIM)
  add_custom_target(${target}_build DEPENDS ${folder}/Vchip__ALL.a)
  add_dependencies(${target}_build tessera_machine_pkg_${machine} ${depends})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_build)
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
  target_link_libraries(${target} INTERFACE ${folder}/Vchip__ALL.a)
endfunction()
