// What the vertices of popops' reductions are made of (sw/libs/popops/reduce_vertex.cpp writes the vertices).
#pragma once

#include <ipu_intrinsics>

#include <cmath>
#include <limits>
#include <type_traits>

#include <poplar/Vertex.hpp>

namespace popops::reduction {

template <class T>
constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, half>;

// Each operation: its neutral element, an operand as it enters, two joined. Acc is what is accumulated in.
struct Add {
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

}  // namespace popops::reduction
