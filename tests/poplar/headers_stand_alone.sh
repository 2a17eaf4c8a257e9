#!/bin/sh
# Each public header compiles alone as C++11, all together as C++17 and C++20, without warnings; with the library's old
# ABI Engine.hpp does not, and the compiler says why.
# usage: headers_stand_alone.sh COMPILER INCLUDE_DIRECTORY
compiler=$1
directory=$2
failed=0
count=0
everything=
for header in "$directory"/poplar/*.hpp "$directory"/poputil/*.hpp "$directory"/popops/*.hpp "$directory"/gcl/*.hpp "$directory"/gccs/*.hpp; do
  name=$(basename "$(dirname "$header")")/$(basename "$header")
  everything="$everything#include <$name>
"
  if ! echo "#include <$name>" |
    "$compiler" -std=c++11 -Wall -Wextra -pedantic -Werror -I "$directory" -fsyntax-only -x c++ -; then
    echo "$name does not stand alone"
    failed=1
  fi
  count=$((count + 1))
done
for standard in c++17 c++20; do
  echo "$everything" |
    "$compiler" -std=$standard -Wall -Wextra -pedantic -Werror -I "$directory" -fsyntax-only -x c++ - || failed=1
done
said=$(echo "#include <poplar/Engine.hpp>" |
  "$compiler" -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -I "$directory" -fsyntax-only -x c++ - 2>&1)
if ! echo "$said" | grep -q "error: .*compile without -D_GLIBCXX_USE_CXX11_ABI=0"; then
  echo "the old ABI is taken: $said"
  failed=1
fi
echo "$count headers"
[ $count -gt 50 ] && [ $failed -eq 0 ]
