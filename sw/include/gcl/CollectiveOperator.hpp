// How a collective brings the values of replicas together.
#pragma once

#include <istream>
#include <ostream>

namespace gcl {

enum class CollectiveOperator {
  ADD,
  MEAN,  // of FLOAT or HALF: the sum divided by the number of replicas
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,  // of BOOL
  LOGICAL_OR,   // of BOOL
  SQUARE_ADD,   // the sum of the squares
  LOCAL         // what the replica itself has: nothing is sent
};

std::istream& operator>>(std::istream& is, CollectiveOperator& op);  // throws poputil::poplibs_error for another word
std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op);

}  // namespace gcl
