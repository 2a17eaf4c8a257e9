#include "sw/libs/gcl/options.h"

#include <map>
#include <poplar/exceptions.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace gcl {
Method method_of(const poplar::OptionFlags& options) {
  const std::map<std::string, Method> methods = {{"auto", Method::kAuto},
                                                 {"broadcast", Method::kBroadcast},
                                                 {"clockwise_ring", Method::kClockwiseRing},
                                                 {"anticlockwise_ring", Method::kAnticlockwiseRing},
                                                 {"bidirectional_ring_pair", Method::kRingPair},
                                                 {"recursive_halving", Method::kHalving}};
  const std::map<std::string, bool> implementations = {{"true", true}};
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
      read(implementations);
    } else {
      throw poplar::invalid_option("there is no collective option '" + name +
                                   "'; the options are 'method' and 'useReplicatedImplementation'");
    }
  }
  return method;
}

void check_no_turns(const poplar::OptionFlags& options, const std::string& collective) {
  const Method method = method_of(options);
  if (method != Method::kAuto && method != Method::kBroadcast)
    throw poplar::invalid_option("collective option 'method' is '" + options.at("method").cloneAsString() +
                                 "': " + collective + " has no turns, and takes 'auto' and 'broadcast'");
}

std::vector<Turns> ways_of(Method method, std::size_t bytes, unsigned n) {
  const bool power = (n & (n - 1)) == 0;
  if (method == Method::kHalving && !power)
    throw poputil::poplibs_error("collective option 'method' is 'recursive_halving': between " + std::to_string(n) +
                                 " replicas, which is no power of 2");
  if (n == 1 || method == Method::kBroadcast || (method == Method::kAuto && bytes <= kSmallBytes)) return {};
  if (method == Method::kAuto) method = power ? Method::kHalving : Method::kRingPair;
  switch (method) {
    case Method::kClockwiseRing:
      return {around(n, true)};
    case Method::kAnticlockwiseRing:
      return {around(n, false)};
    case Method::kRingPair:
      return {around(n, true), around(n, false)};
    default:
      return {halving(n, 0), halving(n, 1)};
  }
}

}  // namespace gcl
