// Vertices of the network that sorts keys without anything that goes with them (sw/libs/popops/key_network.cpp names
// them and says what is where).
//
// A group is 16 keys, eight registers of two, or 32. Their numbers in the row differ in bit 0, which tells the two of a
// register apart, and in three or four bits one behind the other, the window, which tell the registers. A level
// compares the keys whose numbers differ in one bit.
#pragma once

#include <type_traits>

#include <ipudef.h>
#include <tessera/assembly.h>
#include <poplar/Vertex.hpp>

#include <popops/share.h>

namespace popops {

namespace network {

// Two keys.
struct UnsignedPair {
  unsigned first, second;
};
template <class T>
using Pair = std::conditional_t<std::is_same_v<T, float>, float2, UnsignedPair>;

inline unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned larger(unsigned a, unsigned b) { return a < b ? b : a; }

[[gnu::always_inline]] inline void order(float2& a, float2& b, bool down) {
  const float2 low = ipu::fmin(a, b), high = ipu::fmax(a, b);
  a = down ? high : low;
  b = down ? low : high;
}
[[gnu::always_inline]] inline void order(unsigned& a, unsigned& b, bool down) {
  const unsigned low = smaller(a, b), high = larger(a, b);
  a = down ? high : low;
  b = down ? low : high;
}
[[gnu::always_inline]] inline void order(UnsignedPair& a, UnsignedPair& b, bool down) {
  order(a.first, b.first, down);
  order(a.second, b.second, down);
}

// The keys within two registers.
[[gnu::always_inline]] inline void order_within(float2& a, bool a_down, float2& b, bool b_down) {
  float2 first, second;
  xipu_sort4x32lo(first.bits, a.bits, b.bits);
  xipu_sort4x32hi(second.bits, a.bits, b.bits);
  const float2 low = ipu::fmin(first, second), high = ipu::fmax(first, second);
  const float2 of_a[2] = {a_down ? high : low, a_down ? low : high};
  const float2 of_b[2] = {b_down ? high : low, b_down ? low : high};
  xipu_sort4x32lo(a.bits, of_a[0].bits, of_a[1].bits);
  xipu_sort4x32hi(b.bits, of_b[0].bits, of_b[1].bits);
}
[[gnu::always_inline]] inline void order_within(UnsignedPair& a, bool a_down, UnsignedPair& b, bool b_down) {
  order(a.first, a.second, a_down);
  order(b.first, b.second, b_down);
}

// down(i): whether register i goes down.
template <unsigned kRegisters, unsigned kDistance, class Pair, class Down>
[[gnu::always_inline]] inline void order_registers(Pair* r, Down down) {
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < kRegisters; ++i) {
    if ((i & kDistance) == 0) order(r[i], r[i | kDistance], down(i));
  }
}
template <unsigned kRegisters, class Pair, class Down>
[[gnu::always_inline]] inline void order_lanes(Pair* r, Down down) {
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < kRegisters; i += 2) order_within(r[i], down(i), r[i + 1], down(i + 1));
}

// Groups of a tile, one after another for each worker. kTogether: a group's registers lie one after another, and behind
// it the next group; else register 0 of all groups, and `stride` registers on register 1.
template <class T, unsigned kRegisters, bool kTogether>
class Groups : public poplar::MultiVertex {
 public:
  poplar::InOut<poplar::Vector<T, poplar::VectorLayout::ONE_PTR, 8>> keys;
  unsigned groups, first, falls;  // group g of these descends if first + g has the bit `falls`
  unsigned stride;

 protected:
  // levels(registers, std::bool_constant<down>)
  template <class Levels>
  [[gnu::always_inline]] void each(unsigned worker, Levels levels) {
    constexpr unsigned kWorkers = poplar::MultiVertex::numWorkers(), kNext = kTogether ? kRegisters : 1;
    int left = static_cast<int>(groups - worker);
    if (left <= 0) return;
    const unsigned step = kTogether ? 1 : stride;
    if constexpr (kStrided) __builtin_ipu_put(step, TESSERA_CSR_XSTRIDE1);
    auto* at = reinterpret_cast<Pair<T>*>(&keys[0]) + worker * kNext;
    for (unsigned number = first + worker;; number += kWorkers, at += kWorkers * kNext) {
      if ((number & falls) != 0)
        group(at, step, levels, std::true_type());
      else
        group(at, step, levels, std::false_type());
      if ((left -= static_cast<int>(kWorkers)) <= 0) return;
    }
  }

 private:
  static constexpr bool kStrided = std::is_same_v<T, float> && !kTogether;

  template <class Levels, class Down>
  [[gnu::always_inline]] static void group(Pair<T>* to, unsigned step, Levels levels, Down down) {
    Pair<T> r[kRegisters];
    const Pair<T>* from = to;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < kRegisters; ++i) {
      if constexpr (kStrided)
        xipu_ld64stride(r[i].bits, from, 1);
      else
        r[i] = from[i * step];
    }
    levels(r, down);
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < kRegisters; ++i) {
      if constexpr (kStrided)
        xipu_st64stride(r[i].bits, to, 1);
      else
        to[i * step] = r[i];
    }
  }
};

}  // namespace network

// Levels on a window of as many bits as kRegisters has, from the highest bit on; in the lowest window then that on bit
// 0.
template <class T, unsigned kRegisters, unsigned kLevels, bool kLowest>
class OrderGroups : public network::Groups<T, kRegisters, kLowest> {
 public:
  [[gnu::always_inline]] void compute(unsigned worker) {
    this->each(worker, [](network::Pair<T>* r, auto down) __attribute__((always_inline)) {
      const auto all = [](unsigned) { return decltype(down)::value; };
      network::order_registers<kRegisters, kRegisters / 2>(r, all);
      if constexpr (kLevels > 1) network::order_registers<kRegisters, kRegisters / 4>(r, all);
      if constexpr (kLevels > 2) network::order_registers<kRegisters, kRegisters / 8>(r, all);
      if constexpr (kLevels > 3) network::order_registers<kRegisters, kRegisters / 16>(r, all);
      if constexpr (kLowest) network::order_lanes<kRegisters>(r, all);
    });
  }
};

// Each 16 keys, which lie one after another, in order.
template <class T>
class SortGroups : public network::Groups<T, 8, true> {
 public:
  [[gnu::always_inline]] void compute(unsigned worker) {
    this->each(worker, [](network::Pair<T>* r, auto down) __attribute__((always_inline)) {
      const auto by = [](unsigned bit) { return [bit](unsigned i) { return (i & bit) != 0; }; };
      const auto all = [](unsigned) { return decltype(down)::value; };
      network::order_lanes<8>(r, by(1));
      network::order_registers<8, 1>(r, by(2));
      network::order_lanes<8>(r, by(2));
      network::order_registers<8, 2>(r, by(4));
      network::order_registers<8, 1>(r, by(4));
      network::order_lanes<8>(r, by(4));
      network::order_registers<8, 4>(r, all);
      network::order_registers<8, 2>(r, all);
      network::order_registers<8, 1>(r, all);
      network::order_lanes<8>(r, all);
    });
  }
};

// Makes floats keys: those that are to descend their negatives, and NaNs, which no comparison would keep, the last of
// all, infinity. numbers: how many are none.
template <bool kDescending>
class StartFloats : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float, poplar::VectorLayout::SPAN, 8>> keys;
  poplar::Output<float> numbers;

  void compute() {
    const float2 infinity(__builtin_inff()), one(1.0f);
    float2 found(0.0f);
    auto* at = reinterpret_cast<float2*>(&keys[0]);
    for (unsigned pairs = keys.size() / 2; pairs != 0; --pairs, ++at) {
      float2 ones;
      xipu_f32v2cmpeq(ones.bits, at->bits, at->bits);
      xipu_and64(ones.bits, ones.bits, one.bits);
      found = found + ones;
      *at = ipu::fmin(kDescending ? -*at : *at, infinity);
    }
    float all = found.get(0) + found.get(1);
    if (keys.size() % 2 != 0) {
      float& last = keys[keys.size() - 1];
      if (last == last) all += 1;
      last = __builtin_fminf(kDescending ? -last : last, __builtin_inff());
    }
    *numbers = all;
  }
};

// Makes keys what they stand for. The first of them is the `from`th of a row, whose last ones behind `numbers` are
// NaNs.
template <bool kDescending>
class FinishFloats : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> keys;
  poplar::Input<float> numbers;
  unsigned from;

  void compute() {
    const unsigned n = keys.size(), all = static_cast<unsigned>(*numbers);
    const unsigned left = all < from ? 0 : all - from, end = left < n ? left : n;
    if constexpr (kDescending) {
      for (unsigned i = 0; i < end; ++i) keys[i] = -keys[i];
    }
    for (unsigned i = end; i < n; ++i) keys[i] = __builtin_nanf("");
  }
};

// Of few numbers.
template <class T>
class SumNumbers : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<T, poplar::VectorLayout::SPAN, 8>> in;
  poplar::Output<T> out;

  void compute() {
    float2 sum(0.0f);
    const auto* at = reinterpret_cast<const float2*>(&in[0]);
    if (in.size() >= 2) {
      float2 pair;
      asm("xipu_rpt %3, 2\n xipu_ld64stride %1, %2, 0\n xipu_f32v2add %0, %0, %1"
          : "+f"(sum.bits), "=&f"(pair.bits), "+r"(at)
          : "r"(in.size() / 2)
          : "memory");
    }
    float all = sum.get(0) + sum.get(1);
    if (in.size() % 2 != 0) all += in[in.size() - 1];
    *out = all;
  }
};

}  // namespace popops
