// What the packets of a debugger mean: one payload in, an answer or an order out. Knows no socket. Packets, registers
// and monitor commands are listed in docs/reference/gdb.md.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/gdb/navigator.h"
#include "inspect/gdb/served_files.h"
#include "inspect/gdb/thread_ids.h"

namespace tessera::inspect::gdb {

struct Order {
  enum class Kind {
    kAnswer,  // send `answer`
    kResume,  // the answer follows when the run stops
    kReverseStep,
    kReverseContinue,
    kAttach,  // stop the run, then answer with the stop
    kDetach,  // of the last tile: send `answer`, the run goes on
    kKill
  } kind = Kind::kAnswer;
  std::string answer;
  Navigator::Resume resume;
  Thread thread;
};
// "chip 1 tile 3 worker 2"; where there is one chip "tile 3 worker 2".
std::string name_of(const Target& target, Thread thread);

inline Order answer(std::string text) { return {Order::Kind::kAnswer, std::move(text), {}, {}}; }

class Protocol {
 public:
  // `tiles`: those it may see, of all chips. All of them are shown when they were chosen, or are few; else one becomes
  // a process when it is attached to, or has something to tell.
  Protocol(Navigator& navigator, std::vector<unsigned> tiles, bool chosen, unsigned tiles_in_all, unsigned chips);

  Order handle(std::string_view payload, Target& target);
  // How a stop is told; the thread that it names becomes the one of the next questions. `text`: for the user, may be
  // "".
  std::string stop_reply(Target& target, const Found& found, std::string& text);
  // A debugger has come to a run that was stopped so: nothing is known of it yet.
  void begin(const Found& stop);
  std::string exit_reply() const;  // the run is over
  bool acknowledges() const { return acknowledges_; }
  bool attached() const { return !attached_.empty(); }
  void program_changed(unsigned chip) { files_.program_changed(chip); }

 private:
  Order query(std::string_view payload, Target& target);
  Order set(std::string_view payload);
  Order transfer(std::string_view request, Target& target);
  Order attach(std::string_view process, Target& target);
  Order verbose(std::string_view payload, Target& target);
  Order resume(std::string_view actions);
  Order old_resume(char action);
  Order breakpoint(std::string_view payload, Target& target);
  Order detach(std::string_view payload);
  std::string read_memory(std::string_view payload, Target& target);
  bool is_below_stack(Target& target, uint32_t begin, uint32_t end);
  std::string write_memory(std::string_view payload, Target& target, bool binary);
  std::string all_registers(Target& target);
  std::string write_all_registers(std::string_view payload, Target& target);
  std::string one_register(std::string_view payload, Target& target);
  std::string write_one_register(std::string_view payload, Target& target);
  std::string told(Target& target, const Found& found, std::string& text);
  std::string register_text(Target& target, unsigned number);
  std::string thread_list(Target& target);
  std::string thread_state(Target& target, Thread thread);
  void show(unsigned tile);
  std::optional<Thread> named(std::string_view text) const;  // one thread that exists

  Navigator& navigator_;
  const std::vector<unsigned> tiles_;
  const size_t shown_first_;
  ServedFiles files_;
  std::set<unsigned> attached_, hidden_;  // known to the debugger; not yet
  Thread general_, focus_;                // of the questions; of the last stop
  std::optional<Thread> moved_;           // that a step without a name means
  Found last_stop_;
  bool acknowledges_ = true, processes_ = false;
};

}  // namespace tessera::inspect::gdb
