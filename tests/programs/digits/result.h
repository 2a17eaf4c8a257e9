// What a training run leaves behind, to be compared with another run bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Superstep {
  uint64_t cycle = 0, hash = 0;  // of its internal acknowledgement; of all tile memories there
};

struct Result {
  std::string machine;
  std::vector<float> losses, weights;
  double accuracy = 0;
  uint64_t cycles = 0;  // chip cycles from load to the last read
  std::vector<Superstep> supersteps;
};

// Throw std::runtime_error with one line.
void write_result(const std::string& path, const Result&);
Result read_result(const std::string& path);

// Empty when weights, cycles and supersteps are equal in every bit; else what differs first.
std::string first_difference(const Result& a, const Result& b);
