// What can go wrong between a program and its card. Each says in one line which machine, what it was doing and why.
#pragma once

#include <stdexcept>

namespace tessera::card {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The machine's process cannot be started, or is no such machine.
struct CannotAttach : Error {
  using Error::Error;
};
// The machine's process has ended in the middle of a call: what was on it is lost.
struct Lost : Error {
  using Error::Error;
};
// The machine said no.
struct Refused : Error {
  using Error::Error;
};
// A tile refused a debug access, since it has not settled (tile.md, Halt, start, debug).
struct AtWork : Refused {
  using Refused::Refused;
};
// What the caller had loaded is not on the card any more.
struct Displaced : Error {
  using Error::Error;
};
struct NoHostMemory : Error {
  using Error::Error;
};
struct NoRemoteMemory : Error {
  using Error::Error;
};

}  // namespace tessera::card
