// While a run is under way, the program's first Ctrl-C is for the machine, which tells where every tile stands; the
// second ends the program as ever. A program with a handler of its own keeps it.
#pragma once

namespace tessera::card {

class FirstInterrupt {
 public:
  FirstInterrupt();
  ~FirstInterrupt();
  FirstInterrupt(const FirstInterrupt&) = delete;
  FirstInterrupt& operator=(const FirstInterrupt&) = delete;
};

}  // namespace tessera::card
