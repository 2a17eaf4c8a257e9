#include "formats/symbol_name.h"

#include <catch2/catch.hpp>

using tessera::formats::readable_symbol;

TEST_CASE("mangled names are read, names of C stay, also those that are mangled types") {
  CHECK(readable_symbol("_ZN4demo4stepEv") == "demo::step()");
  CHECK(readable_symbol("_Z4deepi") == "deep(int)");
  for (const char* name : {"f", "i", "main", "_start", "_Znonsense", ""}) CHECK(readable_symbol(name) == name);
}
