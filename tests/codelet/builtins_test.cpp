// __builtin_ipu_*: known without a header, as the vendor's compiler knows them, and left to a program that has its own.
#include "tests/codelet/codelet_text.h"

using namespace tessera;
using test::compiled;
using test::message_of;

TEST_CASE("a codelet that includes no header of theirs may call __builtin_ipu_ functions") {
  const auto library = compiled(R"(
struct Where : Vertex {
  Output<Vector<unsigned>> out;
  void compute() {
    out[0] = __builtin_ipu_get_tile_id();
    out[1] = __builtin_ipu_get(TESSERA_CSR_CYCLE);
  }
};
template <class T> struct Larger : Vertex {
  Input<T> a, b;
  Output<T> out;
  void compute() { *out = __builtin_ipu_max(*a, *b); }
};
template class Larger<float>;
)");
  REQUIRE(library.codelets.size() == 2);
  CHECK(library.codelets[1].name == "Larger<float>");
}

TEST_CASE("a codelet's own __builtin_ipu_put_tas wins") {
  CHECK(compiled(R"(
#include <ipu_builtins.h>
inline void __builtin_ipu_put_tas(float factor) {
  __builtin_ipu_put(__builtin_bit_cast(unsigned, factor), TESSERA_CSR_XTAS);
}
inline void __builtin_ipu_aacc_zero() { xipu_zacc(); }
struct Scaled : Vertex {
  Input<float> factor;
  void compute() { __builtin_ipu_put_tas(*factor); __builtin_ipu_aacc_zero(); }
};
)")
            .codelets.size() == 1);
}

TEST_CASE("a builtin that there is not is told once, in clang's words") {
  const std::string message = message_of(R"(
struct Odd : Vertex {
  Output<unsigned> out;
  void compute() { *out = __builtin_ipu_teleport(); }
};
)");
  CHECK(message.find("test.cpp:") != std::string::npos);
  CHECK(message.find("undeclared identifier '__builtin_ipu_teleport'") != std::string::npos);
}
