// Files that are written: whole under their name, or not at all.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "formats/elf_seal.h"
#include "formats/fst_files.h"
#include "formats/fst_seal.h"
#include "formats/whole_file.h"

using namespace tessera::formats;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("tessera-whole-file-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path), {})); }
  fs::path path;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// No file grows beyond it, as if the disk were full.
struct Full {
  explicit Full(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit now{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~Full() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};

}  // namespace

TEST_CASE("a file has its name when it is whole, and what stood there before until then") {
  const Folder folder;
  const std::string path = folder.file("out.txt");
  write_whole_file(path, "before");
  {
    WholeFile file(path);
    file.write("some of");
    CHECK(contents(path) == "before");
  }
  CHECK(contents(path) == "before");
  CHECK(folder.files() == 1);
  WholeFile file(path);
  file.write("all ");
  file.write("of it");
  file.keep();
  CHECK(contents(path) == "all of it");
  CHECK(folder.files() == 1);
}

TEST_CASE("a full disk at any byte is one error with the file's name, and no half file") {
  const Folder folder;
  const std::string path = folder.file("out.txt"), text(5000, 'x');
  write_whole_file(path, "before");
  for (const size_t place : {0, 1, 100, 4096, 4999}) {
    std::string said;
    {
      const Full full(place);
      try {
        write_whole_file(path, text);
      } catch (const CannotWrite& error) {
        said = error.what();
        CHECK(error.error == EFBIG);
      }
    }
    CHECK(said == path + " cannot be written: File too large");
    CHECK(contents(path) == "before");
    CHECK(folder.files() == 1);
  }
  write_whole_file(path, text);
  CHECK(contents(path) == text);
}

TEST_CASE("what cannot be written says why") {
  const Folder folder;
  CHECK_THROWS_WITH(WholeFile("/no/such/folder/x"), "/no/such/folder/x cannot be written: No such file or directory");
  CHECK_THROWS_WITH(WholeFile(folder.path.string()), folder.path.string() + " cannot be written: Is a directory");
  CHECK_THROWS_WITH(write_whole_file("/dev/full", "x"), "/dev/full cannot be written: No space left on device");
  write_whole_file("/dev/null", "x");
}

TEST_CASE("links and modes stay, what a killed writer left is used again, two writers do not meet") {
  const Folder folder;
  const std::string path = folder.file("out.sh"), link = folder.file("link");
  write_whole_file(path, "1");
  fs::permissions(path, fs::perms::owner_all);
  fs::create_symlink("out.sh", link);
  std::ofstream(path + ".new") << "left by somebody";
  write_whole_file(link, "2");
  CHECK(fs::is_symlink(link));
  CHECK(contents(path) == "2");
  CHECK(fs::status(path).permissions() == fs::perms::owner_all);
  CHECK(folder.files() == 2);
  WholeFile first(path), second(path);
  CHECK(first.unfinished() != second.unfinished());
  first.write("first");
  second.write("second");
  second.keep();
  first.keep();
  CHECK(contents(path) == "first");
  CHECK(folder.files() == 2);
}

TEST_CASE("an FST is sealed: any change of it is told") {
  const Folder folder;
  const std::string path = folder.file("out.fst");
  WholeFile file(path);
  file.write(std::string(3u << 20, 'w'));
  keep_fst(file);
  CHECK(fst_damage(path) == "");
  std::string bytes = contents(path);
  for (const size_t at : {size_t{0}, size_t{1} << 20, bytes.size() - 30, bytes.size() - 1}) {
    std::string changed = bytes;
    changed[at] ^= 4;
    std::ofstream(path, std::ios::binary) << changed;
    CHECK(fst_damage(path) == "is damaged: its digest does not fit");
  }
  std::ofstream(path, std::ios::binary) << bytes.substr(0, 1000);
  CHECK(fst_damage(path) == "is no whole FST file of Tessera");
  CHECK(fst_damage(folder.file("none")) == "cannot be read: No such file or directory");
}

TEST_CASE("the FST library's files remember what could not be written, its scratch files are in memory") {
  const Folder folder;
  WholeFile file(folder.file("out.fst"));
  FILE* waves = tessera_fst_open(file.unfinished().c_str(), "w+b");
  FILE* hierarchy = tessera_fst_open((file.unfinished() + ".hier").c_str(), "w+b");
  REQUIRE(waves);
  REQUIRE(hierarchy);
  CHECK(folder.files() == 1);
  {
    const Full full(100);
    const std::string much(100000, 'x');
    tessera_fst_write(much.data(), 1, much.size(), waves);
    tessera_fst_close(waves);
  }
  tessera_fst_close(hierarchy);
  CHECK_THROWS_WITH(keep_fst(file), file.path() + " cannot be written: File too large");
  CHECK(folder.files() == 0);
}

TEST_CASE("a sealed ELF file tells of any change; one without a seal does not") {
  std::vector<uint8_t> elf(1000, 7);
  std::fill_n(elf.begin() + 9, 7, uint8_t{0});
  CHECK(elf_is_whole(elf));
  seal_elf(elf);
  CHECK(elf_is_whole(elf));
  for (size_t at = 0; at < elf.size(); at += 3) {
    elf[at] ^= 1;
    CHECK_FALSE(elf_is_whole(elf));
    elf[at] ^= 1;
  }
  elf.pop_back();
  CHECK_FALSE(elf_is_whole(elf));
}
