// Vertices that read and write rows whose numbers are known when they run (sw/libs/popops/slice.cpp names them).
//
// A block is `base`, rows of `columns` elements, of which the first is row `first` of a dimension of `total` rows.
// Each of `offsets` stands for `size` rows from there on, around the end of the dimension: row j of `slices` belongs to
// offset j / size. An offset above `last` is 0; another that is not below `total` stands for no row.
#pragma once

#include <ipu_intrinsics>

#include <type_traits>

#include <poplar/Vertex.hpp>

namespace popops {

namespace slicing {

// Workers write whole words of 8 bytes: a worker's part of n elements.
struct Share {
  unsigned begin, end;
};
template <class T>
Share share_of(unsigned worker, unsigned n) {
  constexpr unsigned kUnit = sizeof(T) < 8 ? 8 / sizeof(T) : 1;
  constexpr unsigned kWorkers = poplar::MultiVertex::numWorkers();
  const unsigned share = ((n + kUnit - 1) / kUnit + kWorkers - 1) / kWorkers * kUnit;
  const unsigned begin = worker * share < n ? worker * share : n;
  return {begin, n - begin < share ? n : begin + share};
}

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

// f(number of a row of slices, its row in the block), for those of rows [begin, end) of slices that the block has;
// miss(number) for the others.
template <class F, class Miss>
[[gnu::always_inline]] inline void for_each_row(const unsigned* offsets, unsigned begin, unsigned end, unsigned size,
                                                unsigned first, unsigned rows, unsigned total, unsigned last, F f,
                                                Miss miss) {
  unsigned which = begin, step = 0;
  if (size != 1) {
    which = begin / size;
    step = begin % size;
  }
  for (unsigned j = begin; j < end; ++j) {
    unsigned offset = offsets[which];
    if (offset > last) offset = 0;
    unsigned row = offset + step;
    if (row >= total) row -= total;
    if (offset < total && row - first < rows)
      f(j, row - first);
    else
      miss(j);
    if (++step == size) {
      step = 0;
      ++which;
    }
  }
}

}  // namespace slicing

// slices: the rows, zeros where the block does not have them.
template <class T>
class Slice : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> offsets;
  poplar::Input<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> base;
  poplar::Output<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> slices;
  unsigned columns, first, rows, total, size, last;

  void compute(unsigned worker) {
    const slicing::Share share = slicing::share_of<T>(worker, slices.size());
    if (share.begin == share.end) return;
    T* const out = slices.begin();
    const T* const in = base.begin();
    const unsigned n = columns, from = share.begin / n, to = (share.end + n - 1) / n;
    // The part of a row of slices that is this worker's.
    const auto part = [&](unsigned j, auto f) {
      const unsigned low = j == from ? share.begin - from * n : 0, high = j + 1 == to ? share.end - j * n : n;
      f(out + j * n + low, low, high - low);
    };
    slicing::for_each_row(
        &offsets[0], from, to, size, first, rows, total, last,
        [&](unsigned j, unsigned row) {
          part(j, [&](T* at, unsigned low, unsigned count) { slicing::copy(at, in + row * n + low, count); });
        },
        [&](unsigned j) {
          part(j, [&](T* at, unsigned, unsigned count) {
            for (unsigned i = 0; i < count; ++i) at[i] = T(0);
          });
        });
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

// The parts of the block's rows that are this worker's: each element has one worker, which sees the rows in order.
template <class T, class Join>
[[gnu::always_inline]] inline void update(unsigned worker, T* base, unsigned n, unsigned columns,
                                          const unsigned* offsets, unsigned slices, unsigned size, unsigned first,
                                          unsigned rows, unsigned total, unsigned last, Join join) {
  const Share share = share_of<T>(worker, n);
  if (share.begin == share.end) return;
  for_each_row(
      offsets, 0, slices, size, first, rows, total, last,
      [&](unsigned j, unsigned row) {
        const unsigned begin = row * columns, end = begin + columns;
        const unsigned low = begin < share.begin ? share.begin : begin, high = end < share.end ? end : share.end;
        if (low < high) join(base + low, j * columns + (low - begin), high - low);
      },
      [](unsigned) {});
}

}  // namespace slicing

// The block's rows replaced by rows of slices, or joined with them, one after the other.
template <class T, class Op>
class UpdateSlices : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> offsets;
  poplar::InOut<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> base;
  poplar::Input<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> slices;
  unsigned columns, first, rows, total, size, last;

  void compute(unsigned worker) {
    slicing::update(worker, base.begin(), base.size(), columns, &offsets[0], offsets.size() * size, size, first, rows,
                    total, last, [&](T* to, unsigned at, unsigned n) { Op::join(to, slices.begin() + at, n); });
  }
};

// The same with rows times a scale added: computed in the type of the scale if that is float.
template <class T, class Scale>
class AddSlices : public poplar::MultiVertex {
 public:
  poplar::Input<poplar::Vector<unsigned>> offsets;
  poplar::InOut<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> base;
  poplar::Input<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> slices;
  poplar::Input<Scale> scale;
  unsigned columns, first, rows, total, size, last;

  void compute(unsigned worker) {
    const Scale factor = *scale;
    slicing::update(worker, base.begin(), base.size(), columns, &offsets[0], offsets.size() * size, size, first, rows,
                    total, last, [&](T* to, unsigned at, unsigned n) {
                      for (unsigned i = 0; i < n; ++i)
                        to[i] = static_cast<T>(static_cast<Scale>(to[i]) + static_cast<Scale>(slices[at + i]) * factor);
                    });
  }
};

}  // namespace popops
