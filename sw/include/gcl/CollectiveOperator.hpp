// How a collective brings the values of replicas together.
#pragma once

#include <istream>
#include <ostream>

namespace gcl {

// MEAN, of FLOAT or HALF: the sum divided by the number of replicas. LOGICAL_AND and LOGICAL_OR: of BOOL. SQUARE_ADD:
// the sum of the squares. LOCAL: what the replica itself has; nothing is sent.
enum class CollectiveOperator { ADD, MEAN, MUL, MIN, MAX, LOGICAL_AND, LOGICAL_OR, SQUARE_ADD, LOCAL };

std::istream& operator>>(std::istream& is, CollectiveOperator& op);  // throws poputil::poplibs_error for another word
std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op);

}  // namespace gcl
