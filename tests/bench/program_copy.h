// A copy of a program, for benchmarks of verilated code.
//
// Where the code of a program lies in physical memory decides on its speed: copies of one program that were equal bit
// by bit took 0.10 to 0.18 of the calibration core on a virtual machine, each the same in every run. The pages of a
// file stay where they are as long as the system keeps them; those of a copy lie elsewhere. So the best of some copies
// is what the program can do, where the best of some runs is what its pages let it do.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

class ProgramCopy {
 public:
  explicit ProgramCopy(const std::filesystem::path& program)
      : path_(std::filesystem::temp_directory_path() /
              (program.filename().string() + "-copy-" + std::to_string(::getpid()))) {
    std::filesystem::copy_file(program, path_, std::filesystem::copy_options::overwrite_existing);
  }
  ProgramCopy(const ProgramCopy&) = delete;
  ProgramCopy& operator=(const ProgramCopy&) = delete;
  ~ProgramCopy() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};
