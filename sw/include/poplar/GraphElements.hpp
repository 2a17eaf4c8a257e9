// Handles of things in a graph. They stay valid as long as the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TypeTraits.hpp>

namespace poplar {

namespace detail {
struct Access;
struct GraphState;
}  // namespace detail

class VertexRef;

// A field of a vertex, or one entry of a list field.
class FieldRef {
 public:
  FieldRef operator[](std::size_t index) const;  // throws graph_connection_error if already indexed
  bool isIndexed() const { return index_ != std::numeric_limits<std::size_t>::max(); }
  std::size_t getIndex() const { return index_; }
  const std::string& getFieldName() const { return name_; }

 private:
  friend class VertexRef;
  friend struct detail::Access;
  FieldRef(detail::GraphState* graph, unsigned vertex, unsigned field, std::string name, std::size_t index)
      : graph_(graph), vertex_(vertex), field_(field), name_(name), index_(index) {}
  detail::GraphState* graph_;
  unsigned vertex_;
  unsigned field_;
  std::string name_;
  std::size_t index_;
};

class VertexRef {
 public:
  VertexRef() : graph_(nullptr), id_(0) {}
  FieldRef operator[](StringRef fieldName) const;  // throws unknown_field
  unsigned getId() const { return id_; }
  bool operator==(const VertexRef& other) const { return id_ == other.id_ && graph_ == other.graph_; }
  bool operator!=(const VertexRef& other) const { return !(*this == other); }
  bool operator<(const VertexRef& other) const { return id_ < other.id_; }

 private:
  friend struct detail::Access;
  VertexRef(detail::GraphState* graph, unsigned id) : graph_(graph), id_(id) {}
  detail::GraphState* graph_;
  unsigned id_;
};

class ComputeSet {
 public:
  ComputeSet() : graph_(0), id_(0) {}
  explicit ComputeSet(unsigned id) : graph_(0), id_(id) {}
  unsigned getId() const { return id_; }
  bool operator==(const ComputeSet& other) const { return id_ == other.id_; }
  bool operator!=(const ComputeSet& other) const { return id_ != other.id_; }

 private:
  friend struct detail::Access;
  ComputeSet(std::uint64_t graph, unsigned id) : graph_(graph), id_(id) {}
  std::uint64_t graph_;  // 0: made from a number alone
  unsigned id_;
};

class Function {
 public:
  Function() : graph_(0), id_(0) {}
  explicit Function(unsigned id) : graph_(0), id_(id) {}
  unsigned getId() const { return id_; }
  bool operator==(const Function& other) const { return id_ == other.id_; }
  bool operator!=(const Function& other) const { return id_ != other.id_; }

 private:
  friend struct detail::Access;
  Function(std::uint64_t graph, unsigned id) : graph_(graph), id_(id) {}
  std::uint64_t graph_;  // 0: made from a number alone
  unsigned id_;
};

// The code of a function, kept to be loaded by a program (Graph::addFunctionBuffer).
class FunctionBuffer {
 public:
  FunctionBuffer() : graph_(0), id_(0), function_(0) {}
  explicit FunctionBuffer(unsigned id) : graph_(0), id_(id), function_(0) {}
  unsigned getId() const { return id_; }
  bool operator==(const FunctionBuffer& other) const { return id_ == other.id_; }
  bool operator!=(const FunctionBuffer& other) const { return id_ != other.id_; }

 private:
  friend struct detail::Access;
  FunctionBuffer(std::uint64_t graph, unsigned id, unsigned function) : graph_(graph), id_(id), function_(function) {}
  std::uint64_t graph_;  // 0: made from a number alone
  unsigned id_;
  unsigned function_;
};

// A function of the host's that programs call (program::Call); Engine::connectHostFunction says which.
class HostFunction {
 public:
  HostFunction() : graph_(0), id_(0) {}
  const std::string& handle() const { return handle_; }
  bool operator==(const HostFunction& other) const { return id_ == other.id_ && graph_ == other.graph_; }
  bool operator!=(const HostFunction& other) const { return !(*this == other); }

 private:
  friend struct detail::Access;
  std::uint64_t graph_;
  unsigned id_;
  std::string handle_;
};

// What a field is connected to, for Graph::addVertex: a tensor, a list of tensors or a host scalar.
class ConnectionDesc {
 public:
  enum class Kind { Tensor, TensorList, Scalar };

  ConnectionDesc(StringRef field, Tensor tensor)
      : field_(field.cloneAsString()), kind_(Kind::Tensor), tensors_(1, tensor) {}
  ConnectionDesc(StringRef field, ArrayRef<Tensor> tensors)
      : field_(field.cloneAsString()), kind_(Kind::TensorList), tensors_(tensors.begin(), tensors.end()) {}
  template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
  ConnectionDesc(StringRef field, T value)
      : field_(field.cloneAsString()),
        kind_(Kind::Scalar),
        traits_(TypeTraits::make<T>()),
        scalar_(reinterpret_cast<const unsigned char*>(&value),
                reinterpret_cast<const unsigned char*>(&value) + sizeof(T)) {}

  const std::string& field() const { return field_; }
  Kind kind() const { return kind_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  const TypeTraits& traits() const { return traits_; }
  const void* scalar() const { return scalar_.data(); }

 private:
  std::string field_;
  Kind kind_;
  std::vector<Tensor> tensors_;
  TypeTraits traits_ = TypeTraits::make<float>();
  std::vector<unsigned char> scalar_;
};

}  // namespace poplar
