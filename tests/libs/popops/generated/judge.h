// Runs cases, many of them in one program, and compares what they leave with what the reference says.
#pragma once

#include <poplar/Device.hpp>
#include <string>
#include <vector>

#include "tests/libs/popops/generated/operator.h"

namespace popops_test {

// What a case has to leave.
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

// A case that fails, made small, and a program that shows it.
struct Report {
  Case least;
  std::string wrong;  // of the smallest
  std::string cpp;
};
// full: as the case was drawn. A case that fails beside others alone stays as it is.
Report report(Judge& judge, const Case& c, const std::string& wrong, bool full);

// The variables of a case in a graph, with their values, and its tensors.
std::vector<poplar::Tensor> add_variables(poplar::Graph& graph, const Case& c, const std::string& prefix);
std::vector<poplar::Tensor> add_tensors(const Case& c, const std::vector<poplar::Tensor>& variables);

}  // namespace popops_test
