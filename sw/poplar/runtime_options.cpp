#include <poplar/RuntimeOptions.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/option_table.h"

namespace poplar {

RuntimeOptions::RuntimeOptions(const OptionFlags& flags) : flags_(flags) {
  using namespace tessera::runtime;
  check(engine_options(), flags);
  for (const auto& [name, value] : flags)
    if (const Option* option = find(engine_options(), name); option != nullptr && option->compiled)
      throw invalid_option("RuntimeOptions: option '" + name +
                           "' is for the compiler; give it to Engine or compileGraph");
}

}  // namespace poplar
