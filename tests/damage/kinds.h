// The kinds of files that are read: a whole one of each, and how to read it to its end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

struct Kind {
  std::string name, ending;
  std::vector<uint8_t> whole;
  // What is in the file, as text. Throws what its readers throw.
  std::function<std::string(const std::string& path)> read;
  // Text that people write has no digest: what can be read may say something else.
  bool written_by_people = false;
};

// `firmware`, `library`: real files of the build. The others are made here.
std::vector<Kind> kinds(const std::string& firmware, const std::string& library);

}  // namespace tessera::test
