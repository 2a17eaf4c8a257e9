// Waves of the demo's network: the same from model and RTL, whole, in their window, and true.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "inspect/waves/fst_file.h"
#include "inspect/waves/save_file.h"
#include "program/place_names.h"
#include "rtl/spec/instructions.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "tests/inspect/waves/digits_run.h"
#include "tests/inspect/waves/fst_dump.h"

using namespace tessera;
using namespace tessera::test;
namespace fs = std::filesystem;

namespace {

const DigitsRun::Compiled& digits() {
  static const DigitsRun::Compiled compiled = DigitsRun::compile("mk2-4");
  return compiled;
}

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("tessera-waves-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  fs::path path;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Runs `batches` batches of training with these options; what a watcher of its own saw is in it too.
void leave_waves(const std::string& options, bool rtl = false, unsigned batches = 2,
                 chip::Observer* watcher = nullptr) {
  const spec::Machine& m = digits().machine;
  DigitsRun run(digits(), rtl ? chip::make_rtl_chip(m) : chip::make_model_chip(m), options);
  if (watcher) run.recorded().observe(watcher);
  run.load();
  run.train(batches);
  run.recorded().finish();
}

struct Records : chip::Observer {
  struct Word {
    uint64_t cycle;
    unsigned source;
    uint32_t address, data;
  };
  bool wants(unsigned t) const override { return t == tile; }
  void retire(unsigned, const chip::Retire& r) override { retired.push_back(r); }
  void received(unsigned, uint64_t cycle, unsigned source, uint32_t data) override {
    on_input.push_back({cycle, source, 0, data});
  }
  void port_write(unsigned, const chip::PortWrite& w) override {
    if (!w.packet) written.push_back({w.cycle, 0, w.address, w.data});
  }
  void superstep(uint64_t, uint64_t cycle) override { boundaries.push_back(cycle); }
  unsigned tile = 1;
  std::vector<chip::Retire> retired;
  std::vector<Word> on_input, written;
  std::vector<uint64_t> boundaries;  // [k]: superstep k + 1 begins
};

// Where superstep k begins in every run of the network: watched once.
const Records& watched() {
  static const Records records = [] {
    Records r;
    leave_waves("", false, 2, &r);
    return r;
  }();
  return records;
}

}  // namespace

TEST_CASE("model and RTL leave the same bytes, for one tile and for all, and again") {
  const Folder folder;
  for (const std::string window : {"wave-tiles=1;wave-from=1;wave-for=2", "wave-tiles=0,2-3;wave-from=2;wave-for=1",
                                   "wave-tiles=1;wave-from=cycle:20000;wave-for=5000c"}) {
    INFO(window);
    leave_waves("waves=" + folder.file("model.fst") + ";" + window);
    leave_waves("waves=" + folder.file("again.fst") + ";" + window);
    leave_waves("waves=" + folder.file("rtl.fst") + ";" + window, true);
    const std::string model = contents(folder.file("model.fst"));
    CHECK(model.size() > 2000);
    CHECK(model == contents(folder.file("again.fst")));
    CHECK(model == contents(folder.file("rtl.fst")));
  }
}

TEST_CASE("a save file of several chips has a superstep for each and says of every tile whose it is") {
  inspect::waves::SaveFile file;
  file.tiles = {{0, 3}, {1, 0}, {1, 2}};
  const auto shown = inspect::waves::shown_signals(file);
  CHECK(std::count(shown.begin(), shown.end(), "chip0.superstep[31:0]") == 1);
  CHECK(std::count(shown.begin(), shown.end(), "chip1.superstep[31:0]") == 1);
  CHECK(std::count(shown.begin(), shown.end(), "chip1.tile2.sync.zone[3:0]") == 1);
  CHECK(std::count(shown.begin(), shown.end(), "chip0.tile2.sync.zone[3:0]") == 0);
  const std::string text = text_of(file);
  CHECK(text.find("-chip 0 tile 3\n") != std::string::npos);
  CHECK(text.find("-chip 1 tile 2\n") != std::string::npos);
  file.tiles = {{0, 3}};
  CHECK(text_of(file).find("-tile 3\n") != std::string::npos);
}

TEST_CASE("every signal of the save file is in the waves, and so are only the chosen tiles") {
  const Folder folder;
  leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=0,2;wave-from=1;wave-for=1");
  const FstDump dump(folder.file("out.fst"));
  inspect::waves::SaveFile file;
  file.tiles = {{0, 0}, {0, 2}};
  const auto shown = inspect::waves::shown_signals(file);
  CHECK(shown.size() > 200);
  CHECK(shown.size() == dump.signals());
  for (const std::string& name : shown) CHECK(dump.has(name));
  CHECK_FALSE(dump.has("chip0.tile1.state[3:0]"));
  // The save file came with the waves, and names them and the superstep.
  const std::string save = contents(folder.file("out.gtkw"));
  CHECK(save.find(folder.file("out.fst")) != std::string::npos);
  CHECK(save.find("[markername] A1 Copy(weights, localWeights)") != std::string::npos);
  for (const char* names : {"states", "zones", "tiles", "causes", "contexts", "registers", "float_flags"})
    CHECK(fs::file_size(folder.path / "out.names" / (std::string(names) + ".txt")) > 30);
}

TEST_CASE("values at random cycles are those of the records") {
  const Folder folder;
  Records records;
  leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=1", true, 2, &records);
  const FstDump dump(folder.file("out.fst"));
  REQUIRE(records.retired.size() > 100000);
  REQUIRE(records.written.size() > 100);
  std::mt19937 random(20);
  unsigned floats = 0, stores = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const chip::Retire& r = records.retired[random() % records.retired.size()];
    const std::string context =
        "chip0.tile1." + (r.context == 0 ? "supervisor." : "worker" + std::to_string(r.context - 1) + ".");
    INFO("cycle " << r.cycle << " context " << int(r.context));
    REQUIRE(dump.number(context + "pc[31:0]", r.cycle) == r.pc);
    REQUIRE(dump.at(context + "instruction", r.cycle) == spec::disassemble(r.instruction, r.pc));
    const unsigned reg = !r.reg_write ? 64 : (r.reg_float ? 32 : 0) + r.reg;
    REQUIRE(dump.number(context + "register[6:0]", r.cycle) == reg);
    if (r.reg_write) REQUIRE(dump.number(context + "value[31:0]", r.cycle) == (r.reg_data & 0xffffffffu));
    if (r.reg_write && r.reg_float) {
      REQUIRE(dump.number(context + "value_high[31:0]", r.cycle) == r.reg_data >> 32);
      if (r.reg_data >> 32 == 0xffffffffu && r.reg_data >> 16 != 0xffffffffffffull) {
        REQUIRE(std::stof(dump.at(context + "number", r.cycle)) == std::bit_cast<float>(uint32_t(r.reg_data)));
        ++floats;
      }
    }
    const unsigned bytes = r.mem_write ? unsigned(std::popcount(r.mem_strobe)) : 0;
    REQUIRE(dump.number(context + "stored_bytes[3:0]", r.cycle) == bytes);
    if (bytes != 0) {
      const unsigned first = unsigned(std::countr_zero(unsigned(r.mem_strobe)));
      REQUIRE(dump.number(context + "store_address[31:0]", r.cycle) == r.mem_address + first);
      REQUIRE(dump.number(context + "store_data[63:0]", r.cycle) == r.mem_data >> 8 * first);
      ++stores;
    }
  }
  CHECK(floats > 100);
  CHECK(stores > 30);
  size_t input = 0;
  for (const Records::Word& word : records.written) {
    while (records.on_input.at(input).cycle < word.cycle) ++input;
    INFO("word received in cycle " << word.cycle);
    REQUIRE(dump.number("chip0.tile1.exchange.receiving", word.cycle) == 1);
    REQUIRE(dump.number("chip0.tile1.exchange.received_word[31:0]", word.cycle) == word.data);
    REQUIRE(dump.number("chip0.tile1.exchange.receive_address[31:0]", word.cycle) == word.address);
    REQUIRE(dump.number("chip0.tile1.exchange.received_from[10:0]", word.cycle) == records.on_input[input].source);
    const std::string& tensor = dump.at("chip0.tile1.exchange.tensor", word.cycle);
    // One of those that share the memory.
    const names::ProgramInfo& info = digits().executable.chip().info;
    std::vector<std::string> there;
    for (const names::Variable* variable : info.variables_at(1, word.address))
      there.push_back(names::element_name(info, *variable, word.address));
    INFO(tensor);
    REQUIRE(tensor.find(" or ") == std::string::npos);
    // Gathered for its vertices.
    const bool buffer = tensor.find(" of Update.") != std::string::npos;
    REQUIRE((buffer || std::count(there.begin(), there.end(), tensor) == 1));
  }
}

TEST_CASE("states, steps, vertices and packets have names") {
  const Folder folder;
  leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=1");
  const FstDump dump(folder.file("out.fst"));
  std::set<std::string> states, steps, vertices, in, out;
  for (uint64_t cycle = dump.first(); cycle < dump.last(); ++cycle) {
    states.insert(dump.at("chip0.tile1.state[3:0]", cycle));
    steps.insert(dump.at("chip0.tile1.step", cycle));
    vertices.insert(dump.at("chip0.tile1.worker2.vertex", cycle));
    in.insert(dump.at("chip0.tile1.host.packet_in", cycle));
    out.insert(dump.at("chip0.tile1.host.packet_out", cycle));
  }
  CHECK(states.size() >= 7);
  CHECK(steps.count("Execute(errors)") == 1);
  CHECK(std::any_of(vertices.begin(), vertices.end(), [](const auto& v) { return v.starts_with("Errors #"); }));
  const auto mentions = [](const std::set<std::string>& texts, const char* begin, const char* part) {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& text) {
      return text.starts_with(begin) && text.find(part) != std::string::npos;
    });
  };
  CHECK(mentions(out, "read ", "of host 0x"));
  CHECK(mentions(in, "", " read to 0x"));
  CHECK(mentions(in, "", "(images["));
}

TEST_CASE("a window begins and ends where it was asked for") {
  const Folder folder;
  const auto& boundaries = watched().boundaries;
  REQUIRE(boundaries.size() == 4);
  const auto window = [&](const std::string& options) {
    leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=1;" + options);
    const FstDump dump(folder.file("out.fst"));
    return std::pair(dump.first(), dump.last());
  };
  const std::pair second(boundaries[1], boundaries[2]), first(boundaries[0], boundaries[1]);
  CHECK(window("wave-from=2;wave-for=1") == second);
  CHECK(window("wave-from=superstep:1;wave-for=2") == std::pair(boundaries[0], boundaries[2]));
  CHECK(window("wave-from=cycle:30000;wave-for=1000c") == std::pair<uint64_t, uint64_t>(30000, 31000));
  CHECK(window("wave-from=cycle:30000;wave-for=1") == std::pair<uint64_t, uint64_t>(30000, boundaries[1]));
  // By events: Update runs in superstep 2 first, and superstep 1 is what writes its partial sums.
  CHECK(window("wave-from=vertex:Update;wave-for=1") == second);
  CHECK(window("wave-from=pc:__vertex_Update;wave-for=1") == second);
  CHECK(window("wave-from=vertex:Errors;wave-for=1") == first);
  CHECK(window("wave-from=sync:3;wave-for=1").first < boundaries[0]);
  const chip::Retire* store = nullptr;
  for (const chip::Retire& r : watched().retired)
    if (!store && r.cycle > boundaries[1] && r.mem_write) {
      bool fresh = true;
      for (const chip::Retire& before : watched().retired)
        if (before.cycle < boundaries[1] && before.mem_write && before.mem_address == r.mem_address) fresh = false;
      if (fresh) store = &r;
    }
  REQUIRE(store);
  const unsigned lane = unsigned(std::countr_zero(unsigned(store->mem_strobe)));
  CHECK(window("wave-from=address:" + std::to_string(store->mem_address + lane) + ";wave-for=1") == second);
}

TEST_CASE("a window that never comes leaves no file, and says so at the end of the run") {
  const Folder folder;
  const std::string waves = "waves=" + folder.file("out.fst") + ";wave-tiles=1;wave-from=";
  const auto says = [&](const std::string& from) {
    return Catch::Matchers::StartsWith("waves: " + folder.file("out.fst") + " is not written: the window wave-from=" +
                                       from + " never came; the run ended in cycle ");
  };
  CHECK_THROWS_WITH(leave_waves(waves + "exception"), says("exception"));
  CHECK_THROWS_WITH(leave_waves(waves + "99"), says("superstep:99") && Catch::Matchers::EndsWith(", superstep 4"));
  CHECK_FALSE(fs::exists(folder.file("out.fst")));
  CHECK_FALSE(fs::exists(folder.file("out.gtkw")));
}

TEST_CASE("a save file of waves with an exception opens at it: marker, tile and context") {
  const Folder folder;
  inspect::waves::FstWriter fst(folder.file("out.fst"));
  fst.open_scope("chip0");
  std::vector<inspect::waves::FstWriter::Handle> causes, contexts;
  for (const char* tile : {"tile0", "tile3"}) {
    fst.open_scope(tile);
    fst.open_scope("supervisor");
    fst.text("vertex");
    fst.close_scope();
    fst.open_scope("exception");
    causes.push_back(fst.bits("cause [3:0]", 4));
    contexts.push_back(fst.bits("context [2:0]", 3));
    fst.close_scope();
    fst.close_scope();
  }
  fst.close_scope();
  for (uint64_t cycle = 100; cycle <= 2000; cycle += 100) {
    fst.time(cycle);
    for (size_t i = 0; i < 2; ++i) {
      const bool failed = i == 1 && cycle >= 1500;
      fst.set(causes[i], failed ? 5 : 0);
      fst.set(contexts[i], failed ? 4 : 0);
    }
  }
  fst.close();
  inspect::waves::write_save_file(folder.file("out.fst"));
  const std::string save = contents(folder.file("out.gtkw"));
  CHECK(save.find("[timestart] 1430\n") != std::string::npos);
  CHECK(std::regex_search(save, std::regex("\n\\*-[0-9.]+ 1500 1500 -1 ")));
  CHECK(save.find("[markername] Aexception: tile 3 worker 3\n") != std::string::npos);
  // Groups: c00200 is a closed one, 800200 an open one.
  CHECK(save.find("@c00200\n-tile 0\n") != std::string::npos);
  const std::string of_tile = save.substr(save.find("@800200\n-tile 3\n"));
  CHECK(of_tile.find("@800200\n-worker 3\n") != std::string::npos);
  for (const char* closed : {"worker 0", "worker 2", "worker 5"})
    CHECK(of_tile.find("@c00200\n-" + std::string(closed) + "\n") != std::string::npos);
  CHECK(of_tile.find("@800200\n-exception\n") != std::string::npos);
  // Of a loop without an end the waves do not say what failed: their end is shown, of the tile that is given.
  inspect::waves::write_save_file(folder.file("out.fst"), folder.file("end.gtkw"), spec::TileId{0, 0});
  CHECK(contents(folder.file("end.gtkw")).find(" 1500 1500 ") != std::string::npos);
}

TEST_CASE("a full disk is one error with the name of the waves, and no file stays") {
  const Folder folder;
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=1");
  const uint64_t bytes = fs::file_size(folder.file("out.fst"));
  fs::remove_all(folder.path);
  fs::create_directories(folder.path);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  for (const uint64_t place : {uint64_t{10}, bytes / 2, bytes - 5}) {
    const rlimit full{place, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
    std::string said;
    try {
      leave_waves("waves=" + folder.file("out.fst") + ";wave-tiles=1");
    } catch (const std::exception& error) {
      said = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(said == "waves: " + folder.file("out.fst") + " cannot be written: File too large");
    CHECK(fs::is_empty(folder.path));
  }
}

TEST_CASE("what cannot be done is one clear line") {
  const auto fails = [](const std::string& options) {
    try {
      leave_waves(options, false, 0);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(fails("waves=/no/such/folder/out.fst") ==
        "waves: /no/such/folder/out.fst cannot be written: No such file or directory");
  CHECK(fails("waves=/dev/null") == "waves: /dev/null is no regular file");
  const Folder folder;
  const std::string out = "waves=" + folder.file("out.fst") + ";";
  CHECK(fails(out + "wave-tiles=4").find("4") != std::string::npos);
  CHECK(fails(out + "wave-from=sync:9").find("sync:9") != std::string::npos);
  CHECK(fails(out + "wave-from=vertex:Nonsense") == "vertex:Nonsense: digits has no such codelet");
  CHECK(fails(out + "wave-from=pc:nonsense") == "pc:nonsense: digits has no such symbol");
  std::ofstream(folder.file("text.fst")) << "no waves";
  CHECK_THROWS_WITH(inspect::waves::write_save_file(folder.file("text.fst")),
                    "waves: " + folder.file("text.fst") + " is no whole FST file of Tessera");
}
