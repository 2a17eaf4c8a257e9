// Files that one chip of a program writes: no other one of it may write them at the same time.
#pragma once

#include <string>

namespace tessera::inspect {

class ClaimedFiles {
 public:
  // Those of the options, in text form, for as long as this object lives. Throws BadOption naming the file that another
  // has.
  explicit ClaimedFiles(const std::string& options);
  ~ClaimedFiles();
  ClaimedFiles(const ClaimedFiles&) = delete;
  ClaimedFiles& operator=(const ClaimedFiles&) = delete;
};

}  // namespace tessera::inspect
