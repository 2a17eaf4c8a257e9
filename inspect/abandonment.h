// Tells the thread that runs a chip, and whoever waits there for somebody else, that the client is gone.
#pragma once

#include <stdexcept>

namespace tessera::inspect {

// The client went away in the middle of a run.
struct Abandoned : std::runtime_error {
  Abandoned() : std::runtime_error("the client is gone") {}
};

class Abandonment {
 public:
  Abandonment();  // throws std::runtime_error
  ~Abandonment();
  Abandonment(const Abandonment&) = delete;

  bool tell();  // from any thread; false: it cannot be told
  bool told() const;
  int descriptor() const { return pipe_[0]; }  // readable once it is told; nobody reads from it

 private:
  int pipe_[2] = {-1, -1};
};

}  // namespace tessera::inspect
