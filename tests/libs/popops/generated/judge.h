// Runs cases, many of them in one program, and compares what they leave with what the reference says.
#pragma once

#include <poplar/Device.hpp>
#include <string>
#include <vector>

#include "tests/libs/popops/generated/operator.h"

namespace popops_test {

// What goes wrong on purpose: takes the place of an operator's reference, to show that a difference is found.
using Reference = std::function<Expectation(const Case&)>;

class Judge {
 public:
  // A machine of kTilesOfCases tiles, of the backend that TESSERA_BACKEND names. instead: null, or used instead of the
  // operators' own references.
  explicit Judge(Reference instead = {});

  // What is wrong with each of the cases: "" for one that is right. A program that fails as a whole is split.
  std::vector<std::string> judge(const std::vector<Case>& cases);
  std::string judge(const Case& c) { return judge(std::vector<Case>{c})[0]; }

  Expectation expected(const Case& c) const;

 private:
  std::vector<std::string> run(const std::vector<const Case*>& cases);
  std::vector<std::string> run_or_split(const std::vector<const Case*>& cases);

  poplar::Device device_;
  Reference instead_;
};

// The variables of a case in a graph, with their values, and its tensors; and C++ that makes them so.
std::vector<poplar::Tensor> add_variables(poplar::Graph& graph, const Case& c, const std::string& prefix);
std::vector<poplar::Tensor> add_tensors(const Case& c, const std::vector<poplar::Tensor>& variables);

}  // namespace popops_test
