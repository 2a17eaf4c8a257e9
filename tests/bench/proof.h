// Figures of tests: runs each at its full counts and reads off what it prints. A figure is ok only when its test
// passed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

#include "tests/bench/figure.h"

enum class Fold { kLeast, kMost, kSum };

// A figure: the numbers that the first group of `pattern` finds in the output of the test, folded.
struct Row {
  const char* name;
  const char* pattern;
  Fold fold;
  const char* unit;
  Goal kind;
  double goal;
};

struct Proof {
  const char* program;  // of the build, under tb/; or a command
  std::vector<Row> rows;
  const char* command = nullptr;
};

struct Output {
  std::string text;
  bool passed = false;
};

inline Output run(const Proof& proof) {
  Output output;
  const std::string command =
      proof.command ? proof.command : "'" BUILD_FOLDER "/tb/" + std::string(proof.program) + "'";
  FILE* pipe = popen(("TESSERA_TIER=nightly " + command + " 2>&1").c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) output.text.append(part.data(), n);
  output.passed = pclose(pipe) == 0;
  return output;
}

// Folded over all matches; not a number when there is none, so that no goal is met.
inline double value_of(const Row& row, const std::string& text) {
  const std::regex pattern(row.pattern);
  double value = std::nan("");
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    const double x = std::stod((*match)[1]);
    if (std::isnan(value))
      value = x;
    else if (row.fold == Fold::kSum)
      value += x;
    else
      value = row.fold == Fold::kLeast ? std::min(value, x) : std::max(value, x);
  }
  return value;
}

inline bool print_proofs(const std::vector<Proof>& proofs) {
  bool ok = true;
  for (const Proof& proof : proofs) {
    const Output output = run(proof);
    const std::string program = proof.program, name = program.substr(program.find('/') + 1);
    if (!output.passed) std::cerr << name << " failed\n" << output.text;
    ok &= print_figure(name, output.passed, "passed, nightly counts", Goal::kAtLeast, 1);
    for (const Row& row : proof.rows)
      ok &= print_figure(row.name, value_of(row, output.text), row.unit, row.kind, row.goal, {{"test", name}}) &&
            output.passed;
  }
  return ok;
}
