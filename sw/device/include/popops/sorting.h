// Vertices that sort keys with what goes with them, or few (sw/libs/popops/sort_network.cpp names them).
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

  void compute() {
    unsigned n = keys.size();
    if (n <= kInserted) {
      insert_all(n);
      return;
    }
    // A heap with the last at its root, taken down one by one.
    for (unsigned i = n / 2; i-- > 0;) sink(i, n);
    while (n > 1) {
      swap(0, --n);
      sink(0, n);
    }
  }

 private:
  static constexpr unsigned kInserted = 40;  // as many are sorted by insertion

  void insert_all(unsigned n) {
    unsigned* const key_at = &keys[0];
    unsigned* payload_at[kPayloads + 1];
    for (unsigned p = 0; p < kPayloads; ++p) payload_at[p] = &payloads[p][0];
    for (unsigned i = 1; i < n; ++i) {
      const unsigned key = key_at[i];
      unsigned carried[kPayloads + 1];
      for (unsigned p = 0; p < kPayloads; ++p) carried[p] = payload_at[p][i];
      unsigned at = i;
      for (; at != 0; --at) {
        const unsigned other = key_at[at - 1];
        bool stays = other <= key;
        if constexpr (kStable) stays = other < key || (other == key && payload_at[0][at - 1] < carried[0]);
        if (stays) break;
        key_at[at] = other;
        for (unsigned p = 0; p < kPayloads; ++p) payload_at[p][at] = payload_at[p][at - 1];
      }
      key_at[at] = key;
      for (unsigned p = 0; p < kPayloads; ++p) payload_at[p][at] = carried[p];
    }
  }
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

// Of two sorted runs of as many keys as `out` holds the first half, or with `last` the last half, sorted. Each worker
// finds where its share begins in both.
template <unsigned kPayloads, bool kStable>
class MergeHalves : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> a, b;
  poplar::Output<poplar::Vector<unsigned>> out;
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_a, of_b;
  poplar::Vector<poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_out;
  unsigned share, more;  // keys of a worker, and how many the first one has more, which has nothing to find
  bool last;

  [[gnu::always_inline]] void compute(unsigned worker) {
    const unsigned n = out.size(), next = worker * share + share + more, end = n < next ? n : next,
                   begin = worker == 0 ? 0 : next - share;
    if (begin >= n) return;
    if (last)
      merge<-1>(n - 1, n - 1 - begin, begin, end - begin);
    else
      merge<1>(0, begin, begin, end - begin);
  }

 private:
  // In steps of kStep, upwards or downwards from the runs' ends `from`: `count` keys to `to` on, behind the first
  // `before`.
  template <int kStep>
  [[gnu::always_inline]] void merge(unsigned from, unsigned to, unsigned before, unsigned count) {
    unsigned of_run_a = 0, most = before;
    while (of_run_a < most) {
      const unsigned middle = (of_run_a + most) / 2;
      if (b_first<kStep>(from + kStep * (before - 1 - middle), from + kStep * middle))
        most = middle;
      else
        of_run_a = middle + 1;
    }
    unsigned i = from + kStep * of_run_a, k = from + kStep * (before - of_run_a);
    for (; count != 0; --count, to += kStep) {
      const bool from_b = b_first<kStep>(k, i);
      out[to] = from_b ? b[k] : a[i];
      for (unsigned p = 0; p < kPayloads; ++p) of_out[p][to] = from_b ? of_b[p][k] : of_a[p][i];
      (from_b ? k : i) += kStep;
    }
  }
  // Whether element k of b comes before element i of a; going down, after it.
  template <int kStep>
  bool b_first(unsigned k, unsigned i) const {
    bool before = b[k] < a[i];
    if constexpr (kStable) {
      if (b[k] == a[i]) before = of_b[0][k] < of_a[0][i];
    }
    return kStep > 0 ? before : !before;
  }
};

// Of two sorted runs the first ones, sorted: as many as `out` holds.
template <unsigned kPayloads, bool kStable>
class MergeChunks : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> a, b;
  poplar::Output<poplar::Vector<unsigned>> out;
  poplar::Vector<poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_a, of_b;
  poplar::Vector<poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>>> of_out;

  void compute() {
    unsigned i = 0, k = 0;
    for (unsigned at = 0; at < out.size(); ++at) {
      const bool from_b = i == a.size() || (k < b.size() && before(k, i));
      from_b ? take(at, b, of_b, k++) : take(at, a, of_a, i++);
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
