// Every signal of the save file exists in waves of a real run, and GTKWave's own reader sees it: save_file_test FST
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "waves/save_file.h"

namespace {

// Full names of the signals in an FST, as fst2vcd (of GTKWave's package) lists them.
std::set<std::string> signals_of(const std::string& fst) {
  std::set<std::string> names;
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(fmt::format("fst2vcd -f '{}'", fst).c_str(), "r"), pclose);
  std::vector<std::string> scopes;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get())) {
    std::istringstream line(buffer.data());
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (words[0] == "$scope") scopes.push_back(words[2]);
    if (words[0] == "$upscope") scopes.pop_back();
    if (words[0] == "$enddefinitions") break;
    if (words[0] != "$var") continue;
    std::string name;
    for (const auto& scope : scopes) name += scope + ".";
    name += words[4];
    if (words[5] != "$end") name += words[5];
    names.insert(name);
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: save_file_test FST\n";
    return 2;
  }
  const auto have = signals_of(argv[1]);
  unsigned missing = 0;
  const auto shown = tessera::waves::shown_signals({0, 1});
  for (const auto& name : shown)
    if (!have.count(name)) {
      std::cerr << name << " is not in the waves\n";
      ++missing;
    }
  std::cout << shown.size() - missing << " of " << shown.size() << " signals of the save file are in the waves\n";
  return missing != 0;
}
