#!/usr/bin/env bash
# Verilator -Wall without waivers and Yosys check -assert, for every module: lint.sh TOOL SOURCE BUILD
# TOOL: verilator or yosys. Packages first; generated packages stand in BUILD.
set -u
tool=$1 source=$2 build=$3
cd "$source" || exit 2
mapfile -t generated < <(find "$build/rtl" -name '*_pkg.sv' -not -path '*machine_pkg_*' | sort)
mapfile -t kept < <(git grep -l '^package ' -- 'rtl/*.sv')
mapfile -t modules < <(git grep -l '^module ' -- 'rtl/*.sv')
packages=("${generated[@]}" "${kept[@]}")
mapfile -t -O "${#modules[@]}" modules < <(find "$build/rtl" -name 'special_table.sv')  # generated like its package
bad=0
if [ "$tool" = yosys ]; then
  # One run: without a top, hierarchy checks every module.
  yosys -q -p "read_verilog -sv ${packages[*]} ${modules[*]}; hierarchy -check; proc; check -assert" || bad=1
else
  for file in "${modules[@]}"; do
    name=$(basename "$file" .sv)
    verilator --lint-only -Wall --top-module "$name" "${packages[@]}" "${modules[@]}" || { echo "in $name"; bad=1; }
  done
fi
echo "$tool: ${#modules[@]} modules checked"
[ "${#modules[@]}" -gt 0 ] || bad=1
exit $bad
