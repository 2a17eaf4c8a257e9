// An FST as GTKWave's own tool fst2vcd tells it: every signal with its changes, to ask for values at a cycle.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {

class FstDump {
 public:
  explicit FstDump(const std::string& path);  // std::runtime_error when fst2vcd does not read it

  // Names with scope and range: "tile0.sync.zone[3:0]".
  bool has(const std::string& name) const { return codes_.count(name) != 0; }
  // Bits as '0' and '1' (leading zeros as the tool leaves them), texts as they are; of the last change up to `cycle`.
  const std::string& at(const std::string& name, uint64_t cycle) const;
  uint64_t number(const std::string& name, uint64_t cycle) const;
  uint64_t first() const { return first_; }
  uint64_t last() const { return last_; }
  size_t signals() const { return codes_.size(); }
  const std::string& unit() const { return unit_; }  // "1ns"

 private:
  using Changes = std::vector<std::pair<uint64_t, std::string>>;
  std::map<std::string, std::string> codes_;  // of a name
  std::map<std::string, Changes> changes_;    // of a code
  std::string unit_;
  uint64_t first_ = ~0ull, last_ = 0;
};

}  // namespace tessera::test
