#include "sw/libs/gcl/options.h"

#include <map>
#include <poplar/exceptions.hpp>
#include <poputil/OptionParsing.hpp>
#include <string>

namespace gcl {
namespace {

// A ring takes twice the steps and moves 2 / n of the words: for less than this the steps cost more.
constexpr std::size_t kSmallBytes = 4096;

}  // namespace

Method method_of(const poplar::OptionFlags& options) {
  const std::map<std::string, Method> methods = {
      {"auto", Method::kAuto}, {"broadcast", Method::kBroadcast}, {"clockwise_ring", Method::kRing}};
  const std::map<std::string, bool> either = {{"true", true}, {"false", false}};
  Method method = Method::kAuto;
  for (const auto& [name, value] : options) {
    const auto read = [&, &name = name, &value = value](const auto& values) {
      const auto found = values.find(value);
      if (found == values.end())
        throw poplar::invalid_option("collective option '" + name + "' is '" + value + "': it takes " +
                                     poplibs::parse::describeEnumValues(values));
      return found->second;
    };
    if (name == "method") {
      method = read(methods);
    } else if (name == "useReplicatedImplementation") {
      read(either);
    } else {
      throw poplar::invalid_option("there is no collective option '" + name +
                                   "'; the options are 'method' and 'useReplicatedImplementation'");
    }
  }
  return method;
}

bool by_ring(Method method, std::size_t bytes, unsigned n) {
  if (method != Method::kAuto) return method == Method::kRing;
  return n > 1 && bytes > kSmallBytes;
}

}  // namespace gcl
