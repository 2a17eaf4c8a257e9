// Of 200 damaged files of each kind, those that are told in one line that names them; and the places of a run in which
// the disk was full, of which each was told, left nothing half-written and did not harm the next run.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/bench/figure.h"
#include "tests/damage/damage.h"
#include "tests/damage/kinds.h"
#include "tests/inspect/trace/synthetic_run.h"

namespace {

using namespace tessera::test;

constexpr unsigned kFiles = 200, kPlaces = 50;

void write(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Told in one line, or read as what it was; text that people write may say something else.
bool is_good(const Kind& kind, const std::string& path, const std::string& whole) {
  try {
    const std::string content = kind.read(path);
    return kind.written_by_people || content == whole;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::exception& error) {
    const std::string told = error.what();
    return told.find(path) != std::string::npos && told.find('\n') == std::string::npos;
  }
}

bool damaged_files() {
  bool all = true;
  for (const Kind& kind : kinds(FIRMWARE "/hello.elf", LIBRARY)) {
    const tessera::inspect::trace::TemporaryFile file(kind.ending);
    write(file.path, kind.whole);
    const std::string whole = kind.read(file.path);
    std::mt19937_64 random(1);
    unsigned good = 0;
    for (unsigned i = 0; i < kFiles; ++i) {
      write(file.path, damage(kind.whole, random).bytes);
      good += is_good(kind, file.path, whole);
    }
    std::string name = "users_damaged_" + kind.name;
    for (char& c : name) c = c == ' ' ? '_' : c;
    all &= print_figure(name, good, "files", Goal::kAtLeast, kFiles);
  }
  return all;
}

bool full_disks() {
  const std::string command = std::string(FULL_DISK " firmware " WORK " ") + std::to_string(kPlaces) +
                              " " TESSERA_TOOL " " FIRMWARE "/ring.elf 1>&2";
  const bool good = std::system(command.c_str()) == 0;
  return print_figure("users_full_disk", good ? kPlaces : 0, "places", Goal::kAtLeast, kPlaces);
}

}  // namespace

int main() {
  const bool damaged = damaged_files(), full = full_disks();
  return damaged && full ? 0 : 1;
}
