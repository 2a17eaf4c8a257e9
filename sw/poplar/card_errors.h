// What a card throws, as Poplar's exceptions.
#pragma once

#include <exception>
#include <utility>

namespace tessera::runtime {

// To be called where an exception is being handled: throws it again, as Poplar's if the card threw it.
[[noreturn]] void rethrow_for_poplar();

template <class Body>
decltype(auto) with_poplar_errors(Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const std::exception&) {
    rethrow_for_poplar();
  }
}

}  // namespace tessera::runtime
