// Remote buffers in the memory of a gateway against the same in host memory, on what TESSERA_BACKEND says: programs get
// and leave the same.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <random>
#include <sstream>
#include <tessera/machine.hpp>

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

constexpr const char* kSystem = "mk2-4x4";

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
class Next : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  bool compute() { *x = *x + 1; return true; }
};
template <class T> class Add : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<T>> x;
  bool compute() { for (auto& v : x) v = v + T(3); return true; }
};
template class Add<int>;
template class Add<unsigned char>;
template class Add<unsigned short>;
)";

Device device_of(unsigned ipus) {
  ::setenv("TESSERA_MACHINE", ipus > 4 ? "mk2-4x8" : kSystem, 1);  // two gateways
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, ipus).at(0));
  REQUIRE(device.attach());
  return device;
}

// What a program leaves: of all remote buffers every row of every replica, and of all tensors.
struct Left {
  std::vector<std::vector<unsigned char>> rows;
  std::vector<std::vector<unsigned char>> tensors;
  std::uint64_t cycles = 0;
  bool operator==(const Left& other) const { return rows == other.rows && tensors == other.tensors; }
};

struct Built {
  Sequence program;
  std::vector<RemoteBuffer> buffers;
  std::vector<Tensor> tensors;
};

using Build = std::function<Built(Graph&)>;

Left run(const Build& build, const char* gateway_mode, unsigned ipus = 1, unsigned replicas = 1) {
  const Device device = device_of(ipus);
  Graph graph(device, replication_factor(replicas));
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  const Built built = build(graph);
  for (std::size_t i = 0; i < built.tensors.size(); ++i) {
    graph.createHostRead("read" + std::to_string(i), built.tensors[i]);
    graph.createHostWrite("write" + std::to_string(i), built.tensors[i]);
  }
  Engine engine(graph, built.program, {{"target.gatewayMode", gateway_mode}});
  engine.load(device);
  unsigned char next = 1;
  const auto bytes_of = [&](std::size_t elements, const Type& type) {
    return std::vector<unsigned char>(elements * graph.getTarget().getTypeSize(type));
  };
  const auto each_row = [&](const auto& visit) {
    for (const RemoteBuffer& buffer : built.buffers)
      for (unsigned replica = 0; replica < replicas; ++replica)
        for (std::size_t row = 0; row < buffer.getRepeats(); ++row) visit(buffer, row, replica);
  };
  each_row([&](const RemoteBuffer& buffer, std::size_t row, unsigned replica) {
    std::vector<unsigned char> bytes = bytes_of(buffer.numElements(), buffer.elementType());
    for (unsigned char& b : bytes) b = next = static_cast<unsigned char>(next * 5 + 7);
    engine.copyToRemoteBuffer(bytes.data(), buffer.handle(), row, replica);
  });
  for (std::size_t i = 0; i < built.tensors.size(); ++i) {
    std::vector<unsigned char> bytes =
        bytes_of(replicas * built.tensors[i].numElements(), built.tensors[i].elementType());
    // Numbers of rows stay as they are.
    if (built.tensors[i].elementType() == UNSIGNED_INT) continue;
    for (unsigned char& b : bytes) b = next = static_cast<unsigned char>(next * 5 + 7);
    engine.writeTensor("write" + std::to_string(i), bytes.data(), bytes.data() + bytes.size());
  }
  engine.run();
  Left left;
  each_row([&](const RemoteBuffer& buffer, std::size_t row, unsigned replica) {
    left.rows.push_back(bytes_of(buffer.numElements(), buffer.elementType()));
    engine.copyFromRemoteBuffer(buffer.handle(), left.rows.back().data(), row, replica);
  });
  for (std::size_t i = 0; i < built.tensors.size(); ++i) {
    left.tensors.push_back(bytes_of(replicas * built.tensors[i].numElements(), built.tensors[i].elementType()));
    std::vector<unsigned char>& bytes = left.tensors.back();
    engine.readTensor("read" + std::to_string(i), bytes.data(), bytes.data() + bytes.size());
  }
  left.cycles = tessera::machineCounters(device).cycles;
  return left;
}

void check_same(const Build& build, unsigned ipus = 1, unsigned replicas = 1) {
  const Left gateway = run(build, "true", ipus, replicas), host = run(build, "false", ipus, replicas);
  CHECK(gateway.rows == host.rows);
  CHECK(gateway.tensors == host.tensors);
  CHECK(gateway.cycles != host.cycles);  // so they are two ways
}

// `grain` elements at a time on the tiles in turn, from `first` on.
Tensor spread(Graph& graph, const Type& type, std::vector<std::size_t> shape, const std::string& name,
              std::size_t grain, unsigned first = 0) {
  Tensor t = graph.addVariable(type, shape, name);
  const Tensor flat = t.flatten();
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (std::size_t i = 0; i < flat.numElements(); i += grain)
    graph.setTileMapping(flat.slice(i, std::min(i + grain, flat.numElements())),
                         static_cast<unsigned>((first + i / grain) % tiles));
  return t;
}

Tensor numbers(Graph& graph, std::vector<unsigned> values) {
  Tensor t = graph.addVariable(UNSIGNED_INT, {values.size()}, "numbers");
  graph.setInitialValue(t, ArrayRef<unsigned>(values));
  graph.setTileMapping(t, 1);
  return t;
}

Program add(Graph& graph, const Tensor& t) {
  const ComputeSet set = graph.addComputeSet("add");
  const auto mapping = graph.getTileMapping(t.flatten());
  for (unsigned tile = 0; tile < mapping.size(); ++tile)
    for (const Interval& part : mapping[tile]) {
      const VertexRef v = graph.addVertex(set, "Add<" +
                                                   std::string(t.elementType() == INT             ? "int"
                                                               : t.elementType() == UNSIGNED_CHAR ? "unsigned char"
                                                                                                  : "unsigned short") +
                                                   ">");
      graph.connect(v["x"], t.flatten().slice(part.begin(), part.end()));
      graph.setTileMapping(v, tile);
    }
  return Execute(set);
}

TEST_CASE("rows of whole words go as they stand") {
  check_same([](Graph& graph) {
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 2000, 3);
    const Tensor t = spread(graph, INT, {2, 2000}, "t", 700), rows = numbers(graph, {2, 0}),
                 back = numbers(graph, {1, 2});
    return Built{Sequence({Copy(buffer, t, rows), add(graph, t), Copy(t, buffer, back)}), {buffer}, {t}};
  });
}

TEST_CASE("parts below a word are put in order on the tiles") {
  for (const Type& type : {UNSIGNED_CHAR, UNSIGNED_SHORT}) {
    INFO(type.toString());
    check_same([&](Graph& graph) {
      const RemoteBuffer buffer = graph.addRemoteBuffer("rows", type, 141, 4),
                         other = graph.addRemoteBuffer("other", type, 5);
      const Tensor t = spread(graph, type, {3, 141}, "t", 7), small = spread(graph, type, {5}, "small", 1);
      return Built{Sequence({Copy(buffer, t, numbers(graph, {3, 1, 0})), add(graph, t),
                             Copy(t, buffer, numbers(graph, {0, 2, 1})), Copy(other, small), add(graph, small),
                             Copy(small, other)}),
                   {buffer, other},
                   {t, small}};
    });
  }
}

TEST_CASE("a part of a variable comes without what is beside it") {
  check_same([](Graph& graph) {
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", UNSIGNED_CHAR, 9, 2);
    const Tensor all = spread(graph, UNSIGNED_CHAR, {13}, "all", 5);
    return Built{Sequence({Copy(buffer, all.slice(2, 11), numbers(graph, {1})), Copy(all.slice(4, 13), buffer)}),
                 {buffer},
                 {all}};
  });
}

TEST_CASE("what other tiles read of a row is what was written before") {
  check_same([](Graph& graph) {
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 600, 5);
    const Tensor one = spread(graph, INT, {600}, "one", 150), other = spread(graph, INT, {600}, "other", 200, 2),
                 index = numbers(graph, {0});
    const ComputeSet next = graph.addComputeSet("next");
    const VertexRef v = graph.addVertex(next, "Next", {{"x", index[0].reinterpret(INT)}});
    graph.setTileMapping(v, 1);
    return Built{
        Repeat(5, Sequence({Copy(buffer, one, index), add(graph, one), Copy(one, buffer, index),
                            Copy(buffer, other, index), add(graph, other), Copy(other, buffer, index), Execute(next)})),
        {buffer},
        {one, other}};
  });
}

TEST_CASE("more words than a tile awaits at once come in turns") {
  check_same([](Graph& graph) {
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 70000, 2);
    const Tensor t = graph.addVariable(INT, {70000}, "t");
    graph.setTileMapping(t, 3);
    return Built{Sequence({Copy(buffer, t), Copy(t, buffer, numbers(graph, {1}))}), {buffer}, {t}};
  });
}

TEST_CASE("several IPUs have one buffer") {
  for (const unsigned ipus : {2u, 8u})  // of eight four reach it through a link of their gateway
    check_same(
        [](Graph& graph) {
          const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 1000, 3),
                             bytes = graph.addRemoteBuffer("bytes", UNSIGNED_CHAR, 77, 2);
          const Tensor t = spread(graph, INT, {1000}, "t", 30), u = spread(graph, UNSIGNED_CHAR, {77}, "u", 3, 1);
          return Built{
              Sequence({Copy(buffer, t, numbers(graph, {2})), add(graph, t), Copy(t, buffer, numbers(graph, {0})),
                        Copy(bytes, u, numbers(graph, {1})), add(graph, u), Copy(u, bytes)}),
              {buffer, bytes},
              {t, u}};
        },
        ipus);
}

TEST_CASE("each replica has rows of its own") {
  for (const unsigned replicas : {4u, 8u})
    check_same(
        [](Graph& graph) {
          const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 100, 3),
                             bytes = graph.addRemoteBuffer("bytes", UNSIGNED_CHAR, 77, 2);
          const Tensor t = spread(graph, INT, {100}, "t", 30), u = spread(graph, UNSIGNED_CHAR, {77}, "u", 3, 1);
          return Built{Sequence({Copy(buffer, t, numbers(graph, {2})), add(graph, t),
                                 Copy(t, buffer, numbers(graph, {0})), Copy(bytes, u), add(graph, u), Copy(u, bytes)}),
                       {buffer, bytes},
                       {t, u}};
        },
        replicas, replicas);
}

// Copies from and to one or two buffers of any element type, of tensors that lie anywhere on the tiles, with rows of
// any numbers, changed in between, in a loop or not.
class RandomCopies {
 public:
  explicit RandomCopies(unsigned seed) : random_(seed) {}

  Built operator()(Graph& graph) {
    Built built;
    const Type types[] = {INT, UNSIGNED_CHAR, UNSIGNED_SHORT};
    const Type type = types[below(3)];
    const std::size_t elements = 1 + below(below(2) ? 20 : 700);
    for (unsigned b = 0; b < 1 + below(2); ++b)
      built.buffers.push_back(graph.addRemoteBuffer("buffer" + std::to_string(b), type, elements, 1 + below(6)));
    Sequence body;
    for (unsigned copy = 0, copies = 2 + below(5); copy < copies; ++copy) {
      const RemoteBuffer& buffer = built.buffers[below(static_cast<unsigned>(built.buffers.size()))];
      const auto repeats = static_cast<unsigned>(buffer.getRepeats());
      const unsigned rows = 1 + below(repeats);
      if (built.tensors.empty() || below(2)) built.tensors.push_back(anywhere(graph, type, elements * repeats));
      Tensor t = built.tensors[below(static_cast<unsigned>(built.tensors.size()))];
      if (t.numElements() < rows * elements) continue;
      const std::size_t from = below(static_cast<unsigned>(t.numElements() - rows * elements + 1));
      t = t.slice(from, from + rows * elements);
      std::vector<unsigned> all(repeats);
      std::iota(all.begin(), all.end(), 0);
      std::shuffle(all.begin(), all.end(), random_);
      all.resize(rows);
      const bool numbered = rows > 1 || below(2);
      if (below(2))
        body.add(numbered ? Copy(buffer, t, numbers(graph, all)) : Copy(buffer, t));
      else
        body.add(numbered ? Copy(t, buffer, numbers(graph, all)) : Copy(t, buffer));
      if (below(3) == 0) body.add(add(graph, t));
    }
    built.program = below(2) ? body : Sequence(Repeat(2, body));
    return built;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  Tensor anywhere(Graph& graph, const Type& type, std::size_t elements) {
    const Tensor t = graph.addVariable(type, {elements}, "t");
    const unsigned most = 1 + below(below(2) ? 9 : 300);
    for (std::size_t begin = 0; begin < elements;) {
      const std::size_t end = std::min(elements, begin + 1 + below(most));
      graph.setTileMapping(t.slice(begin, end), below(graph.getTarget().getNumTiles()));
      begin = end;
    }
    return t;
  }

  std::mt19937 random_;
};

TEST_CASE("random copies leave the same with a gateway as without") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    const unsigned ipus = seed % 20 == 2 ? 8 : seed % 5 == 4 ? 2 : seed % 5 == 3 ? 4 : 1;
    const unsigned replicas = ipus == 4 ? (seed % 2 ? 2 : 4) : 1;
    const auto build = [&](Graph& graph) { return RandomCopies(seed)(graph); };
    const Left gateway = run(build, "true", ipus, replicas), host = run(build, "false", ipus, replicas);
    CHECK(gateway.rows == host.rows);
    CHECK(gateway.tensors == host.tensors);
  }
}

TEST_CASE("a row far behind has the highest bits of its address") {
  const Device device = device_of(1);
  Graph graph(device);
  const RemoteBuffer buffer = graph.addRemoteBuffer("huge", INT, 256, 100u << 20);  // 100 GiB
  const Tensor t = spread(graph, INT, {256}, "t", 64), first = spread(graph, INT, {256}, "first", 64);
  const unsigned last = (100u << 20) - 1;
  Engine engine(graph, Sequence({Copy(buffer, t, numbers(graph, {last})),
                                 Copy(t, buffer, numbers(graph, {last - 70000000})), Copy(buffer, first)}));
  engine.load(device);
  std::vector<int> row(256), got(256);
  std::iota(row.begin(), row.end(), 5);
  engine.copyToRemoteBuffer<int>(ArrayRef<int>(row), "huge", last);
  engine.run();
  engine.copyFromRemoteBuffer<int>("huge", ArrayRef<int>(got), last - 70000000);
  CHECK(got == row);
  engine.copyFromRemoteBuffer<int>("huge", ArrayRef<int>(got), 12345);  // nobody has written it
  CHECK(got == std::vector<int>(256));
}

TEST_CASE("remote buffers beyond the gateway's memory are refused by name") {
  const Device device = device_of(4);
  CHECK(device.hasGateway());
  Graph graph(device, replication_factor(4));
  const RemoteBuffer fits = graph.addRemoteBuffer("fits", INT, 1 << 20, 100),
                     huge = graph.addRemoteBuffer("huge", INT, 8, 1u << 31);
  const Tensor t = spread(graph, INT, {8}, "t", 8);
  CHECK_THROWS_WITH(Engine(graph, Copy(huge, t)),
                    ContainsText("Remote buffer 'huge' does not fit in the memory of the gateway") &&
                        ContainsText("4 times, for each replica"));
  CHECK_THROWS_AS(Engine(graph, Copy(huge, t)), stream_memory_allocation_error);
}

TEST_CASE("content stays from load to load, and goes with another program") {
  const Device device = device_of(1);
  const auto graph_of = [&](Graph& graph) {
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 4, 2);
    const Tensor t = spread(graph, INT, {4}, "t", 4);
    return Sequence({Copy(buffer, t), Copy(t, buffer, numbers(graph, {1}))});
  };
  Graph graph(device);
  Engine engine(graph, graph_of(graph));
  std::vector<int> row = {1, 2, 3, 4}, got(4);
  engine.copyToRemoteBuffer<int>(ArrayRef<int>(row), "rows", 0);  // before the first load
  engine.copyFromRemoteBuffer<int>("rows", ArrayRef<int>(got), 0);
  CHECK(got == row);
  engine.load(device);
  engine.run();
  engine.load(device);
  engine.copyFromRemoteBuffer<int>("rows", ArrayRef<int>(got), 1);
  CHECK(got == row);
  Graph second(device);
  Engine other(second, graph_of(second));
  other.load(device);
  CHECK_THROWS_WITH(engine.copyFromRemoteBuffer<int>("rows", ArrayRef<int>(got), 1), ContainsText("load it again"));
  other.run();
  other.copyFromRemoteBuffer<int>("rows", ArrayRef<int>(got), 1);
  CHECK(got == std::vector<int>(4));
}

TEST_CASE("an executable for a gateway runs on a device that has one") {
  std::stringstream file;
  {
    const Device device = device_of(1);
    Graph graph(device);
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 4, 2);
    const Tensor t = spread(graph, INT, {4}, "t", 4);
    compileGraph(graph, {Copy(buffer, t)}).serialize(file);
    CHECK_THROWS_WITH(
        Engine(graph, Copy(buffer, t)).load(Device::createSimulatorDevice(Target::createIPUTarget(1, "mk2-4"))),
        ContainsText("remote buffer 'rows' in the memory of a gateway, which the device does not have"));
  }
  Engine engine(Executable::deserialize(file));
  engine.load(device_of(1));
  engine.run();
}

TEST_CASE("gatewayMode says where remote buffers are") {
  ::setenv("TESSERA_MACHINE", kSystem, 1);
  const auto target = [](const OptionFlags& options) { return Target::createIPUTarget(4, kSystem, options); };
  CHECK(target({}).getGatewayMode());
  CHECK(target({{"gatewayMode", "true"}}).getGatewayMode());
  CHECK_FALSE(target({{"gatewayMode", "false"}}).getGatewayMode());
  CHECK_FALSE(
      DeviceManager().getDevices(TargetType::IPU, 1, {{"gatewayMode", "false"}}).at(0).getTarget().getGatewayMode());
  CHECK_FALSE(Target::createIPUTarget(1, "mk2-4").getGatewayMode());
  CHECK_THROWS_WITH(Target::createIPUTarget(1, "mk2-4", {{"gatewayMode", "true"}}),
                    ContainsText("'gatewayMode' is 'true'") && ContainsText("no gateway"));
  Graph graph(Target::createIPUTarget(1, "mk2-4"));
  const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 4, 2);
  const Tensor t = spread(graph, INT, {4}, "t", 4);
  CHECK_THROWS_WITH(Engine(graph, Copy(buffer, t), {{"target.gatewayMode", "true"}}),
                    ContainsText("engine option 'target.gatewayMode' is 'true'") && ContainsText("no gateway"));
  // Two IPUs of one replica have gateways of their own, which nothing joins.
  const std::string file = std::filesystem::temp_directory_path() / "remote_buffers_test_two_gateways.toml";
  std::ofstream text(file);
  text << "name = \"two-gateways\"\nchips = [\"mk2-4\", \"mk2-4\"]\n"
       << "[[link]]\nends = [[0, 0], [1, 0]]\nlanes = 8\nlatency = 160\nbytes_per_cycle = 4\n"
       << "[[sync_group]]\nzone = \"GS1\"\nmembers = [0, 1]\nhop_latency = 20\n"
       << "[[host]]\nname = \"host\"\nchips = [0, 1]\n";
  for (const char* chip : {"0", "1"})
    text << "[[gateway]]\nname = \"g" << chip << "\"\nchips = [" << chip
         << "]\ndram_bytes = 1048576\nlatency = 100\nbytes_per_cycle = 4\n";
  text.close();
  Graph two(Target::createIPUTarget(2, file));
  const RemoteBuffer rows = two.addRemoteBuffer("rows", INT, 4, 2);
  const Tensor u = spread(two, INT, {4}, "u", 4);
  CHECK_NOTHROW(Engine(two, Copy(rows, u)));
  CHECK_THROWS_WITH(Engine(two, Copy(rows, u), {{"target.gatewayMode", "true"}}),
                    ContainsText("no gateway is reached by all IPUs of a replica"));
  std::filesystem::remove(file);
}

}  // namespace
