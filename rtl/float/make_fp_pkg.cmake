# Writes the SystemVerilog package fp_pkg from fp_ops.def.
#   cmake -DDEF=<fp_ops.def> -DOUT=<fp_pkg.sv> -P make_fp_pkg.cmake
# A line of the table that is not understood ends the run with its text.

cmake_minimum_required(VERSION 3.25)
file(STRINGS ${DEF} table REGEX "^(FP|INT)_[A-Z_]+\\(")
foreach(line IN LISTS table)
  if(NOT line MATCHES "^([A-Z_]+)\\(([A-Z0-9_]+), ([0-9]+)\\)")
    message(FATAL_ERROR "${DEF}: cannot read: ${line}")
  endif()
  list(APPEND ${CMAKE_MATCH_1}_names ${CMAKE_MATCH_2})
  list(APPEND ${CMAKE_MATCH_1}_codes ${CMAKE_MATCH_3})
endforeach()

# Enumerations rather than parameters: a module that uses a few of them has no unused parameters to be warned of.
set(body "")
function(add_enumeration kind type width prefix)
  if(NOT ${kind}_names)
    message(FATAL_ERROR "${DEF}: no ${kind}")
  endif()
  set(items "")
  foreach(name code IN ZIP_LISTS ${kind}_names ${kind}_codes)
    list(APPEND items "    ${prefix}_${name} = ${width}'d${code}")
  endforeach()
  list(JOIN items ",\n" items)
  math(EXPR high "${width} - 1")
  set(body "${body}  typedef enum logic [${high}:0] {\n${items}\n  } ${type};\n" PARENT_SCOPE)
endfunction()
add_enumeration(FP_OP op_e 5 OP)
add_enumeration(FP_FORMAT format_e 1 FMT)
add_enumeration(FP_ROUNDING rounding_e 3 RM)
add_enumeration(FP_FLAG flag_e 3 FLAG)
add_enumeration(INT_DIVIDE_OP divide_e 2 DIVIDE)

file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
"// Generated from rtl/float/fp_ops.def by make_fp_pkg.cmake.
package fp_pkg;
@body@endpackage
")
