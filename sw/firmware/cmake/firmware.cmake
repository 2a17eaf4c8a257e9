# tessera_firmware(NAME source... [MACHINE mk2-16] [STACK bytes] [WORKER_STACK bytes] [PRINT_WORDS words] [MATH]
#                  [TEXT_BASE address] [LINKER_SCRIPT file]): NAME.elf for every tile of a machine.
#
#   MACHINE        machine it is for; its sizes are in <tessera/machine.h> (default: variable TESSERA_MACHINE, else mk2-16)
#   STACK          of the supervisor (4096), WORKER_STACK of each worker (2048); multiples of 16
#   PRINT_WORDS    words that a context may print between two looks of the host (128)
#   MATH           links <math.h> and 64-bit division of the device library
#   TEXT_BASE      where text begins, the start of an element (the start of memory); data follow in elements of their own
#   LINKER_SCRIPT  in place of tile.ld beside this file
get_filename_component(TESSERA_FIRMWARE_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(TESSERA_DEVICE_ROOT ${TESSERA_FIRMWARE_ROOT}/../device)
# Looks at what was linked; where the tool is not there, `tessera run` says the same when the tile comes to it.
find_program(TESSERA_TOOL tessera HINTS ${TESSERA_FIRMWARE_ROOT}/../../../bin)
if(NOT DEFINED TESSERA_MACHINE)
  set(TESSERA_MACHINE mk2-16)
endif()

function(tessera_firmware name)
  cmake_parse_arguments(arg "MATH" "MACHINE;STACK;WORKER_STACK;PRINT_WORDS;TEXT_BASE;LINKER_SCRIPT" "" ${ARGN})
  foreach(default IN ITEMS MACHINE=${TESSERA_MACHINE} STACK=4096 WORKER_STACK=2048 PRINT_WORDS=128
                           LINKER_SCRIPT=${TESSERA_FIRMWARE_ROOT}/tile.ld)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" ignored "${default}")
    if(NOT DEFINED arg_${CMAKE_MATCH_1})
      set(arg_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(machine ${TESSERA_FIRMWARE_ROOT}/generated/machines/${arg_MACHINE})
  if(NOT EXISTS ${machine})
    file(GLOB known RELATIVE ${TESSERA_FIRMWARE_ROOT}/generated/machines ${TESSERA_FIRMWARE_ROOT}/generated/machines/*)
    message(FATAL_ERROR "tessera_firmware(${name}): no machine is named '${arg_MACHINE}'; known: ${known}")
  endif()

  set(sources ${TESSERA_FIRMWARE_ROOT}/start.S ${TESSERA_FIRMWARE_ROOT}/exit.c
              ${TESSERA_DEVICE_ROOT}/runtime/memory.c ${TESSERA_DEVICE_ROOT}/runtime/print.c)
  if(arg_MATH)
    file(GLOB math ${TESSERA_DEVICE_ROOT}/runtime/*.c)
    list(FILTER math EXCLUDE REGEX "/(memory|print)\\.c$")
    list(APPEND sources ${math})
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} ${sources})
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
  target_include_directories(${name} PRIVATE
    ${TESSERA_FIRMWARE_ROOT}/include ${TESSERA_FIRMWARE_ROOT}/generated ${machine}
    ${TESSERA_DEVICE_ROOT}/include ${TESSERA_DEVICE_ROOT}/generated)
  target_include_directories(${name} SYSTEM PRIVATE ${TESSERA_DEVICE_ROOT}/libc)
  target_compile_definitions(${name} PRIVATE __TESSERA__=1 TESSERA_PRINT_WORDS=${arg_PRINT_WORDS})
  # No implicit float: the supervisor has no float registers.
  target_compile_options(${name} PRIVATE
    -march=rv32imfd_zicsr_zifencei_zfh_zba_zbb -mabi=ilp32d -mno-relax -msmall-data-limit=0 -g -O2 -Wall
    -ffreestanding -fno-builtin-printf -ffunction-sections -fdata-sections -ffp-contract=off -fno-math-errno -fno-asynchronous-unwind-tables
    $<$<COMPILE_LANGUAGE:C,CXX>:-mno-implicit-float>
    $<$<COMPILE_LANGUAGE:CXX>:-std=c++20;-fno-exceptions;-fno-rtti;-fno-threadsafe-statics;-nostdinc++>)
  target_link_options(${name} PRIVATE
    -march=rv32imfd_zicsr_zifencei_zfh_zba_zbb -mabi=ilp32d -fuse-ld=lld-19 -nostdlib -static
    LINKER:-T,${arg_LINKER_SCRIPT} LINKER:-L,${machine} LINKER:--gc-sections LINKER:--no-relax
    LINKER:--defsym=__supervisor_stack_bytes=${arg_STACK} LINKER:--defsym=__worker_stack_bytes=${arg_WORKER_STACK})
  if(DEFINED arg_TEXT_BASE)
    target_link_options(${name} PRIVATE LINKER:--defsym=__text_base=${arg_TEXT_BASE})
  endif()
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${arg_LINKER_SCRIPT})
  if(TESSERA_TOOL)
    add_custom_command(TARGET ${name} POST_BUILD COMMAND ${TESSERA_TOOL} check --seal $<TARGET_FILE:${name}> VERBATIM)
  endif()
endfunction()
