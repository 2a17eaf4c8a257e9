#include "inspect/gdb/part.h"

#include "inspect/gdb/server.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

// A chip that is alone.
class GdbPart : public Part {
 public:
  GdbPart(const Options& options, const spec::Machine& machine)
      : server_(options, options.gdb_tiles.of(machine.tiles()), machine.tiles(), 1) {}

  chip::Observer* observer() override { return server_.observer(); }
  Needs needs() const override { return server_.needs(); }
  void at_boundary(Run& run, const chip::Stop& stop) override {
    Target target(run, stop);
    server_.at_boundary(target);
  }
  std::string notice() const override { return server_.notice(); }
  int wake_descriptor() const override { return server_.wake_descriptor(); }
  void program_changed(const names::ProgramInfo&) override { server_.program_changed(0); }
  void finish() override { server_.finish(); }

 private:
  Server server_;
};

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine) {
  if (options.gdb.empty()) return nullptr;
  return std::make_unique<GdbPart>(options, machine);
}

}  // namespace tessera::inspect::gdb
