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
// What the caller had loaded is not on the card any more.
struct Displaced : Error {
  using Error::Error;
};
struct NoHostMemory : Error {
  using Error::Error;
};

}  // namespace tessera::card
