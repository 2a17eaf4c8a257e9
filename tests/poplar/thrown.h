// The message of what an action throws, which is of exactly that type and says so.
#pragma once

#include <catch2/catch.hpp>
#include <poplar/exceptions.hpp>
#include <string>
#include <typeinfo>

namespace tessera::test {

template <class Error, class Action>
std::string thrown(const char* type, Action action) {
  try {
    action();
  } catch (const poplar::poplar_error& error) {
    CHECK(std::string(typeid(error).name()) == typeid(Error).name());
    CHECK(error.type == type);
    return error.what();
  }
  FAIL("nothing was thrown, " << type << " was to be");
  return "";
}

}  // namespace tessera::test

// The type stands once, and the test that looks for it finds it.
#define THROWN(Type, ...) tessera::test::thrown<poplar::Type>(#Type, [&] { __VA_ARGS__; })
