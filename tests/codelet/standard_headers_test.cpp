// The headers of the standard library that a codelet may include, also through headers that it shares with the host.
#include <string>

#include "compiler/codelet/link.h"
#include "tests/codelet/codelet_text.h"

using namespace tessera;
using test::compiled;

namespace {

// All of C++17 but what a tile cannot have: <csetjmp>, <csignal>, <cuchar>.
const char* const kHeaders[] = {"algorithm",     "any",
                                "array",         "atomic",
                                "bitset",        "cassert",
                                "cctype",        "cerrno",
                                "cfenv",         "cfloat",
                                "charconv",      "chrono",
                                "cinttypes",     "climits",
                                "clocale",       "cmath",
                                "complex",       "condition_variable",
                                "cstdarg",       "cstddef",
                                "cstdint",       "cstdio",
                                "cstdlib",       "cstring",
                                "ctime",         "cwchar",
                                "cwctype",       "deque",
                                "exception",     "execution",
                                "filesystem",    "forward_list",
                                "fstream",       "functional",
                                "future",        "initializer_list",
                                "iomanip",       "ios",
                                "iosfwd",        "iostream",
                                "istream",       "iterator",
                                "limits",        "list",
                                "locale",        "map",
                                "memory",        "memory_resource",
                                "mutex",         "new",
                                "numeric",       "optional",
                                "ostream",       "queue",
                                "random",        "ratio",
                                "regex",         "scoped_allocator",
                                "set",           "shared_mutex",
                                "sstream",       "stack",
                                "stdexcept",     "streambuf",
                                "string",        "string_view",
                                "system_error",  "thread",
                                "tuple",         "type_traits",
                                "typeindex",     "typeinfo",
                                "unordered_map", "unordered_set",
                                "utility",       "valarray",
                                "variant",       "vector"};

compiler::LinkedText linked(const compiler::CodeletLibrary& library, const std::string& entry) {
  const auto runtime = compiler::load_runtime_library();
  return compiler::link_tile_text({&library, &runtime}, {entry}, {0x4c000, 0x80000}, compiler::Cache(""));
}

}  // namespace

TEST_CASE("a codelet may include every header of C++17, and links if it uses what a tile has") {
  std::string text;
  for (const char* header : kHeaders) text += std::string("#include <") + header + ">\n";
  const auto library = compiled(text + R"(
class Uses : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  bool compute() {
    std::complex<float> z(in[0], in[1]);
    z *= z;
    out[0] = z.real() + (z / std::complex<float>(1, 2)).imag();
    std::minstd_rand draw(7);
    out[1] = draw() % 5;
    out[2] = std::isdigit(static_cast<int>(in[2])) + std::toupper('a');
    std::bitset<32> bits(static_cast<unsigned>(in[3]));
    out[3] = bits.count();
    printf("%f\n", in[0]);
    return true;
  }
};
)");
  CHECK_NOTHROW(linked(library, "__vertex_Uses"));
}

TEST_CASE("printf is the tile's, whichever header comes last") {
  for (const char* headers : {"#include <print.h>\n#include <cstdio>\n", "#include <cstdio>\n#include <print.h>\n",
                              "#include <stdio.h>\n", "#include <cstdio>\n"}) {
    INFO(headers);
    const auto library = compiled(headers + std::string(R"(
struct Prints : Vertex {
  Input<int> value;
  void compute() { printf("value %d\n", *value); }
};
)"));
    CHECK_NOTHROW(linked(library, "__vertex_Prints"));
  }
}

TEST_CASE("mathematics outside of std is of the argument's type, whichever header it comes from") {
  for (const std::string header : {"cmath", "math.h", "complex", "cstdlib", "stdlib.h"}) {
    INFO(header);
    const bool abs_alone = header.find("stdlib") != std::string::npos;
    const auto library = compiled("#include <" + header + ">\n#define ABS_ALONE " + (abs_alone ? "1" : "0") + R"(
#include <type_traits>
struct Absolute : Vertex {
  Input<float> x;
  Input<half> h;
  Output<float> y;
  bool compute() {
    static_assert(std::is_same_v<decltype(abs(*x)), float>);
    static_assert(std::is_same_v<decltype(abs(*h)), half>);
    static_assert(std::is_same_v<decltype(abs(-2)), int>);
    *y = abs(*x) + abs(*h);
#if !ABS_ALONE
    static_assert(std::is_same_v<decltype(exp(*x)), float>);
    static_assert(std::is_same_v<decltype(exp(*h)), half>);
    static_assert(std::is_same_v<decltype(fmod(*x, 2.0f)), float>);
    static_assert(std::is_same_v<decltype(pow(*x, 2.0f)), float>);
    static_assert(std::is_same_v<decltype(isnan(*h)), bool>);
    *y = *y + exp(*x) + sqrt(*h) + fmod(*x, 2.0f) + pow(*x, 2.0f) + isnan(*x) + round(*x) + fmax(*x, 1.0f);
#endif
    return true;
  }
};
)");
    CHECK_NOTHROW(linked(library, "__vertex_Absolute"));
  }
}

TEST_CASE("macros of a source may be of any name") {
  std::string text;
  for (const char* name :
       {"quarter", "value",    "shape",  "element", "alignment",     "kind",      "Kind",  "Edge",   "Way",
        "Element", "Known",    "kInput", "kOutput", "place_in_list", "direction", "state", "worker", "enter",
        "abi",     "Describe", "used",   "weak",    "section",       "field",     "vertex"})
    text += "#define " + std::string(name) + " 0.25f\n";
  const auto library = compiled(text + R"(
struct Macros : Vertex {
  Output<float> o;
  Input<Vector<float>> in;
  bool compute() {
    *o = quarter + in[0];
    return true;
  }
};
)");
  CHECK_NOTHROW(linked(library, "__vertex_Macros"));
  REQUIRE(library.codelets.size() == 1);
  CHECK(library.codelets[0].fields.size() == 2);
}

TEST_CASE("without <cmath> the names of its functions are a codelet's own") {
  const auto library = compiled(R"(
float exp(float x) { return x + 1; }
half sqrt(half x) { return x; }
struct Own : Vertex {
  Output<float> y;
  void compute() { *y = exp(2.0f) + sqrt(half(4)); }
};
)");
  CHECK_NOTHROW(linked(library, "__vertex_Own"));
}

TEST_CASE("what a tile has not is named when the codelet is linked") {
  const auto library = compiled(R"(
#include <cstdio>
#include <ctime>
#include <iostream>
struct Streams : Vertex {
  Output<int> out;
  void compute() { std::cout << *out; }
};
struct Clock : Vertex {
  Output<int> out;
  void compute() { *out = std::time(nullptr); }
};
struct File : Vertex {
  Output<int> out;
  void compute() { *out = std::fopen("f", "r") != nullptr; }
};
struct Nothing : Vertex {
  Output<int> out;
  void compute() { *out = 1; }
};
)");
  const auto refusal = [&](const std::string& vertex) -> std::string {
    try {
      linked(library, "__vertex_" + vertex);
    } catch (const compiler::CodeletError& error) {
      return error.what();
    }
    return "linked";
  };
  CHECK(refusal("Streams").find("undefined symbol: std::cout") != std::string::npos);
  CHECK(refusal("Clock").find("undefined symbol: time") != std::string::npos);
  CHECK(refusal("File").find("undefined symbol: fopen") != std::string::npos);
  CHECK(refusal("Nothing") == "linked");
}
