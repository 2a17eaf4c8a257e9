#include "inspect/trace/perfetto_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "inspect/trace/format.h"

namespace tessera::inspect::trace {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

// Microseconds of a nanosecond count, exactly.
std::string time(uint64_t cycles) { return fmt::format("{}.{:03}", cycles / 1000, cycles % 1000); }

std::string args(const PerfettoFile::Details& details) {
  if (details.empty()) return "";
  std::string out = ",\"args\":{";
  for (size_t i = 0; i < details.size(); ++i)
    out += (i > 0 ? "," : "") + quoted(details[i].first) + ":" + quoted(details[i].second);
  return out + "}";
}

}  // namespace

PerfettoFile::PerfettoFile(const std::string& path) : whole_(path) {
  // "T": not compressed.
  const int copy = ::dup(whole_.descriptor());
  file_ = copy < 0 ? nullptr : gzdopen(copy, path.ends_with(".gz") ? "wb6" : "wbT");
  if (file_ == nullptr) throw formats::CannotWrite(path, errno);
  put("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"1 ns is one tile cycle\"},\"traceEvents\":[");
}

PerfettoFile::~PerfettoFile() {
  if (file_ != nullptr) gzclose(file_);
}

void PerfettoFile::put(const std::string& text) {
  errno = 0;
  if (gzwrite(file_, text.data(), static_cast<unsigned>(text.size())) <= 0) fail();
}

void PerfettoFile::fail() { throw formats::CannotWrite(whole_.path(), errno != 0 ? errno : EIO); }

void PerfettoFile::event(const std::string& json) {
  put((first_ ? "\n" : ",\n") + json);
  first_ = false;
}

void PerfettoFile::process(uint32_t process, const std::string& name) {
  event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process, quoted(name)));
  event(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}})", process));
}

void PerfettoFile::thread(const Track& t, const std::string& name) {
  event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", t.process, t.thread,
                    quoted(name)));
  event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{0},"tid":{1},"args":{{"sort_index":{1}}}}})",
                    t.process, t.thread));
}

void PerfettoFile::slice(const Track& t, uint64_t begin, uint64_t end, const std::string& name,
                         const Details& details) {
  if (end > begin) slices_[{t.process, t.thread}].push_back({begin, end, quoted(name) + args(details)});
}

void PerfettoFile::instant(const Track& t, uint64_t cycle, const std::string& name, const Details& details) {
  event(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}{}}})", t.process, t.thread, time(cycle),
                    quoted(name), args(details)));
}

void PerfettoFile::flow(const Track& from, uint64_t from_cycle, const Track& to, uint64_t to_cycle,
                        const std::string& name) {
  flows_.push_back({from, to, from_cycle, to_cycle, quoted(name)});
}

void PerfettoFile::counter(uint32_t process, uint64_t cycle, const std::string& name, const std::string& series,
                           uint64_t value) {
  event(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})", process, time(cycle), quoted(name),
                    quoted(series), value));
}

// Slices of the track are in order.
bool PerfettoFile::has_slice(const Track& t, uint64_t cycle) const {
  const auto track = slices_.find({t.process, t.thread});
  if (track == slices_.end()) return false;
  const auto after = std::upper_bound(track->second.begin(), track->second.end(), cycle,
                                      [](uint64_t key, const Slice& s) { return key < s.begin; });
  // Those of tracks with flows do not nest.
  return after != track->second.begin() && cycle < (after - 1)->end;
}

// Behind all slices: readers sort by time, keep the order of what comes at one time, and bind a flow's ends to the
// slice that is open then.
void PerfettoFile::write_flows() {
  uint64_t id = 0;
  for (const Flow& f : flows_) {
    if (!has_slice(f.from, f.from_cycle) || !has_slice(f.to, f.to_cycle)) continue;
    ++id;
    const auto end = [&](const char* ph, const Track& t, uint64_t cycle) {
      event(fmt::format(R"({{"ph":{},"cat":"flow","id":{},"pid":{},"tid":{},"ts":{},"name":{}}})", ph, id, t.process,
                        t.thread, time(cycle), f.name));
    };
    end(R"("s")", f.from, f.from_cycle);
    end(R"("f","bp":"e")", f.to, f.to_cycle);
  }
}

void PerfettoFile::close() {
  for (auto& [track, slices] : slices_) {
    // The outer of two slices that begin together comes first.
    std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    for (const Slice& s : slices)
      event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{}}})", track.first, track.second,
                        time(s.begin), time(s.end - s.begin), s.rest));
  }
  write_flows();
  put("\n]}\n");
  errno = 0;
  const int status = gzclose(std::exchange(file_, nullptr));
  if (status != Z_OK) fail();
  whole_.keep();
}

}  // namespace tessera::inspect::trace
