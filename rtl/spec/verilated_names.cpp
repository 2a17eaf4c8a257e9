#include "rtl/spec/verilated_names.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace tessera::spec {
namespace {

// A name of Verilator's as a path of the RTL: __DOT__ stands for a dot, __BRA__ and __KET__ for brackets, and __PVT__
// is put before what only the class itself uses.
std::string path_of(std::string name) {
  static const std::pair<std::string, std::string> kSpelled[] = {
      {"__PVT__", ""}, {"__KET____DOT__", "]."}, {"__DOT__", "."}, {"__BRA__", "["}, {"__KET__", "]"}};
  for (const auto& [spelled, meant] : kSpelled)
    for (size_t at; (at = name.find(spelled)) != std::string::npos;) name.replace(at, spelled.size(), meant);
  return name;
}

class Reader {
 public:
  Reader(std::string folder, std::string prefix) : folder_(std::move(folder)), prefix_(std::move(prefix)) {}

  // The registers of one class, and of the modules inside that are classes of their own.
  void read(const std::string& type, const std::string& path, const std::string& expression) {
    headers_.push_back(type + ".h");
    static const std::regex kRegister(R"(\s*[CSIQ]Data/\*(\d+):(\d+)\*/ (\w+);.*)");
    static const std::regex kArray(R"(\s*VlUnpacked<[CSIQ]Data/\*(\d+):(\d+)\*/, (\d+)> (\w+);.*)");
    static const std::regex kInstance(R"(\s*(\w+)\* (\w+);.*)");
    std::ifstream in(folder_ + "/" + type + ".h");
    if (!in) throw std::runtime_error(folder_ + " holds no class " + type + " of a verilated design");
    std::smatch m;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_match(line, m, kRegister)) {
        add(path, expression, m[3], m[1], m[2], 1);
      } else if (std::regex_match(line, m, kArray)) {
        add(path, expression, m[4], m[1], m[2], std::stoul(m[3]));
      } else if (std::regex_match(line, m, kInstance) && module(m[1])) {
        read(m[1], path + path_of(m[2]) + ".", expression + m[2].str() + "->");
      }
    }
    headers_.pop_back();
  }
  std::vector<VerilatedRegister> registers;

 private:
  bool module(const std::string& type) const {
    return type.starts_with(prefix_ + "_") && type != prefix_ + "__Syms" &&
           std::filesystem::exists(folder_ + "/" + type + ".h");
  }
  void add(const std::string& path, const std::string& expression, const std::string& name, const std::string& high,
           const std::string& low, unsigned long entries) {
    registers.push_back({path + path_of(name), expression + name,
                         static_cast<unsigned>(std::stoul(high) - std::stoul(low) + 1), static_cast<unsigned>(entries),
                         headers_});
  }
  const std::string folder_, prefix_;
  std::vector<std::string> headers_;  // of the classes that are being read
};

}  // namespace

std::vector<VerilatedRegister> verilated_registers(const std::string& folder, const std::string& prefix) {
  Reader reader(folder, prefix);
  reader.read(prefix + "___024root", "", "root.");
  return std::move(reader.registers);
}

}  // namespace tessera::spec
