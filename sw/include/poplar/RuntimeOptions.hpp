// Options of the engine that a program gives when it loads or runs.
#pragma once

#include <poplar/OptionFlags.hpp>

namespace poplar {

class RuntimeOptions {
 public:
  RuntimeOptions() {}
  // Engine options, without those of the compiler. Throws invalid_option.
  RuntimeOptions(const OptionFlags& flags);
  const OptionFlags& flags() const { return flags_; }

 private:
  OptionFlags flags_;
};

}  // namespace poplar
