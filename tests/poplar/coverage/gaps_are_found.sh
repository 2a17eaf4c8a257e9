#!/usr/bin/env bash
# api_coverage.py complains of a stale page, a missing row, a name that no header has, a test that is not there or uses nothing.
# usage: gaps_are_found.sh CLANG SOURCES FOLDER
clang=$1 sources=$2 folder=$3
bad=0

fresh() { # sources with lists and a page of their own
  rm -rf "$folder"
  mkdir -p "$folder/docs/user"
  ln -s "$sources/compiler" "$sources/sw" "$sources/tests" "$folder"
  cp "$sources/docs/user/api-coverage.md" "$folder/docs/user"
  cp -r "$sources/tests/poplar/coverage" "$folder/lists"
}

check() { "$folder/lists/api_coverage.py" "$clang" "$folder"; }

breaks() { # what it is to say, what spoils it
  fresh
  eval "$2"
  if check > "$folder/said"; then
    echo "'$2' goes unnoticed"
    bad=1
  elif ! grep -qF -- "$1" "$folder/said"; then
    echo "'$2' is not said to be '$1' but:"
    cat "$folder/said"
    bad=1
  fi
}

fresh
check || bad=1
breaks "api-coverage.md is not what list and headers give" 'echo more >> "$folder/docs/user/api-coverage.md"'
breaks "Tensor::dimRoll is public and has no row" 'sed -i "/| Tensor::dimRoll |/d" "$folder"/lists/*.txt'
breaks "Tensor::dimRolled is in no header" 'sed -i "s/| Tensor::dimRoll |/| Tensor::dimRolled |/" "$folder"/lists/*.txt'
breaks "has no case 'dimensions of another order keep" 'sed -i "/| Tensor::dimRoll |/s/dimensions in another/dimensions of another/" "$folder"/lists/*.txt'
breaks "does not use dimRoll" 'sed -i "/| Tensor::dimRoll |/s/tensor_elements_test.cpp | .*/tensor_test.cpp | joining/" "$folder"/lists/*.txt'
breaks "tests/poplar/no_test.cpp is not there" 'sed -i "/| Tensor::dimRoll |/s/tensor_elements_test/no_test/" "$folder"/lists/*.txt'
breaks "has a row already" 'grep -h "| Tensor::dimRoll |" "$folder"/lists/*.txt > "$folder/row"; cat "$folder/row" >> "$folder/lists/tensor.txt"'
breaks "Tensor::dimRoll is declared; name its test" 'sed -i "s/| Tensor::dimRoll | .*/| Tensor::dimRoll | - | no reason/" "$folder"/lists/*.txt'
exit $bad
