#include "result.h"

#include <bit>
#include <fstream>
#include <stdexcept>

namespace {

uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

}  // namespace

void write_result(const std::string& path, const Result& r) {
  std::ofstream out(path);
  out << "digits-result 1\n" << r.machine << "\n" << r.accuracy << " " << r.cycles << "\n" << std::hex;
  for (const auto* values : {&r.losses, &r.weights}) {
    out << values->size();
    for (float value : *values) out << " " << bits_of(value);
    out << "\n";
  }
  out << r.supersteps.size() << "\n";
  for (const auto& step : r.supersteps) out << step.cycle << " " << step.hash << "\n";
  out.close();
  if (!out) throw std::runtime_error("digits: " + path + " cannot be written");
}

Result read_result(const std::string& path) {
  std::ifstream in(path);
  std::string kind;
  int version = 0;
  Result r;
  in >> kind >> version >> r.machine >> r.accuracy >> r.cycles >> std::hex;
  if (!in || kind != "digits-result" || version != 1)
    throw std::runtime_error("digits: " + path + " is not a result file");
  for (auto* values : {&r.losses, &r.weights}) {
    size_t count = 0;
    in >> count;
    for (uint32_t bits = 0; count > 0 && in >> bits; --count) values->push_back(std::bit_cast<float>(bits));
  }
  size_t count = 0;
  in >> count;
  for (Superstep step; count > 0 && in >> step.cycle >> step.hash; --count) r.supersteps.push_back(step);
  if (!in) throw std::runtime_error("digits: " + path + " is cut off");
  return r;
}

std::string first_difference(const Result& a, const Result& b) {
  const auto name = [](const char* what, size_t i) { return std::string(what) + " " + std::to_string(i); };
  if (a.machine != b.machine) return "machine " + a.machine + " and " + b.machine;
  if (a.weights.size() != b.weights.size()) return "number of weights";
  for (size_t i = 0; i < a.supersteps.size() && i < b.supersteps.size(); ++i) {
    if (a.supersteps[i].cycle != b.supersteps[i].cycle) return name("cycle of superstep", i);
    if (a.supersteps[i].hash != b.supersteps[i].hash) return name("memory hash of superstep", i);
  }
  if (a.supersteps.size() != b.supersteps.size()) return "number of supersteps";
  for (size_t i = 0; i < a.weights.size(); ++i)
    if (bits_of(a.weights[i]) != bits_of(b.weights[i])) return name("weight", i);
  if (a.cycles != b.cycles) return "cycles " + std::to_string(a.cycles) + " and " + std::to_string(b.cycles);
  return {};
}
