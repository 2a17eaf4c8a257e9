// Vertices that sort (sw/libs/popops/sort_network.cpp names them).
//
// Keys are sorted as unsigned integers that stand for them: ascending, or for the largest first descending, with NaNs
// last in both; -0 is below 0. What goes with a key, its place or a value, is a payload of 32 bits.
#pragma once

#include <type_traits>

#include <poplar/Vertex.hpp>

namespace popops {

namespace sorting {

template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 4, unsigned, std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>;

template <class T>
constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, half>;

template <class T, bool kDescending>
unsigned key_of(T value) {
  constexpr unsigned kSign = 1u << (8 * sizeof(T) - 1);
  unsigned key = __builtin_bit_cast(Bits<T>, value);
  if constexpr (kIsFloat<T>) {
    if (value != value) return ~0u;
    key = (key & kSign) != 0 ? kSign * 2 - 1 - key : key | kSign;  // kSign * 2 is 0 for 32 bits
  } else if constexpr (std::is_signed_v<T>) {
    key ^= kSign;
  }
  return kDescending ? kSign * 2 - 1 - key : key;
}
template <class T, bool kDescending>
T value_of(unsigned key) {
  constexpr unsigned kSign = 1u << (8 * sizeof(T) - 1);
  if constexpr (kIsFloat<T>) {
    if (key == ~0u) return static_cast<T>(__builtin_nanf(""));
  }
  if constexpr (kDescending) key = kSign * 2 - 1 - key;
  if constexpr (kIsFloat<T>)
    key = (key & kSign) != 0 ? key ^ kSign : kSign * 2 - 1 - key;
  else if constexpr (std::is_signed_v<T>)
    key ^= kSign;
  return __builtin_bit_cast(T, static_cast<Bits<T>>(key));
}

}  // namespace sorting

// The keys of elements.
template <class T, bool kDescending>
class SortKeys : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<T>> in;
  poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> keys;
  void compute() {
    for (unsigned i = 0; i < in.size(); ++i) keys[i] = sorting::key_of<T, kDescending>(in[i]);
  }
};

// The elements of keys.
template <class T, bool kDescending>
class SortedValues : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> keys;
  poplar::Output<poplar::Vector<T>> out;
  void compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = sorting::value_of<T, kDescending>(keys[i]);
  }
};

// Keys put in order with their payloads, of which there are kPayloads; equal keys by their first payload if kStable.
template <unsigned kPayloads, bool kStable>
class SortChunk : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<unsigned>> keys;
  poplar::Vector<poplar::InOut<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> payloads;

  void compute() {  // a heap with the last at its root, taken down one by one
    unsigned n = keys.size();
    for (unsigned i = n / 2; i-- > 0;) sink(i, n);
    while (n > 1) {
      swap(0, --n);
      sink(0, n);
    }
  }

 private:
  bool before(unsigned a, unsigned b) const {
    if constexpr (kStable) {
      if (keys[a] == keys[b]) return payloads[0][a] < payloads[0][b];
    }
    return keys[a] < keys[b];
  }
  void swap(unsigned a, unsigned b) {
    const unsigned key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
    for (unsigned p = 0; p < kPayloads; ++p) {
      const unsigned payload = payloads[p][a];
      payloads[p][a] = payloads[p][b];
      payloads[p][b] = payload;
    }
  }
  void sink(unsigned at, unsigned n) {
    for (unsigned child; (child = 2 * at + 1) < n; at = child) {
      if (child + 1 < n && before(child, child + 1)) ++child;
      if (!before(at, child)) return;
      swap(at, child);
    }
  }
};

// Of two sorted runs the first ones, or with `last` the last ones, sorted: as many as `out` holds.
template <unsigned kPayloads, bool kStable>
class MergeChunks : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> a, b;
  poplar::Output<poplar::Vector<unsigned>> out;
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_a, of_b;
  poplar::Vector<poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_out;
  bool last;

  void compute() {
    if (last) {
      unsigned i = a.size(), k = b.size();
      for (unsigned at = out.size(); at-- > 0;) {
        const bool from_b = i == 0 || (k != 0 && !before(k - 1, i - 1));
        from_b ? take(at, b, of_b, --k) : take(at, a, of_a, --i);
      }
    } else {
      unsigned i = 0, k = 0;
      for (unsigned at = 0; at < out.size(); ++at) {
        const bool from_b = i == a.size() || (k < b.size() && before(k, i));
        from_b ? take(at, b, of_b, k++) : take(at, a, of_a, i++);
      }
    }
  }

 private:
  // Whether element k of b is before element i of a.
  bool before(unsigned k, unsigned i) const {
    if constexpr (kStable) {
      if (b[k] == a[i]) return of_b[0][k] < of_a[0][i];
    }
    return b[k] < a[i];
  }
  template <class Keys, class Payloads>
  void take(unsigned at, const Keys& keys, const Payloads& payloads, unsigned from) {
    out[at] = keys[from];
    for (unsigned p = 0; p < kPayloads; ++p) of_out[p][at] = payloads[p][from];
  }
};

}  // namespace popops
