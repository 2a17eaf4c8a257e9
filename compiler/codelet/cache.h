// A directory of files named by the digest of what they were made from. Best effort: where it cannot be read or
// written (a read-only home, a full disk) every look-up misses and every store is dropped. A file begins with the
// digest of what follows: a damaged one is a miss too, and is replaced by the store after it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::compiler {

class Cache {
 public:
  // $XDG_CACHE_HOME/tessera, else $HOME/.cache/tessera; without either the cache is off.
  static Cache of_user();
  // A given directory, made with mode 0700 if missing; an empty path turns the cache off.
  explicit Cache(std::string directory);

  // Whether there is a directory; what cannot be written is dropped nonetheless.
  bool usable() const { return !directory_.empty(); }

  std::optional<std::string> find(const std::string& name) const;
  void store(const std::string& name, std::string_view bytes) const;

 private:
  std::string directory_;
};

}  // namespace tessera::compiler
