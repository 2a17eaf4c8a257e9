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
bad=0
count=0
for file in "${modules[@]}"; do
  name=$(basename "$file" .sv)
  if [ "$tool" = verilator ]; then
    out=$(verilator --lint-only -Wall --top-module "$name" "${packages[@]}" "${modules[@]}" 2>&1) || { echo "$name:"; echo "$out"; bad=1; }
  else
    out=$(yosys -q -p "read_verilog -sv ${packages[*]} ${modules[*]}; hierarchy -check -top $name; proc; check -assert" 2>&1) ||
      { echo "$name:"; echo "$out"; bad=1; }
  fi
  count=$((count + 1))
done
echo "$tool: $count modules checked"
[ "$count" -gt 0 ] || bad=1
exit $bad
