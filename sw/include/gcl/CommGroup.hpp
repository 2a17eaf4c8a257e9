// Which replicas take part in a collective together.
#pragma once

namespace gcl {

enum class CommGroupType {
  ALL,          // one group of all replicas
  CONSECUTIVE,  // replicas that follow each other, at a distance of the stride
  ORTHOGONAL    // replicas as far apart as there are groups
};

// Of R replicas and groups of size n: CONSECUTIVE with a stride d has in blocks of n * d replicas the groups {k, k + d,
// k + 2d, ...}, ORTHOGONAL is that with d = R / n. n * d divides R, or a collective throws poputil::poplibs_error. Size
// 0: all.
class CommGroup {
 public:
  CommGroup() : CommGroup(CommGroupType::ALL, 0) {}
  CommGroup(CommGroupType groupType, unsigned groupSize, unsigned replicaStride = 1)
      : type_(groupType), size_(groupSize), stride_(replicaStride) {}

  CommGroupType type() const { return type_; }
  unsigned size() const { return size_; }
  unsigned stride() const { return stride_; }
  bool operator==(const CommGroup& other) const {
    return type_ == other.type_ && size_ == other.size_ && stride_ == other.stride_;
  }
  bool operator!=(const CommGroup& other) const { return !(*this == other); }

 private:
  CommGroupType type_;
  unsigned size_, stride_;
};

}  // namespace gcl
