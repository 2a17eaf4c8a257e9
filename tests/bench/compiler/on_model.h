// What benchmarks that run a program do first and last: the model of mk2-16 without messages, an exception as a
// message.
#pragma once

#include <cstdlib>
#include <exception>
#include <iostream>

template <class Body>
int on_model(const Body& body) try {
  ::setenv("TESSERA_QUIET", "1", 1);
  ::setenv("TESSERA_BACKEND", "model", 1);
  ::setenv("TESSERA_MACHINE", "mk2-16", 1);
  body();
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
