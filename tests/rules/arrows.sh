#!/usr/bin/env bash
# Floors only look down: rtl/spec reads nothing above it; compiler and systemc stand on it and do not know each other; sw joins them.
cd "$1" || exit 2
bad=0
forbid() { # folder, what its sources must not include
  if grep -rnE "^#include [\"<]($2)/" "$1" --include='*.h' --include='*.hpp' --include='*.cpp' --include='*.inl'; then
    echo "$1 must not include from: $2"
    bad=1
  fi
}
forbid rtl/spec 'rtl/(tile|float|exchange|sync|edge|chip)|compiler|systemc|sw|poplar|tb|tests'
forbid compiler 'systemc|sw|poplar|tb|tests'
forbid systemc 'compiler|sw|poplar|tb|tests'
forbid sw 'tb|tests'
exit $bad
