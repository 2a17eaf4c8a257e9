// Linking entries to one text image: addresses, stack bounds, what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"
#include "compiler/codelet/object_file.h"
#include "compiler/codelet/read_whole_file.h"
#include "tests/codelet/temporary_directory.h"

using namespace tessera;
using compiler::CodeletError;
using compiler::LinkedText;

namespace {

const compiler::LinkLayout kLayout{0x4c000, 0x80000};

LinkedText linked(const std::string& text, std::vector<std::string> entries) {
  const auto library =
      compiler::compile_codelet_text("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text, "test.cpp");
  return compiler::link_tile_text({&library}, entries, kLayout, compiler::Cache(""));
}

std::string refusal(const std::string& text) {
  try {
    linked(text, {"__vertex_V"});
  } catch (const CodeletError& error) {
    CHECK(error.kind() == CodeletError::Kind::kLink);
    return error.what();
  }
  return "linked";
}

}  // namespace

TEST_CASE("text, read-only data and data stand where the layout puts them") {
  const LinkedText image = linked(R"(
    static const float table[4] = {1, 2, 4, 8};
    static int counter = 5;
    static int zeroed[7];
    struct V : Vertex {
      Output<float> out;
      unsigned i;
      bool compute() { zeroed[i] = counter++; *out = table[i & 3] + zeroed[i / 2]; return true; }
    };)",
                                  {compiler::kWorkerSymbol, "__vertex_V"});
  CHECK(image.text_base == kLayout.text_base);
  CHECK(image.rodata_base == kLayout.data_base);
  REQUIRE(image.rodata.size() >= 16);
  REQUIRE(image.data.size() == 4);
  CHECK(image.data[0] == 5);
  CHECK(image.bss_size == 28);
  CHECK(image.data_base >= image.rodata_base + image.rodata.size());
  CHECK(image.bss_base >= image.data_base + 4);
  const std::uint32_t entry = image.symbols.at("__vertex_V");
  CHECK(entry % 4 == 0);
  CHECK(entry >= image.text_base);
  CHECK(entry + image.symbol_sizes.at("__vertex_V") <= image.text_base + image.text.size());
  CHECK(image.symbols.contains(compiler::kWorkerSymbol));
  CHECK(image.stack_size.at(compiler::kWorkerSymbol) == 0);
}

TEST_CASE("what no entry reaches is left out") {
  const char* two = R"(
    struct V : Vertex { Output<int> x; bool compute() { *x = 1; return true; } };
    struct W : Vertex { Output<float> x; bool compute() { *x = __builtin_expf(*x); return true; } };)";
  const LinkedText one = linked(two, {"__vertex_V"});
  CHECK_FALSE(one.symbols.contains("__vertex_W"));
  CHECK_FALSE(one.symbols.contains("expf"));
  CHECK(linked(two, {"__vertex_V", "__vertex_W"}).symbols.contains("expf"));
}

TEST_CASE("a stack size is the largest sum of frames over the calls") {
  const LinkedText image = linked(R"(
    __attribute__((noinline)) int leaf(int n) { volatile char room[200]; room[n] = n; return room[n / 2]; }
    __attribute__((noinline)) int middle(int n) { volatile char room[100]; room[n] = n; return leaf(room[n / 2]) + 1; }
    struct V : Vertex { InOut<int> x; bool compute() { *x = middle(*x); return true; } };
    struct W : Vertex { InOut<int> x; bool compute() { *x += 1; return true; } };
    struct F : Vertex { InOut<int> x; bool compute() { int (*volatile f)(int) = leaf; *x = f(*x); return true; } };)",
                                  {"__vertex_V", "__vertex_W", "__vertex_F"});
  CHECK(image.stack_size.at("__vertex_V") >= 300);
  CHECK(image.stack_size.at("__vertex_V") <= 400);
  CHECK(image.stack_size.at("__vertex_V") % 16 == 0);
  CHECK(image.stack_size.at("__vertex_W") == 0);
  CHECK(image.stack_size.at("__vertex_F") >= 216);
}

TEST_CASE("recursion needs an explicit stack size") {
  const std::string body = R"(
    __attribute__((noinline)) int deep(int n) { volatile int k = n; return k < 2 ? 1 : deep(k - 1) * k + deep(k - 2); }
    struct V : Vertex { InOut<int> x; bool compute() )";
  const std::string rest = " { *x = deep(*x); return true; } };";
  CHECK(refusal(body + rest) ==
        "'deep(int)' is recursive, so its stack has no bound; give compute() a size with TESSERA_STACK_SIZE(bytes)");
  CHECK(linked(body + "TESSERA_STACK_SIZE(1000)" + rest, {"__vertex_V"}).stack_size.at("__vertex_V") == 1008);
}

TEST_CASE("undefined functions, heap and start-up code are refused by name") {
  const auto refuses_with = [](const std::string& text, const std::string& part) {
    const std::string message = refusal(text);
    INFO(message);
    return message.find(part) != std::string::npos && message.find("tessera-popc") == std::string::npos;
  };
  CHECK(refuses_with("int f(int); struct V : Vertex { InOut<int> x; bool compute() { *x = f(1); return true; } };",
                     "undefined symbol: f(int)"));
  CHECK(refuses_with(
      "struct V : Vertex { InOut<int> x; bool compute() { int *p = new int[*x]; *x = (int)(long)p; return true; } };",
      "undefined symbol: operator new[](unsigned int)"));
  CHECK(
      refuses_with("int f(); int g = f(); int f() { volatile int x = 3; return x; }\n"
                   "struct V : Vertex { InOut<int> x; bool compute() { *x = g; return true; } };",
                   "needs a constructor at start-up"));
}

TEST_CASE("double arithmetic is refused with the path to it, moving doubles is not") {
  CHECK(refusal("__attribute__((noinline)) double half_of(double x) { return x * 0.5; }\n"
                "struct V : Vertex { InOut<float> x; bool compute() { *x = half_of(*x); return true; } };") ==
        "the tile has no double arithmetic; use float: __vertex_V");
  CHECK(
      refusal("struct V : Vertex { InOut<Vector<float>> x; bool compute() {\n"
              "((double *)x.begin())[0] = ((double *)x.begin())[1]; ((double *)x.begin())[2] = 0; return true; } };") ==
      "linked");
}

TEST_CASE("a supervisor vertex may not reach float code") {
  CHECK(refusal("__attribute__((noinline)) float twice(float x) { return x + x; }\n"
                "struct V : SupervisorVertex { InOut<Vector<float>> x;\n"
                "__attribute__((target(\"supervisor\"))) bool compute() { x[0] = twice(x[1]); return true; } };")
            .find("a supervisor vertex reaches floating-point code: __vertex_V") == 0);
  CHECK(refusal("struct V : SupervisorVertex { InOut<int> x; bool compute() { *x = *x / 3; return true; } };") ==
        "linked");
}

TEST_CASE("instructions that the tile or the context lacks are refused") {
  CHECK(refusal("struct V : Vertex { void compute() { asm volatile(\".4byte 0xffffffff\"); } };") ==
        "the tile has no instruction 0xffffffff: __vertex_V");
  CHECK(refusal("struct V : Vertex { void compute() { asm volatile(\".insn i 0x0b, 3, x0, x0, 0\"); } };") ==
        "a worker cannot execute 'sync': __vertex_V");
  CHECK(refusal("#include <cassert>\nstruct V : Vertex { Input<int> x; void compute() { assert(*x == 3); } };") ==
        "linked");
}

TEST_CASE("the whole runtime library keeps to the tile's arithmetic") {
  const auto runtime = compiler::load_runtime_library();
  std::vector<std::string> functions;
  for (const auto& object : runtime.objects) {
    for (const auto& symbol : compiler::read_object(object.elf, object.name).symbols) {
      if (symbol.type == formats::ElfSymbol::kFunction && symbol.binding == formats::ElfSymbol::kGlobal) {
        functions.emplace_back(symbol.name);
      }
    }
  }
  CHECK(functions.size() > 70);
  const LinkedText image = compiler::link_tile_text({}, functions, kLayout, compiler::Cache(""));
  CHECK(image.stack_size.size() == functions.size());
  CHECK(image.stack_size.at("powf") < 256);
}

TEST_CASE("a linked image in the cache that is cut short or has a turned bit is linked again, and heals") {
  const TemporaryDirectory directory;
  const compiler::Cache cache(directory.path("cache"));
  const auto library = compiler::compile_codelet_text(
      "#include <poplar/Vertex.hpp>\nstruct V : poplar::Vertex { poplar::Output<int> out; bool compute() { *out = 7; "
      "return "
      "true; } };",
      "test.cpp");
  const auto link = [&] {
    const LinkedText linked = compiler::link_tile_text({&library}, {"__vertex_V"}, kLayout, cache);
    return std::pair(linked.text, linked.needed);
  };
  const auto good = link();
  REQUIRE(good.second.at("__vertex_V").size() == 1);
  // The image, and the linker's map of it.
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path("cache"))) files.insert(entry.path());
  REQUIRE(files.size() == 2);
  for (const std::filesystem::path& path : files) {
    const std::string whole = compiler::read_whole_file(path.string()).value();
    const auto put = [&](const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; };
    std::string turned = whole;
    turned[turned.size() / 2] ^= 4;
    for (const std::string& bad : {std::string(), whole.substr(0, 40), whole.substr(0, whole.size() / 2), turned}) {
      put(bad);
      CHECK(link() == good);
      CHECK(compiler::read_whole_file(path.string()).value().size() == whole.size());
    }
  }
}

TEST_CASE("an entry needs the sections that it may lead to, and none of another's") {
  const LinkedText image = linked(R"(
    static const int low[5] = {1, 2, 3, 4, 5}, high[5] = {6, 7, 8, 9, 10};
    __attribute__((noinline)) static int of_low(unsigned i) { return low[i % 5]; }
    __attribute__((noinline)) static int of_high(unsigned i) { return high[i % 5]; }
    struct A : Vertex { InOut<int> x; bool compute() { *x = of_low(*x); return true; } };
    struct B : Vertex { InOut<int> x; bool compute() { *x = of_high(*x); return true; } };)",
                                  {"__vertex_A", "__vertex_B"});
  const auto has = [&](const std::string& entry, const std::string& symbol) {
    const auto found = std::find_if(image.symbols.begin(), image.symbols.end(),
                                    [&](const auto& s) { return s.first.find(symbol) != std::string::npos; });
    REQUIRE(found != image.symbols.end());
    const auto& needed = image.needed.at(entry);
    return std::any_of(needed.begin(), needed.end(), [&](std::uint32_t piece) {
      return found->second - image.pieces[piece].address < image.pieces[piece].bytes;
    });
  };
  for (const char* symbol : {"__vertex_A", "of_low", "3low"}) {
    INFO(symbol);
    CHECK(has("__vertex_A", symbol));
    CHECK_FALSE(has("__vertex_B", symbol));
  }
  for (const char* symbol : {"__vertex_B", "of_high", "4high"}) {
    INFO(symbol);
    CHECK(has("__vertex_B", symbol));
    CHECK_FALSE(has("__vertex_A", symbol));
  }
}
