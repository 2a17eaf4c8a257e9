# The simulator's parts for benches of other people: archives, headers and the CMake package Tessera.
set(TESSERA_SIM_LIBRARIES ${CMAKE_INSTALL_LIBDIR}/tessera-sim)
set(TESSERA_SIM_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/tessera-sim)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

# Archives under the names that TesseraConfig.cmake gives them.
foreach(library IN ITEMS tessera_files tessera_spec tessera_port tessera_model tessera_model_float tessera_chip tessera_fabric tessera_rtl_chip
                         tessera_verilated tessera_inspect_faults tessera_inspect_options tessera_program tessera_formats tessera_pcie
                         tessera_link tessera_link_layer tessera_chip_threads tessera_gateway)
  install(FILES $<TARGET_FILE:${library}> DESTINATION ${TESSERA_SIM_LIBRARIES})
endforeach()
# Looking into a bench of one's own: the parts of a run, and the chips with waves that they may need.
foreach(library IN ITEMS tessera_inspect tessera_inspect_arguments tessera_inspect_bench tessera_inspect_check tessera_inspect_failure
                         tessera_inspect_gdb tessera_inspect_parts tessera_inspect_progress tessera_inspect_trace
                         tessera_inspect_waves tessera_fst tessera_backend_waves tessera_wave_chip tessera_verilated_trace)
  install(FILES $<TARGET_FILE:${library}> DESTINATION ${TESSERA_SIM_LIBRARIES})
endforeach()
# A host program of one's own for firmware; only where the firmware's folders are built.
if(TARGET tessera_firmware_host)
  foreach(library IN ITEMS tessera_firmware_host tessera_card tessera_process)
    install(FILES $<TARGET_FILE:${library}> DESTINATION ${TESSERA_SIM_LIBRARIES})
  endforeach()
endif()
get_property(kinds GLOBAL PROPERTY TESSERA_TILE_KINDS)
set(TESSERA_TILE_ARCHIVES)
foreach(id IN LISTS kinds)
  set(suffix _${id})
  if(id STREQUAL mk2)
    set(suffix "")
  endif()
  install(FILES $<TARGET_FILE:tessera_vtile${suffix}> DESTINATION ${TESSERA_SIM_LIBRARIES} RENAME libVtile${suffix}.a)
  list(APPEND TESSERA_TILE_ARCHIVES Vtile${suffix})
endforeach()

get_property(ids GLOBAL PROPERTY TESSERA_FABRIC_IDS)
get_property(linked_ids GLOBAL PROPERTY TESSERA_LINKED_FABRIC_IDS)
set(TESSERA_FABRIC_ARCHIVES)
foreach(id IN LISTS ids linked_ids)
  install(FILES $<TARGET_FILE:tessera_vfabric_${id}> DESTINATION ${TESSERA_SIM_LIBRARIES} RENAME libVfabric_${id}.a)
  list(APPEND TESSERA_FABRIC_ARCHIVES Vfabric_${id})
endforeach()

get_property(kinds GLOBAL PROPERTY TESSERA_TRACED_KINDS)
set(TESSERA_TRACED_ARCHIVES)
foreach(id IN LISTS kinds)
  set(suffix _${id})
  if(id STREQUAL mk2)
    set(suffix "")
  endif()
  install(FILES $<TARGET_FILE:tessera_vtile${suffix}_trace> DESTINATION ${TESSERA_SIM_LIBRARIES} RENAME libVtile${suffix}_trace.a)
  list(APPEND TESSERA_TRACED_ARCHIVES Vtile${suffix}_trace)
endforeach()
foreach(id IN LISTS ids)
  install(FILES $<TARGET_FILE:tessera_vfabric_${id}_trace> DESTINATION ${TESSERA_SIM_LIBRARIES} RENAME libVfabric_${id}_trace.a)
  list(APPEND TESSERA_TRACED_ARCHIVES Vfabric_${id}_trace)
endforeach()

# Headers under the paths by which they include each other.
function(install_headers folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  install(FILES ${ARGN} DESTINATION ${TESSERA_SIM_HEADERS}/${folder})
endfunction()
install_headers(formats bytes.h)
install_headers(rtl/spec machine.h system.h link_tables.h routes.h tile_id.h instructions.h instructions.def csrs.def causes.h causes.def registers.h registers.def
  formats.def words.h words.def numbers.h numbers.def bit_field.h remote_address.h remote_windows.h)
install_headers(sim/port
  backend_request.h checkpoint.h chip.h engine_state.h fabric_choice.h flip.h forwarding_chip.h link_port.h lockstep_difference.h next_inputs.h observer_fan.h packet_edge_state.h
  phase_account.h superstep_record.h sync_barrier.h tile.h tile_port.h all_events.inl)
install_headers(sim/engine backend.h lockstep.h lockstep_chip.h model_chip.h rtl_chip.h switch_chip.h)
install_headers(sim/process channel.h message.h report.h)
install_headers(inspect options.h)
install_headers(inspect/bench bench_options.h claimed_files.h inspected_chip.h)
install_headers(inspect/faults fault_injector.h fault_line.h fault_list.h link_fault_list.h)
install_headers(sim/link between_rounds.h chip_threads.h gateway_watch.h lane_faults.h link_faults.h link_layer.h link_watch.h round_follower.h)
install_headers(systemc/gateway gateway.h gateway_link.h)
install_headers(systemc/link chip_port.h chip_rounds.h layered_link.h link.h link_transaction.h)
install_headers(systemc/pcie chip_time.h host_memory.h pcie_card.h pcie_endpoint.h pcie_link.h)
install_headers(sw/card card.h client.h errors.h host_window.h printed.h process.h remote_memory.h)
install_headers(sw/firmware/host board.h elf_image.h)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS TESSERA_SIM_LIBRARIES TESSERA_SIM_HEADERS)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake DESTINATION ${package})
