# tessera_bench_part(<target>): `target`, named bench_NAME_PART, is a part of benchmark NAME (no hyphens in it). It is left in
# tests/bench of the build tree, where bench.sh looks for it, and is built by `bench-NAME` and by `bench` only.
function(tessera_bench_part target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bench)
  tessera_bench_needs(${target} ${target})
endfunction()

# tessera_bench_script(<script> <template> [<target>...]): the same of a script made from `template`, which needs these targets.
function(tessera_bench_script script template)
  configure_file(${template} ${PROJECT_BINARY_DIR}/tests/bench/${script} @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  tessera_bench_needs(${script} ${ARGN})
endfunction()

function(tessera_bench_needs part)
  string(REGEX REPLACE "^bench_([^_]+)_.*" "bench-\\1" group ${part})
  if(NOT TARGET ${group})
    add_custom_target(${group})
    add_dependencies(bench ${group})
    string(REPLACE "bench-" "" name ${group})
    set_property(GLOBAL APPEND PROPERTY TESSERA_BENCHMARKS ${name})
  endif()
  if(ARGN)
    add_dependencies(${group} ${ARGN})
  endif()
endfunction()
