# tessera_test(NAME name SOURCES file... [LIBRARIES library...] [LABELS label...] [OPTIMISED] [NIGHTLY]): a Catch2 executable that CTest
# runs. What a test tests is optimised as in any build; the test's own sources are compiled quickly (a third of the time for what
# waits on the tested code anyway), unless it is OPTIMISED: one that computes for long by itself. NIGHTLY: takes minutes to build, which
# only the nightly tier does, when it comes to it.
# Works with Catch2 2.13 (Debian 12) and 3 (Debian 13): sources include <catch2/catch.hpp>.
find_package(Catch2 REQUIRED)
if(NOT TARGET tessera_catch)
  # One <catch2/catch.hpp> for both, with one name for the matcher of a part of a text.
  if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/catch/catch2/catch.hpp CONTENT [[
#pragma once
#include <catch2/catch_all.hpp>
using Catch::Approx;
namespace Catch {
namespace Matchers {
inline auto ContainsText(const std::string& part) -> decltype(ContainsSubstring(part)) { return ContainsSubstring(part); }
}
}
]])
    add_library(tessera_catch INTERFACE)
    target_include_directories(tessera_catch INTERFACE ${CMAKE_BINARY_DIR}/catch)
    target_link_libraries(tessera_catch INTERFACE Catch2::Catch2WithMain)
  else()
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/catch/catch2/catch.hpp CONTENT [[
#pragma once
#include_next <catch2/catch.hpp>
namespace Catch {
namespace Matchers {
inline auto ContainsText(const std::string& part) -> decltype(Contains(part)) { return Contains(part); }
}
}
]])
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/catch/main.cpp CONTENT "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
    add_library(tessera_catch STATIC ${CMAKE_BINARY_DIR}/catch/main.cpp)
    target_include_directories(tessera_catch PUBLIC ${CMAKE_BINARY_DIR}/catch)
    target_link_libraries(tessera_catch PUBLIC Catch2::Catch2)
    target_compile_options(tessera_catch PRIVATE -O1)
  endif()
  # Catch2's header compiled once, in what ./run builds: half a second of each of 160 sources. Of a program that does nothing, since
  # programs are compiled with options of their own. Not with ccache, which could not keep what depends on it.
  set(together $CACHE{CMAKE_UNITY_BUILD})
  if(together AND NOT CCACHE)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/catch/headers.cpp CONTENT "int main() {}\n")
    add_executable(tessera_test_headers EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/catch/headers.cpp)
    target_link_libraries(tessera_test_headers PRIVATE tessera_catch)
    target_compile_options(tessera_test_headers PRIVATE -O1)
    target_precompile_headers(tessera_test_headers PRIVATE <catch2/catch.hpp>)
  endif()
endif()

function(tessera_test)
  cmake_parse_arguments(test "OPTIMISED;NIGHTLY" "NAME" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${test_NAME} ${test_SOURCES})
  target_link_libraries(${test_NAME} PRIVATE tessera_catch ${test_LIBRARIES})
  if(NOT test_OPTIMISED AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${test_NAME} PRIVATE -O1)
    if(TARGET tessera_test_headers)
      target_precompile_headers(${test_NAME} REUSE_FROM tessera_test_headers)
    endif()
  endif()
  if(test_NIGHTLY)
    set_target_properties(${test_NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    add_test(NAME ${test_NAME}
             COMMAND sh -c "'${CMAKE_COMMAND}' --build '${CMAKE_BINARY_DIR}' --target '${test_NAME}' && '$<TARGET_FILE:${test_NAME}>'")
    set_tests_properties(${test_NAME} PROPERTIES RUN_SERIAL ON TIMEOUT 3600)
    list(APPEND test_LABELS nightly)
  else()
    add_test(NAME ${test_NAME} COMMAND ${test_NAME})
  endif()
  if(test_LABELS)
    set_tests_properties(${test_NAME} PROPERTIES LABELS "${test_LABELS}")
  endif()
endfunction()
