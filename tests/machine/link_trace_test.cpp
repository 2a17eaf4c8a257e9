// The file of what passes on links (docs/reference/trace.md, Links): every packet that was sent, with its cycles; what
// is sent again; the same bytes however the chips are run.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "inspect/waves/fst_file.h"
#include "tests/inspect/trace/perfetto_check.h"
#include "tests/machine/fault_list_file.h"
#include "tests/machine/left_link_trace.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::ContainsText;

TEST_CASE("the packets on links, with their cycles") {
  const Folder folder;
  std::mt19937 random(41);
  const Traffic traffic = random_traffic(spec::load_system("mk2-4x2"), 6, 40, random);
  const std::string file = folder.path + "/links.csv";
  const std::string text = left_by(traffic, file, "", {"--threads", "1"});
  CHECK(left_by(traffic, file, "", {"--threads", "3", "--quantum", "9", "--hold-up", "4"}) == text);
  CHECK(left_by(traffic, file, "", {}, "rtl") == text);
  uint64_t words = 0, before = 0;
  auto rows = rows_of(text);
  // Both chips meet twice.
  const auto syncs = std::erase_if(rows, [](const Row& row) { return row.at("event") == "group sync"; });
  CHECK(syncs == 4);
  CHECK(rows.size() == 6 * 8);
  for (const Row& row : rows) {
    CHECK(row.at("event") == "packet");
    CHECK(row.at("to") == row.at("chip"));
    CHECK(row.at("from") != row.at("to"));
    CHECK(number(row, "arrived") == number(row, "left") + 160);
    CHECK(number(row, "cycle") == number(row, "left_last") + 160);
    CHECK(number(row, "left_last") == number(row, "left") + number(row, "words") + 1);
    CHECK(number(row, "cycle") >= before);
    before = number(row, "cycle");
    words += number(row, "words");
  }
  CHECK(words == traffic.written.size());

  const FaultListFile list("link-random link=all seed=5 every=70\n");
  const std::string faulty = left_by(traffic, file, ";faults=" + list.path(), {});
  CHECK(left_by(traffic, file, ";faults=" + list.path(), {"--quantum", "1"}) == faulty);
  unsigned packets = 0, late = 0, again = 0;
  for (const Row& row : rows_of(faulty)) {
    packets += row.at("event") == "packet";
    late += row.at("event") == "packet" && number(row, "cycle") > number(row, "left_last") + 160;
    again += row.at("event") == "sent again";
  }
  CHECK(packets == rows.size());
  CHECK(late > 5);
  CHECK(again > 50);

  const std::string picture = folder.path + "/links.json";
  left_by(traffic, picture, ";faults=" + list.path(), {});
  const auto shown = inspect::trace::check_perfetto(picture);
  CHECK(shown.wrong.empty());
  size_t slices = 0;
  size_t waits = 0;
  for (const auto& [track, all] : shown.tracks) {
    if (track.starts_with("sync group ")) {
      waits += all.size();
      continue;
    }
    CHECK_THAT(track, ContainsText("link 0: chip 0 port 0, chip 1 port 0/chip "));
    slices += all.size();
  }
  CHECK(slices == rows.size());
  CHECK(waits == syncs);
}

TEST_CASE("the packets on links as waves, with what is sent again") {
  const Folder folder;
  std::mt19937 random(42);
  const Traffic traffic = random_traffic(spec::load_system("mk2-4x2"), 6, 40, random);
  const std::string file = folder.path + "/links.fst";
  const FaultListFile list("link-random link=0 seed=6 every=70\n");
  const std::string bytes = left_by(traffic, file, ";faults=" + list.path(), {"--quantum", "11"});
  CHECK(left_by(traffic, file, ";faults=" + list.path(), {}, "rtl") == bytes);
  inspect::waves::FstReader wave(file);
  size_t packets = 0, arrivals = 0, again = 0, waits = 0;
  std::map<uint32_t, std::string> names;
  std::vector<uint32_t> handles;
  for (const auto& signal : wave.signals()) {
    if (signal.scope.starts_with("sync_group") && signal.name == "chip1_waits") {
      names[signal.handle] = signal.name;
      handles.push_back(signal.handle);
    }
    if (signal.scope != "link0.chip0_to_chip1_channel0" && signal.scope != "link0.chip1_to_chip0_channel0") continue;
    names[signal.handle] = signal.name;
    handles.push_back(signal.handle);
  }
  CHECK(names.size() >= 17);
  wave.read(handles, [&](uint64_t, uint32_t handle, std::string_view value) {
    packets += names[handle] == "packet" && value.starts_with("chip ");
    arrivals += names[handle] == "arriving" && value.starts_with("chip ");
    again += names[handle] == "sent_again" && value == "1";
    waits += names[handle] == "chip1_waits" && value == "1";
  });
  CHECK(packets == 6 * 8);
  CHECK(arrivals == packets);
  CHECK(again > 5);
  CHECK(waits == 2);
}

TEST_CASE("a file of links is for systems that have some or a gateway, and one that can be written") {
  const auto refuses = [](const std::string& machine, const std::string& file, const std::string& why) {
    card::Process process(card::find_machine("model"), machine, "model", {"--inspect", "link-trace=" + file});
    CHECK_THROWS_WITH(card::Client(process.take_socket()), ContainsText(why));
  };
  refuses("mk2-4", "/tmp/never.csv",
          "inspection option 'link-trace' is for systems of several chips or with a gateway; mk2-4 has neither");
  refuses("mk2-4x2", "/nowhere/links.csv", "/nowhere/links.csv cannot be written");
}
