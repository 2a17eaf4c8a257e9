// The parts that look at a run, one of a kind, and the options that they are made by.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inspect/options.h"
#include "inspect/run.h"

namespace tessera::inspect {

// In the order in which they are called at a boundary: the debugger may stand there for long, so it comes last.
enum class PartKind : uint8_t { kWaves, kTrace, kCheck, kFailure, kGdb, kProgress };
constexpr size_t kPartKinds = 6;
// Null when the options ask for none. Throws BadOption or std::runtime_error, one line.
using MakePart = std::function<std::unique_ptr<Part>(PartKind, const Options&)>;

class PartSlots {
 public:
  // Makes the parts at once. `options`: text form; throws as MakePart.
  PartSlots(const std::string& options, MakePart make_part, unsigned machine_tiles, const spec::ChipPlace& place = {});

  const Options& options() const { return options_; }
  const std::string& options_text() const { return options_text_; }

  bool empty() const;
  // The finest wish of all; zeros where no part wishes anything.
  Part::Needs needs() const;
  std::vector<chip::Observer*> observers() const;
  bool leave_files() const;
  std::vector<int> wake_descriptors() const;
  // The tile for whose sake a part wants the run to end (Part::objects_to).
  std::optional<unsigned> objection() const;
  // Of parts that have not been asked yet.
  std::string notice();

  void each(const std::function<void(Part&)>& call);
  // Of every part that has not been called by it yet, or of all.
  void each_at_boundary(bool fresh_only, const std::function<void(Part&)>& call);
  // Another program is about to be loaded: the next boundary is the first that they see.
  void program_changed(const names::ProgramInfo& program);

  // Other options while a program runs (Run::inspect): parts whose options change end, and begin anew. When one cannot
  // begin, those that were to be renewed are gone and their options with them.
  void change_options(const std::string& options, const names::ProgramInfo& program);
  // Parts of these kinds end. Throws std::runtime_error when a file is not whole; all end all the same.
  void finish(const std::vector<PartKind>& kinds);

 private:
  struct Slot {
    std::unique_ptr<Part> part;
    bool fresh = false;   // has not seen a boundary yet
    bool silent = false;  // has told its notice
  };
  Slot& slot(PartKind kind) { return slots_[static_cast<size_t>(kind)]; }
  void make(PartKind kind);
  void forget_options_of(const std::vector<PartKind>& kinds);

  const MakePart make_part_;
  const unsigned machine_tiles_;
  const spec::ChipPlace place_;
  std::string options_text_;
  Options options_;
  std::array<Slot, kPartKinds> slots_;
};

}  // namespace tessera::inspect
