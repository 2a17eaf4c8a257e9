// What the vertices of popops' reductions are made of (sw/libs/popops/reduce_vertex.cpp writes the vertices).
#pragma once

#include <ipu_builtins.h>
#include <tessera/assembly.h>
#include <ipu_intrinsics>

#include <cmath>
#include <limits>
#include <type_traits>

#include <popops/engine_sum.h>
#include <poplar/Vertex.hpp>

namespace popops::reduction {

template <class T>
constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, half>;

// Each operation: its neutral element, an operand as it enters, two joined. Acc is what is accumulated in.
struct Add {
  template <class Value>
  static Value packed(Value a, Value b) {
    return a + b;
  }
  template <class Acc>
  static Acc neutral() {
    return Acc(0);
  }
  template <class Acc>
  static Acc enter(Acc x) {
    return x;
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return static_cast<Acc>(a + b);
  }
};
struct SquareAdd : Add {
  template <class Acc>
  static Acc enter(Acc x) {
    return static_cast<Acc>(x * x);
  }
};
struct Mul : Add {
  template <class Value>
  static Value packed(Value a, Value b) {
    return a * b;
  }
  template <class Acc>
  static Acc neutral() {
    return Acc(1);
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return static_cast<Acc>(a * b);
  }
};
struct Min : Add {
  template <class Value>
  static Value packed(Value a, Value b) {
    return ipu::fmin(a, b);
  }
  template <class Acc>
  static Acc neutral() {
    if constexpr (kIsFloat<Acc>)
      return std::numeric_limits<Acc>::infinity();
    else
      return std::numeric_limits<Acc>::max();
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    if constexpr (kIsFloat<Acc>)
      return ipu::fmin(a, b);
    else
      return b < a ? b : a;
  }
};
struct Max : Add {
  template <class Value>
  static Value packed(Value a, Value b) {
    return ipu::fmax(a, b);
  }
  template <class Acc>
  static Acc neutral() {
    if constexpr (kIsFloat<Acc>)
      return -std::numeric_limits<Acc>::infinity();
    else
      return std::numeric_limits<Acc>::lowest();
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    if constexpr (kIsFloat<Acc>)
      return ipu::fmax(a, b);
    else
      return a < b ? b : a;
  }
};
struct LogicalAnd : Add {
  template <class Acc>
  static Acc neutral() {
    return true;
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return a && b;
  }
};
struct LogicalOr : Add {
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    return a || b;
  }
};
struct LogAdd : Add {
  template <class Acc>
  static Acc neutral() {
    return -std::numeric_limits<Acc>::infinity();
  }
  template <class Acc>
  static Acc join(Acc a, Acc b) {
    const Acc low = ipu::fmin(a, b), high = ipu::fmax(a, b);
    if (low == -std::numeric_limits<Acc>::infinity()) return high;
    return high + static_cast<Acc>(std::log1p(std::exp(static_cast<float>(low - high))));
  }
};

// A register of operands, and what is joined of several.
template <class T>
struct Register {
  using type = float2;
  static constexpr unsigned lanes = 2;
};
template <>
struct Register<half> {
  using type = half4;
  static constexpr unsigned lanes = 4;
};

// Registers at p, p + 8 * stride, ..., joined lane by lane: operands of type T to lanes of type Acc. The generic form
// widens and joins; sums are those of the accumulators, two instructions a register.
template <class Op, class T, class Acc>
struct Lanes {
  using Value = typename Register<T>::type;
  static constexpr unsigned count = Register<T>::lanes;
  Acc lane[count];

  void join(const Value* p, unsigned registers, int stride) {
    if constexpr (std::is_same_v<T, half> && std::is_same_v<Acc, float>) {
      float4 all(Op::template neutral<float>());
      for (; registers != 0; --registers, p += stride) all = Op::packed(all, Op::enter(ipu::to_float(*p)));
      for (unsigned i = 0; i < count; ++i) lane[i] = all[i];
    } else {
      Value all(Op::template neutral<Acc>());
      for (; registers != 0; --registers, p += stride) all = Op::packed(all, Op::enter(*p));
      for (unsigned i = 0; i < count; ++i) lane[i] = all[i];
    }
  }
};
template <class T>
struct Lanes<Add, T, float> {
  using Value = typename Register<T>::type;
  static constexpr unsigned count = Register<T>::lanes;
  float lane[count];

  // The accumulators get the sums.
  static void accumulate(const Value* p, unsigned registers, int stride) {
    __builtin_ipu_put(stride, TESSERA_CSR_XSTRIDE1);
    __builtin_ipu_aacc_zero();
    float2 x;
    if constexpr (std::is_same_v<T, half>)
      asm volatile("xipu_rpt %2, 2\n xipu_ld64stride %0, %1, 1\n xipu_f16v4acc %0"
                   : "=&f"(x.bits), "+r"(p)
                   : "r"(registers)
                   : "memory");
    else
      asm volatile("xipu_rpt %2, 2\n xipu_ld64stride %0, %1, 1\n xipu_f32v2acc %0"
                   : "=&f"(x.bits), "+r"(p)
                   : "r"(registers)
                   : "memory");
  }
  void join(const Value* p, unsigned registers, int stride) {
    accumulate(p, registers, stride);
    const float2 zero(0.0f);
    const float2 low = __builtin_ipu_f32v2gina(zero, 0);
    lane[0] = low[0];
    lane[1] = low[1];
    if constexpr (count == 4) {
      const float2 high = __builtin_ipu_f32v2gina(zero, 1);
      lane[2] = high[0];
      lane[3] = high[1];
    }
  }
};

// Whether operands of type T, joined as Acc, have a packed form.
template <class Op, class T, class Acc>
constexpr bool kPacked = kIsFloat<T> && kIsFloat<Acc> && !std::is_same_v<Op, LogAdd>;

// n operands one after another, joined.
template <class Op, class Acc, class T>
inline Acc joined(const T* operands, unsigned n) {
  Acc result = Op::template neutral<Acc>();
  unsigned i = 0;
  const auto scalars_to = [&](unsigned end) {
    for (; i < end; ++i)
      result = Op::template join<Acc>(result, Op::template enter<Acc>(static_cast<Acc>(operands[i])));
  };
  if constexpr (kPacked<Op, T, Acc>) {
    using All = Lanes<Op, T, Acc>;
    const unsigned before = -reinterpret_cast<unsigned>(operands) % 8 / sizeof(T);  // a whole register
    scalars_to(before < n ? before : n);
    const unsigned registers = (n - i) / All::count;
    if (registers != 0) {
      All all;
      all.join(reinterpret_cast<const typename All::Value*>(operands + i), registers, 1);
      for (unsigned k = 0; k < All::count; ++k) result = Op::template join<Acc>(result, all.lane[k]);
      i += registers * All::count;
    }
  }
  scalars_to(n);
  return result;
}

// Puts a result where it belongs. scale: null for none. Update: added to what is there.
template <bool kUpdate, class Acc, class Out>
inline void leave(Out& out, Acc result, const float* scale) {
  if constexpr (kIsFloat<Acc>) {
    if (scale != nullptr) result = static_cast<Acc>(result * *scale);
  }
  if constexpr (kUpdate)
    out = static_cast<Out>(static_cast<Acc>(out) + result);
  else
    out = static_cast<Out>(result);
}

// Of a matrix of rows that lie one after another, each a multiple of 8 bytes: registers first, first + step, ... below
// end of each row, joined over the rows.
template <class Op, class Acc, bool kUpdate, class T, class Out>
inline void reduce_registers(unsigned first, unsigned end, unsigned step, const T* in, unsigned rows, Out* out,
                             unsigned columns, const float* scale) {
  using All = Lanes<Op, T, Acc>;
  const unsigned registers = columns / All::count;
  const auto* from = reinterpret_cast<const typename All::Value*>(in) + first;
  for (unsigned at = first; at < end; at += step, from += step) {
    Out* const to = out + at * All::count;
    if constexpr (std::is_same_v<Op, Add> && std::is_same_v<T, half> && std::is_same_v<Out, half> && !kUpdate) {
      if (scale == nullptr) {
        All::accumulate(from, rows, registers);
        *reinterpret_cast<half4*>(to) = __builtin_ipu_f16v4gina(half4(0.0_h), 0);
        continue;
      }
    }
    All all;
    all.join(from, rows, registers);
    for (unsigned i = 0; i < All::count; ++i) leave<kUpdate>(to[i], all.lane[i], scale);
  }
}

// A worker's share of the columns of such a matrix: whole registers, so that no two workers write to one word.
template <class Op, class Acc, bool kUpdate, class T, class Out>
inline void reduce_matrix(unsigned worker, const T* in, unsigned rows, Out* out, unsigned columns, const float* scale) {
  reduce_registers<Op, Acc, kUpdate>(worker, columns / Lanes<Op, T, Acc>::count, poplar::MultiVertex::numWorkers(), in,
                                     rows, out, columns, scale);
}

// The same for sums of halves by the matrix engine, whose weights are loaded before.
template <class Out>
[[gnu::noinline]] void sum_registers(unsigned first, unsigned registers, const half* in, unsigned rows, Out* out,
                                     unsigned columns) {
  reduce_registers<Add, float, false>(first, first + registers, 1, in, rows, out, columns, nullptr);
}
template <class Out>
[[gnu::always_inline]] inline void sum_matrix(unsigned worker, const half* in, const SumShares& shares, Out* out) {
  sum_by_engine(worker, in, shares, out, [&](unsigned first, unsigned registers) {
    sum_registers(first, registers, in, shares.rows, out, 4 * shares.stride);
  });
}

}  // namespace popops::reduction
