// Executables on disk: what is written is read, what is damaged is refused with one line.
#include <catch2/catch.hpp>

#include "compiler/image/executable_file.h"
#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

image::Executable sample() {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{5, 1}, {7, 2}});
  b.initial(v, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  b.read_handle("v", v);
  graph::PrintFormat format;
  format.open = '<';
  return compiler::compile(b.graph, {program(graph::PrintTensor{"t", v, format}, "print it")},
                           spec::load_machine("mk2-4"));
}

std::string refusal(const std::vector<std::uint8_t>& bytes) {
  try {
    image::deserialize(bytes, "file.exe");
  } catch (const image::BadExecutable& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("an executable read back is the one written, and runs") {
  const image::Executable written = sample();
  const std::vector<std::uint8_t> bytes = image::serialize(written);
  const image::Executable read = image::deserialize(bytes, "memory");
  CHECK(image::serialize(read) == bytes);
  CHECK(image::dump(read) == image::dump(written));
  CHECK(read.host.streams[0].print.open == '<');
  CHECK(read.programs[0].name == "print it");
  ProgramRunner runner(read, spec::load_machine("mk2-4"));
  CHECK(runner.read<std::uint32_t>("v").at(11) == 12);
}

TEST_CASE("an executable for several chips comes back chip by chip") {
  image::Executable written = sample();
  written.chips.push_back(written.chip());
  written.chips[1].machine = "other";
  written.chips[1].tiles[3].entry = 0x1234;
  written.chips[1].info.steps.clear();
  const std::vector<std::uint8_t> bytes = image::serialize(written);
  const image::Executable read = image::deserialize(bytes, "memory");
  REQUIRE(read.chips.size() == 2);
  CHECK(image::serialize(read) == bytes);
  CHECK(read.chips[0].machine == "mk2-4");
  CHECK(read.chips[1].machine == "other");
  CHECK(read.chips[1].tiles[3].entry == 0x1234);
  CHECK(read.chips[0].tiles[3].entry != 0x1234);
  CHECK(read.chips[1].info.steps.empty());
  CHECK_FALSE(read.chips[0].info.steps.empty());
  CHECK_THAT(image::dump(read), Catch::Matchers::ContainsText("\nchip 1 tile 3: "));
  CHECK_THAT(image::dump(sample()), Catch::Matchers::ContainsText("\ntile 3: "));
}

TEST_CASE("what differs by replica comes back with the executable") {
  image::Executable written = sample();
  written.replicas = 2;
  written.replica_words = {{0, 1, 0x58000, {0, 1}}, {0, 3, 0x58004, {7, 9}}};
  written.host.bytes = 4097;
  const std::vector<std::uint8_t> bytes = image::serialize(written);
  const image::Executable read = image::deserialize(bytes, "memory");
  CHECK(image::serialize(read) == bytes);
  CHECK(read.replicas == 2);
  REQUIRE(read.replica_words.size() == 2);
  CHECK(read.replica_words[1].address == 0x58004);
  CHECK(read.replica_words[1].values == std::vector<std::uint32_t>{7, 9});
  CHECK(read.replica_stride() == 8192);
  CHECK_THAT(image::dump(read), Catch::Matchers::ContainsText("2 replicas: 2 words differ\n"));
  CHECK_THAT(image::dump(sample()), !Catch::Matchers::ContainsText("replicas"));

  const std::string damaged = "file.exe: the executable is damaged; compile it again";
  written.replica_words[0].chip = 1;
  CHECK(refusal(image::serialize(written)) == damaged);
  written.replica_words[0].chip = 0;
  written.replica_words[0].values.pop_back();
  CHECK(refusal(image::serialize(written)) == damaged);
  written.replicas = 0;
  CHECK(refusal(image::serialize(written)) == damaged);
}

TEST_CASE("a cut, changed, foreign or newer file is refused with one line that names it") {
  const std::vector<std::uint8_t> bytes = image::serialize(sample());
  const std::string damaged = "file.exe: the executable is damaged; compile it again";
  CHECK(refusal({}) == "file.exe: this is no Tessera executable");
  for (const std::size_t size : {std::size_t{7}, std::size_t{35}}) {
    CHECK(refusal({bytes.begin(), bytes.begin() + size}) == "file.exe: this is no Tessera executable");
  }
  CHECK(refusal({bytes.begin(), bytes.end() - 1}) == damaged);
  for (std::size_t at = 36; at < bytes.size(); at += 97) {
    std::vector<std::uint8_t> changed = bytes;
    changed[at] ^= 0x10;
    CHECK(refusal(changed) == damaged);
  }
  std::vector<std::uint8_t> other = bytes;
  const std::string written = std::to_string(bytes[8]);
  other[8] = 4;
  CHECK(refusal(other) == "file.exe: format version 4 instead of " + written + "; compile it again");
  other = bytes;
  other[12] ^= 1;
  CHECK(refusal(other) == "file.exe: made for another instruction table; compile it again");
}
