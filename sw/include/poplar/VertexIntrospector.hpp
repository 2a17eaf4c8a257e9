// What a performance estimator may ask of a vertex. Valid while the estimator runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/VectorLayout.hpp>

namespace poplar {

namespace detail {
struct Access;
struct GraphState;
}  // namespace detail

// A field of a vertex: its sizes, its layout and, where they are known before the program runs, its values.
class FieldData {
 public:
  class SizeT {
   public:
    explicit SizeT(std::size_t size) : size_(size) {}
    std::size_t size() const { return size_; }  // elements

   private:
    std::size_t size_;
  };

  std::string name() const;
  unsigned rank() const;     // 0: a scalar, 1: a vector, 2: a list of vectors
  std::size_t size() const;  // entries of a list, elements of a vector, 1 for a scalar
  // Elements of an entry of a list. Throws index_error beyond its end, graph_connection_error for a field that is none.
  std::size_t getSizeAtIndex(std::size_t i) const;
  SizeT operator[](std::size_t i) const { return SizeT(getSizeAtIndex(i)); }

  // Of the field (level 0), or of the entries of a list (level 1); NotAVector at other levels.
  layout::Vector getProfilerVectorLayout(unsigned nestingLevel) const;
  layout::VectorList getProfilerVectorListLayout() const;  // NotAVector if the field is no list

  // Values of vertex state, and of edges that are connected to constants; converted to T. State that has no initial
  // value is 0. Both throw graph_connection_error if elements are only known when the program runs; the first also
  // if there is not one element. T may be a vector, for a list.
  template <class T>
  T getInitialValue(const Target&) const {
    return static_cast<T>(onlyValue());
  }
  template <class T>
  std::vector<T> getInitialValues(const Target&) const {
    return Values<T>::of(*this);
  }

 private:
  friend class VertexIntrospector;
  FieldData(const detail::GraphState* graph, unsigned vertex, unsigned field)
      : graph_(graph), vertex_(vertex), field_(field) {}

  template <class T>
  struct Values {
    static std::vector<T> of(const FieldData& field) { return converted<T>(field.values()); }
  };
  template <class T>
  struct Values<std::vector<T>> {
    static std::vector<std::vector<T>> of(const FieldData& field) {
      std::vector<std::vector<T>> lists;
      for (std::size_t i = 0; i < field.listSize(); ++i) lists.push_back(converted<T>(field.values(i)));
      return lists;
    }
  };
  template <class T>
  static std::vector<T> converted(const std::vector<long double>& values) {
    std::vector<T> out;
    for (const long double value : values) out.push_back(static_cast<T>(value));
    return out;
  }

  // A long double holds every value that an element can have.
  long double onlyValue() const;
  std::vector<long double> values() const;               // of a scalar or a vector
  std::vector<long double> values(std::size_t i) const;  // of an entry of a list
  std::size_t listSize() const;

  const detail::GraphState* graph_;
  unsigned vertex_;
  unsigned field_;
};

class VertexIntrospector {
 public:
  FieldData getFieldInfo(StringRef fieldName) const;  // throws unknown_field

 private:
  friend struct detail::Access;
  VertexIntrospector(const detail::GraphState* graph, unsigned vertex) : graph_(graph), vertex_(vertex) {}
  const detail::GraphState* graph_;
  unsigned vertex_;
};

}  // namespace poplar
