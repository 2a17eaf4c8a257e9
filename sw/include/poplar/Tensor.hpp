// A tensor is a view of elements of variables. Every operation here gives another view of the same elements and
// copies nothing. Misuse throws index_error (positions), poplar_error (shapes), type_error (element types) or
// tensor_metadata_error (of QUARTER).
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Interval.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <poplar/VariableRef.hpp>

namespace poplar {

namespace detail {
struct TensorImpl;
struct Access;
}  // namespace detail

// Elements of one variable.
struct VariableInterval {
  VariableRef var;
  Interval interval;
  VariableInterval(VariableRef variable, Interval i) : var(variable), interval(i) {}
};
inline bool operator==(const VariableInterval& a, const VariableInterval& b) {
  return a.var == b.var && a.interval == b.interval;
}
inline bool operator!=(const VariableInterval& a, const VariableInterval& b) { return !(a == b); }
inline bool operator<(const VariableInterval& a, const VariableInterval& b) {
  return a.var < b.var || (a.var == b.var && a.interval < b.interval);
}
std::ostream& operator<<(std::ostream& os, const VariableInterval& interval);

enum class UpsampleMethod { REPEAT };

class Tensor {
 public:
  Tensor();  // no tensor: valid() is false
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other) &;
  Tensor& operator=(Tensor&& other) & noexcept;
  ~Tensor();

  bool valid() const { return impl_ != nullptr; }
  Type elementType() const;
  bool hasMetadata() const;    // of QUARTER
  Tensor getMetadata() const;  // one QUARTER_METADATA; an invalid tensor if there is none
  std::size_t numElements() const;
  std::vector<std::size_t> shape() const;
  std::size_t dim(unsigned i) const;
  unsigned rank() const;
  std::string shapeToString() const;  // "{2,3}"

  bool isContiguous() const;         // one interval of one variable, in order
  bool containsAliases() const;      // some element is there twice
  bool containsConstant() const;     // some element is constant
  bool isParallelWriteable() const;  // neither
  bool intersectsWith(const Tensor& other) const;
  std::string getDebugStr() const;  // names of the variables seen
  std::string getVarStr() const;
  std::vector<Interval> getContiguousRegions() const;   // in flattened order of this view
  std::vector<VariableInterval> getVarRegions() const;  // in flattened order of this view
  void dump() const;                                    // to standard output
  void dumpRegions() const;                             // to standard output

  Tensor operator[](std::size_t i) const&;
  Tensor operator[](std::size_t i) &&;
  Tensor index(ArrayRef<std::size_t> indices) const;
  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension) const&;
  Tensor slice(std::size_t begin, std::size_t end) const { return slice(begin, end, 0); }
  Tensor slice(const Interval& region, unsigned dimension = 0) const {
    return slice(region.begin(), region.end(), dimension);
  }
  Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const;  // of the first dimensions
  std::vector<Tensor> slices(ArrayRef<Interval> intervals, unsigned dimension = 0) const;
  std::vector<Tensor> slices(const std::vector<std::vector<Interval>>& intervals, unsigned dimension = 0) const;
  std::vector<Tensor> slices(ArrayRef<unsigned> indices, unsigned dimension = 0) const;

  Tensor flatten() const;
  Tensor flatten(unsigned dimBegin, unsigned dimEnd) const;
  Tensor reshape(ArrayRef<std::size_t> shape) const;
  Tensor reshapePartial(unsigned beginDim, unsigned endDim, ArrayRef<std::size_t> newDims) const;
  Tensor dimShuffle(ArrayRef<unsigned> permutation) const;
  Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
  Tensor dimRoll(unsigned dimension, unsigned newIndex = 0) const;
  Tensor transpose() const;
  Tensor expand(ArrayRef<std::size_t> indices) const;  // a dimension of size 1 before each of these
  Tensor squeeze(ArrayRef<std::size_t> dimensions) const;
  Tensor broadcast(unsigned n, unsigned dimension) const;
  Tensor upsample(unsigned scale, unsigned dimension, UpsampleMethod method = UpsampleMethod::REPEAT) const;
  Tensor subSample(unsigned stride, unsigned dimension) const;
  Tensor reverse(unsigned dimension) const;
  Tensor reinterpret(const Type& type) const;  // a type of the same size; to QUARTER only from QUARTER

  bool operator==(const Tensor& other) const;  // the same elements in the same shape
  bool operator!=(const Tensor& other) const { return !(*this == other); }

 private:
  explicit Tensor(std::shared_ptr<const detail::TensorImpl> impl);
  friend struct detail::Access;
  std::shared_ptr<const detail::TensorImpl> impl_;
};

Tensor concat(ArrayRef<Tensor> tensors, unsigned dimension = 0);
Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension = 0);
// Adds one more entry of the other dimensions' shape along a dimension.
Tensor append(const Tensor& first, const Tensor& second, unsigned dimension);
Tensor append(const Tensor& first, const Tensor& second);

std::ostream& operator<<(std::ostream& os, const Tensor& tensor);

}  // namespace poplar
