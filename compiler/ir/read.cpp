#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/ir/text.h"
#include "compiler/ir/words.h"

namespace tessera::ir {
namespace {

// One line, read word by word.
class Line {
 public:
  Line(std::size_t number, std::string_view text) : number_(number), rest_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw BadText(fmt::format("line {} of the program's text: {}", number_, what));
  }

  std::string_view peek() {
    skip();
    return rest_.substr(0, rest_.find_first_of(" \t"));
  }
  std::string_view word() {
    const std::string_view word = peek();
    if (word.empty()) fail("it ends too early");
    rest_.remove_prefix(word.size());
    return word;
  }
  bool at_end() { return peek().empty(); }
  // Whether the next word is this one, which then is taken.
  bool take(std::string_view wanted) {
    if (peek() != wanted) return false;
    word();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' is missing before '{}'", wanted, peek()));
  }

  template <class Number = std::uint32_t>
  Number number() {
    return number_of<Number>(word());
  }
  template <class Number = std::uint32_t>
  Number number_after(std::string_view wanted) {
    expect(wanted);
    return number<Number>();
  }
  // Numbers up to a word that is none.
  template <class Number = std::uint32_t>
  std::vector<Number> numbers() {
    std::vector<Number> all;
    while (!at_end() && (peek()[0] == '-' || (peek()[0] >= '0' && peek()[0] <= '9'))) all.push_back(number<Number>());
    return all;
  }
  template <class Enumerator, class Words>
  Enumerator one_of(const Words& words) {
    const std::string_view given = word();
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == given) return static_cast<Enumerator>(i);
    fail(fmt::format("'{}' is none of: {}", given, fmt::join(words, " ")));
  }
  graph::ElementType type() {
    const std::string given = quoted();
    const auto type = graph::element_type_named(given);
    if (!type) fail(fmt::format("'{}' is no type of elements", given));
    return *type;
  }

  // tile:block+offset
  Place place(const Blocks& blocks) {
    const std::string_view given = word();
    const std::size_t colon = given.find(':'), plus = given.find('+');
    if (colon == std::string_view::npos || plus == std::string_view::npos || plus < colon)
      fail(fmt::format("'{}' is no place, which is tile:block+offset", given));
    const auto tile = number_of<std::uint32_t>(given.substr(0, colon));
    const auto block = number_of<BlockId>(given.substr(colon + 1, plus - colon - 1));
    const auto offset = static_cast<std::uint32_t>(number_of<std::int32_t>(given.substr(plus + 1)));
    if (block >= blocks.size()) fail(fmt::format("'{}': there is no block {}", given, block));
    if (blocks[block].tile != tile) fail(fmt::format("'{}': block {} is on tile {}", given, block, blocks[block].tile));
    return {block, offset};
  }
  Move move(const Blocks& blocks) {
    Move move;
    move.source = place(blocks);
    expect("->");
    move.target = place(blocks);
    move.bytes = number_after("x");
    if (take("lane")) move.lane = number();
    return move;
  }

  std::vector<std::uint8_t> bytes() {
    const std::string_view given = word();
    if (given.size() % 2 != 0) fail("an odd number of digits");
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < given.size(); i += 2) bytes.push_back(number_of<std::uint8_t>(given.substr(i, 2), 16));
    return bytes;
  }

  std::string quoted() {
    skip();
    if (rest_.empty() || rest_[0] != '"') fail("a name in quotes is missing");
    std::string text;
    std::size_t i = 1;
    for (; i < rest_.size() && rest_[i] != '"'; ++i) {
      if (rest_[i] != '\\') {
        text += rest_[i];
      } else if (rest_.substr(i + 1, 1) == "x" && i + 3 < rest_.size()) {
        text += static_cast<char>(number_of<std::uint8_t>(rest_.substr(i + 2, 2), 16));
        i += 3;
      } else if (++i < rest_.size()) {
        text += rest_[i];
      }
    }
    if (i >= rest_.size()) fail("a name has no end");
    rest_.remove_prefix(i + 1);
    return text;
  }

  void end() {
    if (!at_end() && peek()[0] != '#') fail(fmt::format("'{}' is too much", peek()));
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  template <class Number>
  Number number_of(std::string_view given, int base = 10) const {
    Number value{};
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value, base);
    if (error != std::errc() || end != given.data() + given.size()) fail(fmt::format("'{}' is no number here", given));
    return value;
  }

  std::size_t number_;
  std::string_view rest_;
};

class Reader {
 public:
  Program run(const std::string& text) {
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      Line line(++number, std::string_view(text).substr(at, end - at));
      if (!line.at_end() && line.peek()[0] != '#') {
        read(line);
        line.end();
      }
      at = end + 1;
    }
    for (HostTransfer& transfer : program_.host_transfers)
      transfer.of_tile = TileIndex::of(transfer.runs.size(),
                                       [&](std::size_t i) { return program_.blocks[transfer.runs[i].at.block].tile; });
    check();
    for (Compute& compute : program_.computes)
      compute.of_tile = TileIndex::of(compute.vertices.size(), [&](std::size_t i) { return compute.vertices[i].tile; });
    return std::move(program_);
  }

 private:
  // What the lines that follow belong to.
  enum class Of { kNothing, kExchange, kCompute, kStream, kBody };

  void read(Line& line) {
    if (of_ == Of::kBody && step(line)) return;
    if (of_ == Of::kExchange && line.take("lane")) return lane(line);
    if (of_ == Of::kExchange && line.peek().find(':') != std::string_view::npos) {
      Exchange& exchange = program_.exchanges.back();
      exchange.moves.push_back(line.move(program_.blocks));
      const std::uint32_t lane = exchange.moves.back().lane;
      if (lane != kNone && lane >= exchange.lanes.size()) line.fail(fmt::format("there is no lane {}", lane));
      return;
    }
    if (of_ == Of::kCompute && line.take("vertex")) return vertex(line);
    if (of_ == Of::kStream && part_of_stream(line)) return;
    of_ = Of::kNothing;
    head(line);
  }

  void head(Line& line) {
    if (line.take("tiles")) {
      program_.tiles = line.number();
      if (line.take("chips")) program_.chips = line.number();
      if (line.take("replicas")) program_.replicas = line.number();
      program_.replica_syncs = line.take("syncs");
      program_.replica_hosts = line.take("hosts");
      if (program_.chips == 0 || program_.tiles % program_.chips != 0)
        line.fail(fmt::format("{} tiles are not those of {} equal chips", program_.tiles, program_.chips));
      if (program_.replicas == 0) line.fail("there is no replica");
    } else if (line.take("host")) {
      program_.host.event_offset = line.number_after("event");
      program_.host.bytes = line.number_after("bytes");
    } else if (line.take("block")) {
      block(line);
    } else if (line.take("content")) {
      const Place at = line.place(program_.blocks);
      program_.contents.push_back({at, line.bytes()});
    } else if (line.take("differs")) {
      ReplicaContent& content = program_.replica_contents.emplace_back();
      content.at = line.place(program_.blocks);
      while (!line.at_end()) content.bytes.push_back(line.bytes());
      if (content.bytes.size() != program_.replicas)
        line.fail(fmt::format("contents for {} replicas instead of {}", content.bytes.size(), program_.replicas));
    } else if (line.take("exchange")) {
      exchange(line);
    } else if (line.take("compute")) {
      compute(line);
    } else if (line.take("region")) {
      region(line);
    } else if (line.take("remote")) {
      remote(line);
    } else if (line.take("stream")) {
      stream(line);
    } else if (line.take("body")) {
      next(line, program_.bodies, "body");
      of_ = Of::kBody;
    } else if (line.take("function")) {
      std::uint32_t& body = next(line, program_.functions, "function");
      body = line.take("unused") ? kNone : line.number_after("body");
    } else if (line.take("entry")) {
      Entry& entry = program_.entries.emplace_back();
      entry.internal = line.take("internal");
      entry.body = line.number_after("body");
      entry.name = line.quoted();
    } else {
      line.fail(fmt::format("'{}' begins nothing", line.peek()));
    }
  }

  // The next of `things`, whose number the line says.
  template <class Thing>
  Thing& next(Line& line, std::vector<Thing>& things, const char* what) {
    if (line.number() != things.size()) line.fail(fmt::format("the next {} has number {}", what, things.size()));
    return things.emplace_back();
  }

  void block(Line& line) {
    Block& b = next(line, program_.blocks, "block");
    b.tile = line.number_after("tile");
    b.use = line.one_of<BlockUse>(kUseWords);
    b.bytes = line.number();
    b.align = line.number_after("align");
    b.interleaved = line.take("interleaved");
    b.copied = line.take("copied");
    if (line.take("variable")) b.variable = line.number();
    if (b.tile >= program_.tiles) line.fail(fmt::format("there is no tile {}", b.tile));
  }

  void exchange(Line& line) {
    Exchange& e = next(line, program_.exchanges, "exchange");
    if (line.take("parts")) e.parts = line.number();
    e.name = line.quoted();
    of_ = Of::kExchange;
  }

  void lane(Line& line) {
    Lane& lane = program_.exchanges.back().lanes.emplace_back();
    line.expect("to");
    lane.to = by_replica(line);
    if (line.take("source")) lane.source_shift = by_replica(line);
    if (line.take("target")) lane.target_shift = by_replica(line);
    std::vector<bool> gets(program_.replicas);
    for (std::uint32_t sender = 0; sender < program_.replicas; ++sender) {
      const std::uint32_t to = lane.to[sender];
      if (to >= program_.replicas) line.fail(fmt::format("there is no replica {}", to));
      if (to == sender) continue;
      if (gets[to]) line.fail(fmt::format("two send to replica {}", to));
      gets[to] = true;
    }
    for (const auto* shifts : {&lane.source_shift, &lane.target_shift})
      for (const std::uint32_t shift : *shifts)
        if (shift % 4 != 0) line.fail(fmt::format("{} bytes are not whole words", shift));
  }
  std::vector<std::uint32_t> by_replica(Line& line) {
    std::vector<std::uint32_t> numbers = line.numbers();
    if (numbers.size() != program_.replicas)
      line.fail(fmt::format("{} numbers for {} replicas", numbers.size(), program_.replicas));
    return numbers;
  }

  void compute(Line& line) {
    Compute& c = next(line, program_.computes, "compute");
    c.id = line.number_after("set");
    c.name = line.quoted();
    of_ = Of::kCompute;
  }

  void vertex(Line& line) {
    std::vector<Vertex>& vertices = program_.computes.back().vertices;
    const std::uint32_t before = vertices.empty() ? 0 : vertices.back().tile;
    Vertex& v = vertices.emplace_back();
    v.id = line.number();
    v.tile = line.number_after("tile");
    v.codelet = line.number_after("codelet");
    v.kind = line.one_of<graph::CodeletKind>(kKindWords);
    line.expect("state");
    v.state = line.place(program_.blocks);
    v.cost = line.number_after("cost");
    v.first_region = line.number_after("regions");
    v.regions = line.number();
    if (line.take("on")) v.worker = line.number();
    if (v.tile < before) line.fail("vertices stand in the order of tiles");
  }

  void region(Line& line) {
    Region& r = next(line, program_.regions, "region");
    r.field = line.number_after("field");
    r.index = line.number_after("entry");
    r.access = line.one_of<graph::FieldKind>(kAccessWords);
    r.at = line.place(program_.blocks);
    r.elements = line.number_after("x");
    r.element_bytes = line.number_after("of");
    r.given = line.take("given");
    if (line.take("variable")) r.variable = line.number();
    if (line.take("element")) r.first_element = line.number<std::uint64_t>();
  }

  void remote(Line& line) {
    RemoteBuffer& b = next(line, program_.remote_buffers, "remote");
    b.row_bytes = line.number_after<std::uint64_t>("row");
    b.rows = line.number_after<std::uint64_t>("rows");
    b.stride = line.number_after<std::uint64_t>("stride");
    line.expect("base");
    b.base = line.numbers<std::uint64_t>();
    if (b.base.size() != program_.replicas)
      line.fail(fmt::format("a base for {} replicas instead of {}", b.base.size(), program_.replicas));
    b.handle = line.quoted();
  }

  void stream(Line& line) {
    Stream& s = next(line, program_.host.streams, "stream");
    program_.host_transfers.emplace_back();
    s.use = line.one_of<StreamUse>(kStreamWords);
    s.type = line.type();
    s.elements = line.number_after<std::uint64_t>("elements");
    s.bytes = line.number_after<std::uint64_t>("bytes");
    line.expect("shape");
    s.shape = line.numbers<std::uint64_t>();
    s.program = line.number_after("program");
    s.host_offset = line.number_after("host");
    s.host_bytes = line.number();
    s.handle = line.quoted();
    of_ = Of::kStream;
  }

  bool part_of_stream(Line& line) {
    Stream& s = program_.host.streams.back();
    HostTransfer& t = program_.host_transfers.back();
    if (line.take("format")) {
      s.print.summarise_threshold = line.number();
      s.print.edge_items = line.number();
      s.print.max_line_width = line.number();
      s.print.digits = line.number();
      s.print.floats = line.one_of<graph::PrintFormat::Float>(kFloatWords);
      for (char* c : {&s.print.separator, &s.print.open, &s.print.close}) *c = static_cast<char>(line.number<int>());
    } else if (line.take("piece")) {
      HostPiece& piece = s.pieces.emplace_back();
      piece.stream_offset = line.number<std::uint64_t>();
      piece.host_offset = line.number();
      piece.bytes = line.number();
    } else if (line.take("run")) {
      HostRun& run = t.runs.emplace_back();
      run.at = line.place(program_.blocks);
      run.host_offset = line.number();
      run.words = line.number();
      if (line.take("row")) run.row = line.number();
    } else if (line.take("rows")) {
      t.remote.buffer = line.number_after("of");
      t.remote.confirmed = line.take("confirmed");
    } else if (line.take("numbers")) {
      const Place at = line.place(program_.blocks);
      t.remote.numbers.push_back({at, line.number_after("x")});
    } else if (line.take("after")) {
      t.after.push_back(line.move(program_.blocks));
    } else {
      return false;
    }
    return true;
  }

  bool step(Line& line) {
    Step s;
    const std::string_view first = line.peek();
    const auto* const kind = std::find(kStepWords.begin(), kStepWords.end(), first);
    if (kind == kStepWords.end()) return false;
    s.kind = line.one_of<StepKind>(kStepWords);
    switch (s.kind) {
      case StepKind::kRepeat:
        s.count = line.number();
        break;
      case StepKind::kWhile:
        s.sense = line.take("true");
        if (!s.sense) line.expect("false");
        break;
      case StepKind::kIf:
        break;
      case StepKind::kHost:
      case StepKind::kRemote:
        s.transfers = line.numbers();
        if (s.transfers.empty()) line.fail("the number of a stream is missing");
        break;
      case StepKind::kUndef:
        while (line.peek().find(':') != std::string_view::npos && line.peek()[0] != '"') {
          const Place at = line.place(program_.blocks);
          s.undefined.push_back({at, line.number_after("x")});
        }
        break;
      default:
        s.index = line.number();
    }
    if (line.take("flag")) {
      s.has_flag = true;
      s.flag = line.place(program_.blocks);
      s.flag_type = line.type();
    }
    if (line.take("cases")) s.cases = line.numbers<std::int32_t>();
    if (line.take("selectors")) s.selectors = line.numbers();
    if (line.take("bodies")) s.bodies = line.numbers();
    s.name = line.quoted();
    program_.bodies.back().push_back(std::move(s));
    return true;
  }

  // What things name by number is there. It may stand behind what names it, so this comes last.
  void check() const {
    for (const Compute& c : program_.computes) {
      const std::string what = "compute '" + c.name + "'";
      for (const Vertex& v : c.vertices) {
        if (v.tile >= program_.tiles) throw BadText(fmt::format("{}: there is no tile {}", what, v.tile));
        if (v.regions != 0) require(std::uint64_t{v.first_region} + v.regions - 1, program_.regions, what, "region");
      }
    }
    for (const Body& body : program_.bodies)
      for (const Step& step : body) check(step);
    for (const std::uint32_t body : program_.functions)
      if (body != kNone) require(body, program_.bodies, "a function", "body");
    for (const Entry& entry : program_.entries)
      require(entry.body, program_.bodies, "entry '" + entry.name + "'", "body");
    std::vector<Visit> visits(program_.bodies.size(), Visit::kNone);
    for (std::uint32_t body = 0; body < program_.bodies.size(); ++body) check_depth(body, visits);
  }

  // No body comes to itself again.
  enum class Visit { kNone, kInside, kDone };
  void check_depth(std::uint32_t body, std::vector<Visit>& visits) const {
    if (visits[body] == Visit::kDone) return;
    visits[body] = Visit::kInside;
    for (const Step& step : program_.bodies[body]) {
      std::vector<std::uint32_t> entered = step.bodies;
      if (step.kind == StepKind::kCall) entered.push_back(program_.functions[step.index]);
      for (const std::uint32_t next : entered) {
        if (visits[next] == Visit::kInside) throw BadText(fmt::format("step '{}' comes to itself again", step.name));
        check_depth(next, visits);
      }
    }
    visits[body] = Visit::kDone;
  }

  void check(const Step& step) const {
    const std::string what = fmt::format("step '{}'", step.name);
    switch (step.kind) {
      case StepKind::kCompute:
        require(step.index, program_.computes, what, "compute");
        break;
      case StepKind::kCopy:
      case StepKind::kSwitch:
      case StepKind::kPackets:
        require(step.index, program_.exchanges, what, "exchange");
        break;
      case StepKind::kHost:
        for (const std::uint32_t transfer : step.transfers) require(transfer, program_.host.streams, what, "stream");
        break;
      case StepKind::kRemote:
        for (const std::uint32_t transfer : step.transfers) {
          require(transfer, program_.host.streams, what, "stream");
          const RemoteRows& rows = program_.host_transfers[transfer].remote;
          require(rows.buffer, program_.remote_buffers, what, "remote buffer");
          if (!rows.numbers.empty() && rows.numbers.size() != program_.host_transfers[transfer].of_tile.tiles().size())
            throw BadText(fmt::format("{}: not every tile has numbers of rows", what));
        }
        break;
      case StepKind::kCall:
        require(step.index, program_.functions, what, "function");
        if (program_.functions[step.index] == kNone)
          throw BadText(fmt::format("{} calls function {}, which is unused", what, step.index));
        break;
      default:
        break;
    }
    for (const BlockId block : step.selectors) require(block, program_.blocks, what, "block");
    for (const std::uint32_t body : step.bodies) require(body, program_.bodies, what, "body");
    const auto [bodies, selectors] = shape_of(step);
    if (step.bodies.size() != bodies || step.selectors.size() != selectors)
      throw BadText(fmt::format("{} has {} bodies and {} selectors instead of {} and {}", what, step.bodies.size(),
                                step.selectors.size(), bodies, selectors));
  }

  // Bodies and selectors that a step has.
  std::pair<std::size_t, std::size_t> shape_of(const Step& step) const {
    switch (step.kind) {
      case StepKind::kRepeat:
        return {1, 0};
      case StepKind::kWhile:
      case StepKind::kIf:
        return {2, 0};
      case StepKind::kSwitch:
        return {step.cases.size() + 1, program_.tiles};
      default:
        return {0, 0};
    }
  }

  template <class Thing>
  static void require(std::uint64_t index, const std::vector<Thing>& things, const std::string& who, const char* what) {
    if (index >= things.size()) throw BadText(fmt::format("{}: there is no {} {}", who, what, index));
  }

  Program program_;
  Of of_ = Of::kNothing;
};

}  // namespace

Program read(const std::string& text) { return Reader().run(text); }

}  // namespace tessera::ir
