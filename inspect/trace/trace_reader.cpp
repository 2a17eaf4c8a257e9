#include "inspect/trace/trace_reader.h"

#include <algorithm>
#include <queue>

#include "rtl/spec/instructions.h"

namespace tessera::inspect::trace {
namespace {

size_t find_chip(const TraceFileReader& file, std::optional<uint32_t> chip) {
  if (!chip) return 0;
  const std::vector<ChipHeader>& chips = file.header().chips;
  for (size_t i = 0; i < chips.size(); ++i)
    if (chips[i].chip == *chip) return i;
  throw TraceError("trace " + file.path() + " does not hold chip " + std::to_string(*chip));
}

spec::Machine machine_of(const TraceFileReader& file, const ChipHeader& h) {
  spec::Machine machine;
  machine.name = h.machine;
  size_t known = 0;
  for (const auto& [name, value] : h.machine_lines) {
#define FIELD(f) \
  if (name == #f) machine.f = value, ++known;
    TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD
  }
  if (known != spec::machine_fields(machine).size() || machine.hash() != h.machine_hash)
    throw TraceError("trace " + file.path() + " is of a machine that this build does not know, '" + h.machine + "'");
  if (file.header().instruction_table_hash != spec::instruction_table_hash())
    throw TraceError("trace " + file.path() + " is of a build with another instruction table");
  return machine;
}

}  // namespace

// One lane of one tile in one block.
class LaneStream {
 public:
  virtual ~LaneStream() = default;
  virtual bool next() = 0;  // into `event`
  Event event;
  size_t number = 0;  // order among those of one lane
};

namespace {

class RetireStream : public LaneStream {
 public:
  RetireStream(RetireDecoder decoder, uint32_t tile, unsigned context) : decoder_(std::move(decoder)) {
    event.tile = tile;
    event.lane = static_cast<uint8_t>(context);
    event.context = static_cast<uint8_t>(context);
    event.kind = EventKind::kRetire;
  }
  bool next() override {
    if (!decoder_.next(event.retire, event.reads)) return false;
    event.cycle = event.retire.cycle;
    return true;
  }

 private:
  RetireDecoder decoder_;
};

class WordStream : public LaneStream {
 public:
  WordStream(const WordLane& words, uint32_t tile, Lane lane) : words_(words) {
    static constexpr EventKind kKinds[] = {EventKind::kSent,        EventKind::kReceived, EventKind::kExchangeWrite,
                                           EventKind::kPacketOut,   EventKind::kPacketIn, EventKind::kPacketWrite,
                                           EventKind::kDebugWritten};
    event.tile = tile;
    event.lane = lane;
    event.kind = kKinds[lane - kLaneSent];
  }
  bool next() override {
    if (run_ < words_.runs().size() && word_ == words_.runs()[run_].count) ++run_, word_ = 0;
    if (run_ == words_.runs().size()) return false;
    const WordRun& run = words_.runs()[run_];
    event.cycle = run.cycle + word_;
    event.value = words_.word(run, word_);
    event.address = static_cast<uint32_t>(run.place);
    switch (event.kind) {
      case EventKind::kExchangeWrite:
      case EventKind::kPacketWrite:
        event.address += 4 * word_;
        break;
      case EventKind::kPacketOut:
        event.flag = run.packet_ends && word_ + 1 == run.count;
        break;
      case EventKind::kPacketIn:
        event.flag = run.packet_begins && word_ == 0;
        break;
      case EventKind::kDebugWritten:
        event.context = static_cast<uint8_t>(run.place >> 32);
        event.space = static_cast<chip::DebugSpace>(run.place >> 40);
        event.address += (event.space == chip::DebugSpace::kMemory ? 4 : 1) * word_;
        break;
      default:
        break;
    }
    ++word_;
    return true;
  }

 private:
  const WordLane& words_;
  size_t run_ = 0;
  uint32_t word_ = 0;
};

class EventStream : public LaneStream {
 public:
  explicit EventStream(std::vector<Event> events) : events_(std::move(events)) {}
  bool next() override {
    if (at_ == events_.size()) return false;
    event = events_[at_++];
    return true;
  }

 private:
  std::vector<Event> events_;
  size_t at_ = 0;
};

}  // namespace

TraceReader::TraceReader(const std::string& path, std::optional<uint32_t> chip)
    : file_(path), chip_(find_chip(file_, chip)), machine_(machine_of(file_, this->chip())) {
  for (const IndexEntry& entry : file_.index()) {
    if (entry.info.chip != this->chip().chip) continue;
    if (entry.kind == RecordKind::kProgram) {
      runs_.push_back({file_.program(entry), {}});
    } else if (entry.kind == RecordKind::kBlock) {
      const bool anew = !runs_.empty() && !runs_.back().blocks.empty() &&
                        entry.info.first_cycle < runs_.back().blocks.back().info.end_cycle;
      if (runs_.empty())
        runs_.emplace_back();
      else if (anew)
        runs_.push_back({runs_.back().program, {}});
      runs_.back().blocks.push_back(entry);
    }
  }
  std::erase_if(runs_, [](const RunOfFile& run) { return run.blocks.empty(); });
}

struct TraceReader::Events::Impl {
  Impl(TraceReader& reader, size_t run, Selection selection)
      : reader_(reader), run_(reader.runs_.at(run)), selection_(std::move(selection)) {
    tiles_ = reader.chip().tiles;
    tiles_.push_back(chip::kNoTile);
    text_ = std::vector<TileText>(tiles_.size());
  }

  const Event* next() {
    try {
      return step();
    } catch (const DamagedBytes& e) {
      reader_.file_.damaged(entry_, e.what());
    }
  }

 private:
  const Event* step() {
    if (shown_ != nullptr) {
      if (advance(*shown_)) queue_.push(shown_);
      shown_ = nullptr;
    }
    while (queue_.empty() || (more_ && queue_.top()->event.cycle + kLate >= info_.end_cycle))
      if (!open_block() && queue_.empty()) return nullptr;
    shown_ = queue_.top();
    queue_.pop();
    return &shown_->event;
  }

  // Records come some cycles after their issue, so a block may hold a few that belong before its first cycle. So the
  // last cycles of a block are shown together with the next one.
  static constexpr uint64_t kLate = 16;

  struct Later {
    bool operator()(const LaneStream* a, const LaneStream* b) const {
      const Event &x = a->event, &y = b->event;
      if (x.cycle != y.cycle) return x.cycle > y.cycle;
      if (x.tile != y.tile) return x.tile > y.tile;
      if (x.lane != y.lane) return x.lane > y.lane;
      return a->number > b->number;
    }
  };

  // To the stream's next event that is wanted; false: there is none.
  bool advance(LaneStream& stream) const {
    const uint64_t from = std::max(selection_.from, info_.keep_from), to = std::min(selection_.to, info_.keep_to);
    do {
      if (!stream.next()) return false;
    } while (stream.event.cycle < from);
    return stream.event.cycle < to;
  }
  void add(std::unique_ptr<LaneStream> stream) {
    stream->number = streams_.size();
    if (!advance(*stream)) return;
    queue_.push(stream.get());
    streams_.push_back(std::move(stream));
  }

  // What is left of this block becomes one stream beside those of the next. False: there is no next.
  bool open_block() {
    for (more_ = false; next_block_ < run_.blocks.size() && !more_;) {
      const IndexEntry& entry = run_.blocks[next_block_];
      if (selection_.to != ~0ull && entry.info.first_cycle > selection_.to + kLate) return false;
      ++next_block_;
      entry_ = entry;
      const Bytes body = reader_.file_.body(entry);
      if (entry.info.end_cycle + kLate < selection_.from) {
        add_text(body, text_);
        continue;
      }
      std::vector<Event> left;
      while (!queue_.empty()) {
        LaneStream* stream = queue_.top();
        queue_.pop();
        left.push_back(stream->event);
        if (advance(*stream)) queue_.push(stream);
      }
      streams_.clear();
      info_ = entry.info;
      if (!left.empty()) add(std::make_unique<EventStream>(std::move(left)));
      open(body);
      more_ = next_block_ < run_.blocks.size();
      return true;
    }
    return false;
  }

  void open(const Bytes& body) {
    block_ = std::make_unique<Block>(reader_.machine_, body, tiles_, reader_.header().registers);
    block_->add_text(text_);
    for (size_t i = 0; i < tiles_.size(); ++i) {
      const uint32_t tile = tiles_[i];
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (!selection_.wants(tile, lane)) continue;
        if (is_retire(lane))
          add(std::make_unique<RetireStream>(block_->retires(i, lane, text_[i]), tile, lane));
        else if (is_words(lane))
          add(std::make_unique<WordStream>(block_->words(i, static_cast<Lane>(lane)), tile, static_cast<Lane>(lane)));
        else
          add(std::make_unique<EventStream>(block_->events(i, static_cast<uint8_t>(lane))));
      }
    }
  }

  TraceReader& reader_;
  const RunOfFile& run_;
  const Selection selection_;
  std::vector<uint32_t> tiles_;  // of the file, and the chip
  std::vector<TileText> text_;
  size_t next_block_ = 0;
  bool more_ = true;  // a block comes after the open one
  IndexEntry entry_;  // of the block being read
  BlockInfo info_;    // of the open block
  std::unique_ptr<Block> block_;
  std::vector<std::unique_ptr<LaneStream>> streams_;
  std::priority_queue<LaneStream*, std::vector<LaneStream*>, Later> queue_;
  LaneStream* shown_ = nullptr;
};

TraceReader::Events::Events(TraceReader& reader, size_t run, Selection selection)
    : impl_(std::make_unique<Impl>(reader, run, std::move(selection))) {}
TraceReader::Events::~Events() = default;

const Event* TraceReader::Events::next() { return impl_->next(); }

uint64_t TraceReader::begin_of_superstep(size_t run, uint64_t superstep) {
  const auto& blocks = runs_.at(run).blocks;
  if (superstep == blocks.front().info.first_superstep) return blocks.front().info.first_cycle;
  Selection chip_only;
  chip_only.tiles = {chip::kNoTile};
  chip_only.lanes = 1u << kLanePorts;
  Events events(*this, run, chip_only);
  while (const Event* event = events.next())
    if (event->kind == EventKind::kSuperstep && event->from + 1 == superstep) return event->cycle + 1;
  throw TraceError("trace " + path() + " does not hold the beginning of superstep " + std::to_string(superstep) +
                   "; it goes from " + std::to_string(blocks.front().info.first_superstep) + " to " +
                   std::to_string(blocks.back().info.last_superstep));
}

void TraceReader::read(size_t run, const Selection& selection, const std::function<void(const Event&)>& to) {
  Events events(*this, run, selection);
  while (const Event* event = events.next()) to(*event);
}

}  // namespace tessera::inspect::trace
