// tessera trace and tessera diff, as users call them, on traces of a program and of changed ones.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "inspect/trace/difference.h"
#include "inspect/trace/tables.h"
#include "perfetto_check.h"
#include "traced_files.h"

namespace tessera::inspect::trace {
namespace {

using Catch::Matchers::ContainsText;
using Catch::Matchers::StartsWith;
using trace_test::kElements, trace_test::kTiles, trace_test::kTurns;

size_t lines_of(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

TEST_CASE("the tool compares: 0 equal, 1 different, 2 not comparable") {
  const std::string model = on("model").file.path;
  const auto [equal, said] = tool("diff " + model + " " + on(backends().back()).file.path);
  CHECK(equal == 0);
  CHECK_THAT(said, ContainsText("equal: "));
  const TracedProgram other("model", 3.0f);
  const auto [different, why] = tool("diff " + model + " " + other.file.path);
  CHECK(different == 4);
  CHECK_THAT(why, ContainsText("first value that differs: ") && ContainsText("written by") &&
                      ContainsText("Scale of scale, vertex "));
  const auto [cannot, error] = tool("diff " + model + " " + std::string(TRACE_CODELETS));
  CHECK(cannot == 1);
  CHECK_THAT(error, ContainsText("codelets.cpp is a text, not a trace"));
}

TEST_CASE("the tool shows text with source lines, tables and what is asked of it") {
  const std::string file = on("model").file.path;
  const auto [status, text] = tool("trace " + file + " --tiles 1 --kind stores,vertices --from superstep:1");
  CHECK(status == 0);
  CHECK_THAT(text, ContainsText("codelets.cpp:12") && ContainsText("enters Scale of scale, vertex ") &&
                       ContainsText("fsw ") && ContainsText("totals[1]] = ") &&
                       ContainsText("scaled[12] of Scale.out[0] #") && ContainsText("= 40400000 (3)"));
  CHECK(text.find(" lw ") == std::string::npos);
  const auto [ok, table] = tool("trace " + file + " supersteps");
  CHECK(ok == 0);
  CHECK_THAT(table, ContainsText("Execute(scale)") && ContainsText(std::to_string(on("model").counters.cycles)));
  CHECK_THAT(tool("trace " + file + " vertices").second, ContainsText("Sum of sum, vertex "));
  CHECK_THAT(tool("trace " + file + " summary").second, ContainsText("machine mk2-4, 4 of 4 tiles"));
  CHECK(tool("trace " + file + " --tiles 9").first != 0);
  CHECK(tool("trace " + file + " --kind nothing").first == 2);
  CHECK(tool("trace " + file + " perfetto").first == 2);
}

TEST_CASE("the tool filters by tensor, address, vertex and register, and says what is wrong with a wish") {
  const std::string trace = "trace " + on("model").file.path + " ";
  const std::string element = tool(trace + "--tensor 'totals[1]'").second;
  CHECK_THAT(element, ContainsText("fsw ") && ContainsText("flw ") && ContainsText("from [") &&
                          ContainsText(" totals[1]] = 42900000 (72)") && !ContainsText("totals[2]"));
  const size_t begin = element.find('['), space = element.find(' ', begin);
  const std::string address = element.substr(begin + 1, space - begin - 1);
  CHECK(tool(trace + "--tiles 1 --address " + address).second == element);
  CHECK(tool(trace + "--tiles 1 --address 0x" + address + "-" + address).second == element);
  CHECK(lines_of(tool(trace + "--tensor 'totals[1]' --kind loads").second) == 1 + kTurns);
  CHECK(lines_of(tool(trace + "--tensor 'totals[0..3]' --kind loads").second) == 1 + 4 * kTurns);
  CHECK(tool(trace + "--tensor totals --kind loads").second ==
        tool(trace + "--tensor 'totals[0..3]' --kind loads").second);
  // Elements that come from other tiles, in the buffers of the vertices that read them.
  const std::string inputs = tool(trace + "--tensor scaled --kind loads --vertex Sum").second;
  CHECK(lines_of(inputs) == 1 + kElements * kTurns);
  CHECK_THAT(inputs, ContainsText("scaled[47] of Sum.in[11] #"));
  CHECK(lines_of(tool(trace + "--tensor 'scaled[3]' --kind loads --vertex Sum").second) == 1 + kTurns);

  const std::string vertex = tool(trace + "--vertex 3").second;
  CHECK_THAT(vertex, ContainsText("enters Scale of scale, vertex 3") &&
                         ContainsText("leaves Scale of scale, vertex 3") && !ContainsText("Sum.") &&
                         !ContainsText("sum, vertex"));
  // The same vertex, seen from within.
  const std::string inside = tool(trace + "--vertex 3 --kind stores").second;
  CHECK(lines_of(inside) == 1 + kTurns * kElements / kTiles / 2);
  const size_t second = inside.find('\n', inside.find('\n') + 1) + 1;
  const std::string from = std::to_string(std::stoul(inside.substr(second, 10)));
  CHECK(lines_of(tool(trace + "--vertex 3 --kind stores --from " + from).second) == lines_of(inside) - 1);
  CHECK(lines_of(tool(trace + "--vertex Sum --kind vertices").second) == 1 + 2 * kTiles * kTurns);

  const std::string stack = tool(trace + "--register sp --kind instructions").second;
  CHECK_THAT(stack, ContainsText("sp, ") && !ContainsText(" nop"));
  CHECK(stack == tool(trace + "--register x2 --kind instructions").second);

  const auto refused = [&](const std::string& wish, const std::string& why) {
    const auto [status, said] = tool(trace + wish);
    CHECK(status == 2);
    CHECK_THAT(said, ContainsText(why));
    CHECK(lines_of(said) <= 2);
  };
  refused("--tensor weights", "the program has no tensor 'weights'");
  refused("--tensor 'totals[4]'", "the program has no totals[4]");
  refused("--vertex Sun", "the program has no vertex of a codelet 'Sun'");
  refused("--vertex 99", "the program has no vertex 99");
  refused("--address 5g", "'5g' is no address");
  refused("--register b3", "there is no register 'b3'");
  refused("supersteps --tensor in", "--tensor is not for the view supersteps");
  refused("sums", "there is no view 'sums': text, supersteps, vertices, summary, perfetto");
}

TEST_CASE("the tool writes comma-separated values") {
  const std::string trace = "trace " + on("model").file.path + " ";
  const std::string all = tool(trace + "--tensor 'totals[1]' --format csv").second;
  CHECK_THAT(all, StartsWith("cycle,tile,context,event,pc,instruction,registers,read,read_names,written,written_name,"
                             "value,where,text\n") &&
                      ContainsText(",instruction,") && ContainsText(",totals[1],42900000,"));
  TraceReader reader = reread(on("model"));
  uint64_t events = 0;
  reader.read(0, {}, [&](const Event&) { ++events; });
  const std::string whole = tool(trace + "--format csv").second;
  CHECK(lines_of(whole) == 1 + events);
  // Every line has as many columns as the first.
  for (size_t begin = 0; begin < whole.size();) {
    const size_t end = whole.find('\n', begin);
    size_t commas = 0;
    bool quoted = false;
    for (size_t i = begin; i < end; ++i) {
      quoted ^= whole[i] == '"';
      commas += whole[i] == ',' && !quoted;
    }
    REQUIRE(commas == 13);
    begin = end + 1;
  }
  CHECK(lines_of(tool(trace + "supersteps --format csv").second) == 1 + superstep_table(reader, 0).rows.size());
  CHECK(lines_of(tool(trace + "vertices --format csv").second) == 1 + 3 * kTiles);
}

TEST_CASE("a trace is named before its view or behind it") {
  const std::string file = on("model").file.path;
  CHECK(tool("trace supersteps " + file) == tool("trace " + file + " supersteps"));
  TemporaryFile out(".json");
  CHECK(tool("trace perfetto " + file + " -o " + out.path).first == 0);
  CHECK(check_perfetto(out.path).wrong == "");
  const auto [status, said] = tool("trace supersteps");
  CHECK(status == 2);
  CHECK_THAT(said, ContainsText("trace supersteps needs the trace: tessera trace FILE supersteps"));
}

TEST_CASE("a changed codelet is compared vertex by vertex") {
  const std::string model = "model";
  const TracedProgram& before = on(model);
  const TracedProgram slower("model", 2.0f, "", "-DSUM_SLOWLY");
  const auto [status, said] = tool("diff " + before.file.path + " " + slower.file.path);
  CHECK(status == 4);
  CHECK_THAT(said, ContainsText("of two programs") && ContainsText("are the same\n") && ContainsText("codelet Sum") &&
                       ContainsText("tile 3, Sum of sum, vertex ") && !ContainsText("first value that differs") &&
                       !ContainsText(", Scale of scale"));
  TraceReader a = reread(before), b = reread(slower);
  const uint64_t ours = vertex_table(a, 0, {}).codelets.at("Sum").cycles,
                 theirs = vertex_table(b, 0, {}).codelets.at("Sum").cycles;
  CHECK(theirs >= ours + 6 * kElements * kTurns);  // an instruction more for each element
  CHECK_THAT(said, ContainsText(fmt::format("{:>12} {:>12} {:>12}", ours, theirs, fmt::format("+{}", theirs - ours))));

  const TracedProgram wrong("model", 2.0f, "", "-DSUM_ONE_LESS");
  const auto [differs, told] = tool("diff " + before.file.path + " " + wrong.file.path);
  CHECK(differs == 4);
  CHECK_THAT(told, ContainsText("first value that differs: totals[") && ContainsText("Sum of sum, vertex ") &&
                       ContainsText("= 42100000 (36)") && ContainsText("= 42040000 (33)") &&
                       ContainsText("codelets.cpp:") && !ContainsText("scaled[0]"));
}

TEST_CASE("an image whose addresses moved is the same program") {
  const TracedProgram moved("model", 2.0f, "", "-DSCALE_LARGER");
  TraceReader a = reread(on("model")), b = reread(moved);
  const auto address = [](TraceReader& reader) {
    const names::ProgramInfo& p = reader.runs().at(0).program;
    for (const names::Variable& v : p.variables)
      if (p.name(v.name) == "totals") return v.address;
    return 0u;
  };
  REQUIRE(address(a) != address(b));
  const std::string said = tool("diff " + on("model").file.path + " " + moved.file.path).second;
  // The larger image takes longer to load, nothing else.
  CHECK_THAT(said, ContainsText("of two programs") && ContainsText("values: all ") &&
                       !ContainsText("vertices whose cycles differ"));
}

TEST_CASE("a codelet that does the same with other instructions is equal") {
  const TracedProgram other("model", 2.0f, "", "-DSUM_OTHERWISE");
  TraceReader a = reread(on("model")), b = reread(other);
  REQUIRE(compare(a, b).difference);
  const auto [status, said] = tool("diff " + on("model").file.path + " " + other.file.path);
  CHECK_THAT(said, ContainsText("values: all ") && ContainsText("equal in the program's terms"));
  CHECK(status == 0);
}

// Commands of the pages, as they stand there.
std::vector<std::string> commands_of(const std::filesystem::path& page) {
  std::ifstream in(page);
  std::stringstream text;
  text << in.rdbuf();
  const std::string whole = text.str();
  const std::regex command("(?:^|\n|`| )tessera ((?:trace|diff) [^`\n]+)");
  std::vector<std::string> found;
  for (std::sregex_iterator at(whole.begin(), whole.end(), command), end; at != end; ++at) {
    std::string line = (*at)[1];
    line = line.substr(0, line.find("  "));  // a comment behind it
    // Words of prose, as in "`tessera trace` and `tessera diff` read it", are no command.
    if (line.find(".trace") != std::string::npos) found.push_back(line);
  }
  return found;
}

TEST_CASE("every command of the pages that reads traces works as it is written") {
  const std::filesystem::path root = TRACE_ROOT;
  const TemporaryFile place("");
  const std::filesystem::path folder = place.path;
  std::filesystem::create_directories(folder / "what-happened");
  const TracedProgram bad("model", 2.0f, "", "-DSUM_ONE_LESS");
  const auto give = [&](const TracedProgram& from, const char* name) {
    std::filesystem::copy_file(from.file.path, folder / name);
  };
  give(on("model"), "out.trace");
  give(on("model"), "good.trace");
  give(bad, "bad.trace");
  give(bad, "what-happened/failure.trace");
  size_t commands = 0;
  std::vector<std::filesystem::path> pages = {root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs/user"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  for (const auto& page : pages)
    for (const std::string& command : commands_of(page)) {
      ++commands;
      INFO(page.filename().string() << ": tessera " << command);
      const auto [status, said] = tool(command, folder.string());
      INFO(said);
      // Another program than the page's: only its names may lack.
      const bool of_page = said.find("the program has no ") != std::string::npos;
      CHECK((of_page || status == (command.starts_with("diff") ? 4 : 0)));
    }
  CHECK(commands >= 14);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tessera::inspect::trace
