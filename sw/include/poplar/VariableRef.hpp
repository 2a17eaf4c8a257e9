// A variable of a graph by its number. Valid as long as the graph.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>

namespace poplar {

class VariableRef {
 public:
  explicit VariableRef(unsigned id) : id_(id) {}
  unsigned getId() const { return id_; }
  std::size_t hash() const { return id_; }

  bool operator==(VariableRef other) const { return id_ == other.id_; }
  bool operator!=(VariableRef other) const { return id_ != other.id_; }
  bool operator<(VariableRef other) const { return id_ < other.id_; }
  bool operator<=(VariableRef other) const { return id_ <= other.id_; }
  bool operator>(VariableRef other) const { return id_ > other.id_; }
  bool operator>=(VariableRef other) const { return id_ >= other.id_; }

 private:
  unsigned id_;
};

inline std::ostream& operator<<(std::ostream& os, VariableRef variable) { return os << variable.getId(); }

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::VariableRef> {
  size_t operator()(poplar::VariableRef variable) const { return variable.hash(); }
};
}  // namespace std
