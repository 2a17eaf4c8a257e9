# Writes the SystemVerilog package fp_pkg from fp_ops.def.
#   cmake -DDEF=<fp_ops.def> -DOUT=<fp_pkg.sv> -P make_fp_pkg.cmake
# A line of the table that is not understood ends the run with its text.

cmake_minimum_required(VERSION 3.25)
file(STRINGS ${DEF} table REGEX "^(FP|INT)_[A-Z_]+\\(")
set(body "")
foreach(line IN LISTS table)
  if(NOT line MATCHES "^([A-Z_]+)\\(([A-Z0-9_]+), ([0-9]+)\\)")
    message(FATAL_ERROR "${DEF}: cannot read: ${line}")
  endif()
  set(kind ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(code ${CMAKE_MATCH_3})
  if(kind STREQUAL "FP_OP")
    string(APPEND body "  localparam logic [4:0] OP_${name} = 5'd${code};\n")
  elseif(kind STREQUAL "FP_FORMAT")
    string(APPEND body "  localparam logic FMT_${name} = 1'd${code};\n")
  elseif(kind STREQUAL "FP_ROUNDING")
    string(APPEND body "  localparam logic [2:0] RM_${name} = 3'd${code};\n")
  elseif(kind STREQUAL "FP_FLAG")
    string(APPEND body "  localparam int unsigned FLAG_${name} = ${code};\n")
  elseif(kind STREQUAL "INT_DIVIDE_OP")
    string(APPEND body "  localparam logic [1:0] DIVIDE_${name} = 2'd${code};\n")
  else()
    message(FATAL_ERROR "${DEF}: unknown kind: ${line}")
  endif()
endforeach()

file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
"// Generated from rtl/float/fp_ops.def by make_fp_pkg.cmake.
package fp_pkg;
@body@endpackage
")
