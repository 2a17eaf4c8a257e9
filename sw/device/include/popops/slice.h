// Vertices that read and write rows whose numbers are known when they run (sw/libs/popops/slice.cpp names them).
//
// A block is `base`, rows of `columns` elements, of which the first is row `first` of a dimension of `total` rows.
// Each of `offsets` stands for `size` rows from there on, around the end of the dimension: row j of `slices` belongs to
// offset j / size. An offset above `last` is 0; another that is not below `total` stands for no row.
#pragma once

#include <ipu_builtins.h>
#include <tessera/assembly.h>
#include <ipu_intrinsics>

#include <type_traits>

#include <popops/share.h>
#include <poplar/Vertex.hpp>

namespace popops {

namespace slicing {

template <class T>
void copy(T* to, const T* from, unsigned n) {
  constexpr unsigned kLanes = 8 / sizeof(T);
  unsigned i = 0;
  if constexpr (kLanes > 1) {
    const auto bits = reinterpret_cast<unsigned>(to) | reinterpret_cast<unsigned>(from);
    if (bits % 8 == 0) {
      auto* out = reinterpret_cast<float2*>(to);
      const auto* in = reinterpret_cast<const float2*>(from);
      for (unsigned turns = n / kLanes; turns != 0; --turns) ipu::store_postinc(&out, ipu::load_postinc(&in, 1), 1);
      i = n - n % kLanes;
    } else if (kLanes > 2 && bits % 4 == 0) {
      constexpr unsigned kInWord = 4 / sizeof(T);
      auto* out = reinterpret_cast<unsigned*>(to);
      const auto* in = reinterpret_cast<const unsigned*>(from);
      for (unsigned turns = n / kInWord; turns != 0; --turns) *out++ = *in++;
      i = n - n % kInWord;
    }
  }
  for (; i < n; ++i) to[i] = from[i];
}

// A vertex of a block: BaseEdge and SlicesEdge are how it has base and slices.
template <class BaseEdge, class SlicesEdge>
class OfBlock : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> offsets;
  BaseEdge base;
  SlicesEdge slices;
  unsigned columns, first, rows, total, size, last;

 protected:
  // f(number of a row of slices, its row in the block), for those of rows [begin, end) of slices that the block has;
  // miss(number) for the others.
  template <class F, class Miss>
  [[gnu::always_inline]] void for_each_row(unsigned begin, unsigned end, F f, Miss miss) {
    const unsigned *const numbers = &offsets[0], in_all = total, here = rows, from = first, most = last, count = size;
    unsigned which = begin, step = 0;
    if (count != 1) {
      which = begin / count;
      step = begin % count;
    }
    for (unsigned j = begin; j < end; ++j) {
      unsigned offset = numbers[which];
      if (offset > most) offset = 0;
      unsigned row = offset + step;
      if (row >= in_all) row -= in_all;
      if (offset < in_all && row - from < here)
        f(j, row - from);
      else
        miss(j);
      if (++step == count) {
        step = 0;
        ++which;
      }
    }
  }
};

// Rows of one register each: out[j] = the row of numbers[j] of those that are here, from row `from` of the dimension
// on; a zero if it is not. An offset above `most` is 0.
template <bool kMost, class Register>
inline void take_registers(const unsigned* numbers, unsigned n, Register* out, const Register* in, unsigned from,
                           unsigned here, unsigned most) {
#pragma clang loop unroll_count(4)
  for (; n != 0; --n) {
    unsigned offset = *numbers++;
    if (kMost && offset > most) offset = 0;
    const unsigned row = offset - from;
    *out++ = row < here ? in[row] : Register(0.0f);
  }
}

template <class T>
using Span = poplar::Vector<T, poplar::VectorLayout::SPAN, 8>;

}  // namespace slicing

// slices: the rows, zeros where the block does not have them.
template <class T>
class Slice : public slicing::OfBlock<poplar::Input<slicing::Span<T>>, poplar::Output<slicing::Span<T>>> {
 public:
  void compute(unsigned worker) {
    const Share share = share_of<T>(worker, this->slices.size());
    if (share.empty()) return;
    T* const out = this->slices.begin();
    const T* const in = this->base.begin();
    const unsigned n = this->columns;
    if (this->size == 1 && sizeof(T) < 8 && (n * sizeof(T) == 4 || n * sizeof(T) == 8)) {
      n * sizeof(T) == 4 ? registers<float>(share) : registers<float2>(share);
      return;
    }
    const unsigned from = share.begin / n, to = (share.end + n - 1) / n;
    // The part of a row of slices that is this worker's.
    const auto part = [&](unsigned j, auto f) {
      const unsigned low = j == from ? share.begin - from * n : 0, high = j + 1 == to ? share.end - j * n : n;
      f(out + j * n + low, low, high - low);
    };
    this->for_each_row(
        from, to,
        [&](unsigned j, unsigned row) {
          part(j, [&](T* at, unsigned low, unsigned count) { slicing::copy(at, in + row * n + low, count); });
        },
        [&](unsigned j) {
          part(j, [&](T* at, unsigned, unsigned count) {
            for (unsigned i = 0; i < count; ++i) at[i] = T(0);
          });
        });
  }

 private:
  // A share begins at a multiple of 8 bytes, and so with a row.
  template <class Register>
  void registers(const Share& share) {
    const unsigned n = this->columns, first = share.begin / n, count = (share.end - share.begin) / n;
    const unsigned* const numbers = &this->offsets[first];
    auto* const out = reinterpret_cast<Register*>(this->slices.begin()) + first;
    const auto* const in = reinterpret_cast<const Register*>(this->base.begin());
    if (this->last == ~0u)
      slicing::take_registers<false>(numbers, count, out, in, this->first, this->rows, ~0u);
    else
      slicing::take_registers<true>(numbers, count, out, in, this->first, this->rows, this->last);
  }
};

// out: what rows of as many elements, one after another in `in`, have where all others have zeros.
template <class T>
class JoinSlices : public poplar::MultiVertex {
 public:
  poplar::Input<slicing::Span<T>> in;
  poplar::Output<slicing::Span<T>> out;

  void compute(unsigned worker) {
    constexpr unsigned kLanes = 8 / sizeof(T);
    const unsigned n = out.size(), rows = in.size() / n;
    const Share share = share_of<T>(worker, n);
    if (n % kLanes == 0) {
      const auto* from = reinterpret_cast<const float2*>(in.begin()) + share.begin / kLanes;
      auto* to = reinterpret_cast<float2*>(out.begin()) + share.begin / kLanes;
      __builtin_ipu_put(n / kLanes, TESSERA_CSR_XSTRIDE1);
      for (unsigned left = (share.end - share.begin) / kLanes; left != 0; --left) {
        const float2* at = from++;
        float2 all(0.0f), row;
        asm("xipu_rpt %3, 2\n xipu_ld64stride %1, %2, 1\n xipu_or64 %0, %0, %1"
            : "+f"(all.bits), "=&f"(row.bits), "+r"(at)
            : "r"(rows)
            : "memory");
        ipu::store_postinc(&to, all, 1);
      }
      return;
    }
    for (unsigned i = share.begin; i < share.end; ++i) {
      T all = 0;
      for (unsigned r = 0; r < rows; ++r) all = static_cast<T>(all | in[r * n + i]);
      out[i] = all;
    }
  }
};

// How a row is changed by a row of slices.
struct Replace {
  template <class T>
  static void join(T* to, const T* from, unsigned n) {
    slicing::copy(to, from, n);
  }
};
struct Largest {
  template <class T>
  static void join(T* to, const T* from, unsigned n) {
    for (unsigned i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, half>)
        to[i] = ipu::fmax(to[i], from[i]);
      else if (to[i] < from[i])
        to[i] = from[i];
    }
  }
};
struct Product {
  template <class T>
  static void join(T* to, const T* from, unsigned n) {
    for (unsigned i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] * from[i]);
  }
};

namespace slicing {

template <class T>
class Update : public OfBlock<poplar::InOut<Span<T>>, poplar::Input<Span<T>>> {
 protected:
  // join(elements of the block, where theirs of slices begin, how many), for the parts of the block's rows that are
  // this worker's: each element has one worker, which sees the rows in order.
  template <class Join>
  [[gnu::always_inline]] void update(unsigned worker, Join join) {
    const Share share = share_of<T>(worker, this->base.size());
    if (share.empty()) return;
    T* const to = this->base.begin();
    const unsigned n = this->columns;
    this->for_each_row(
        0, this->offsets.size() * this->size,
        [&](unsigned j, unsigned row) {
          const unsigned begin = row * n, end = begin + n;
          const unsigned low = begin < share.begin ? share.begin : begin, high = end < share.end ? end : share.end;
          if (low < high) join(to + low, j * n + (low - begin), high - low);
        },
        [](unsigned) {});
  }
};

}  // namespace slicing

// The block's rows replaced by rows of slices, or joined with them, one after the other.
template <class T, class Op>
class UpdateSlices : public slicing::Update<T> {
 public:
  void compute(unsigned worker) {
    const T* const from = this->slices.begin();
    this->update(worker, [&](T* to, unsigned at, unsigned n) { Op::join(to, from + at, n); });
  }
};

// The same with rows times a scale added: computed in the type of the scale if that is float.
template <class T, class Scale>
class AddSlices : public slicing::Update<T> {
 public:
  poplar::Input<Scale> scale;

  void compute(unsigned worker) {
    const Scale factor = *scale;
    const T* const from = this->slices.begin();
    this->update(worker, [&](T* to, unsigned at, unsigned n) {
      for (unsigned i = 0; i < n; ++i)
        to[i] = static_cast<T>(static_cast<Scale>(to[i]) + static_cast<Scale>(from[at + i]) * factor);
    });
  }
};

}  // namespace popops
