find_program(VERILATOR verilator REQUIRED)
find_package(Threads REQUIRED)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# fabric_rtl(<target> <machine> <top> [<blocks>]): a module of exchange, sync, edge or link, verilated for a machine as class V<top>;
# warnings are errors, assertions alive. Blocks: a file that names modules to be verilated once for all their instances, where the
# whole would be too large (Verilator renames them by their parameters and then finds fault with the names of their files).
function(fabric_rtl target machine top)
  get_property(package GLOBAL PROPERTY TESSERA_MACHINE_PKG_${machine})
  get_property(words_package GLOBAL PROPERTY TESSERA_WORDS_PKG)
  get_property(sources GLOBAL PROPERTY TESSERA_FABRIC_SOURCES)
  if(top MATCHES "^link_")
    get_property(sources GLOBAL PROPERTY TESSERA_LINK_SOURCES)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  set(blocks ${ARGN})
  set(hierarchy)
  set(archives ${folder}/V${top}__ALL.a)
  set(join)
  set(made ${folder}/V${top}.h)
  if(blocks)
    set(hierarchy --hierarchical -Wno-DECLFILENAME ${blocks})
    list(APPEND archives ${folder}/blocks.a)
    list(APPEND made ${folder}/blocks.a)
    set(join COMMAND sh -c "rm -f '${folder}/blocks.a' && ar cqTs '${folder}/blocks.a' '${folder}'/V*/lib*.a")
  endif()
  add_custom_command(
    OUTPUT ${folder}/V${top}__ALL.a
    BYPRODUCTS ${made}
    COMMAND ${VERILATOR} --cc --build --assert -Wall -O3 --x-assign fast --x-initial fast --top-module ${top} --prefix V${top}
            --Mdir ${folder} -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O1" ${hierarchy} ${package} ${words_package} ${sources} > ${folder}.log ||
            sh -c "cat '${folder}.log'; exit 1"
    ${join}
    COMMAND ${CMAKE_COMMAND} -E touch_nocreate ${folder}/V${top}__ALL.a
    DEPENDS ${package} ${words_package} ${sources} ${blocks}
    COMMENT "Verilating ${top} of ${machine}"
    VERBATIM)
  add_custom_target(${target}_build DEPENDS ${folder}/V${top}__ALL.a)
  add_dependencies(${target}_build tessera_machine_pkg_${machine} tessera_isa_pkg)
  if(NOT TARGET tessera_fabric_verilated)
    add_library(tessera_fabric_verilated STATIC ${verilator_root}/include/verilated.cpp
                                                ${verilator_root}/include/verilated_threads.cpp
                                                ${verilator_root}/include/verilated_dpi.cpp
                                                ${PROJECT_SOURCE_DIR}/sim/engine/verilated_stop.cpp)
    target_compile_definitions(tessera_fabric_verilated PRIVATE VL_USER_STOP)
    target_include_directories(tessera_fabric_verilated SYSTEM PUBLIC ${verilator_root}/include
                                                                      ${verilator_root}/include/vltstd)
    target_compile_options(tessera_fabric_verilated PRIVATE -w)
    target_link_libraries(tessera_fabric_verilated PUBLIC Threads::Threads)
  endif()
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_build)
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
  target_link_libraries(${target} INTERFACE ${archives} tessera_fabric_verilated)
endfunction()
