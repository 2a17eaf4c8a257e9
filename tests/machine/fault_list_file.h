// A list of faults in a file, as long as this lives.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::test {

class FaultListFile {
 public:
  explicit FaultListFile(const std::string& lines) {
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for a list of faults");
    std::ofstream(path()) << lines;
  }
  ~FaultListFile() { std::filesystem::remove_all(folder_); }
  FaultListFile(const FaultListFile&) = delete;
  FaultListFile& operator=(const FaultListFile&) = delete;
  std::string path() const { return folder_ + "/faults.txt"; }
  // Of tessera-machine.
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--inspect", "faults=" + path()});
    return more;
  }

 private:
  std::string folder_ = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
};

}  // namespace tessera::test
