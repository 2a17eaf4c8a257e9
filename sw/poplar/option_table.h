// Every option that a program may give, as data: what it takes, what holds without it, and what is refused and why.
// docs/user/options.md tells each; tests/poplar/option_docs_test.cpp compares the two.
//
// An option has a place here only if what it asks for is done, or holds by the nature of the machine. A value that asks
// for something that is not done is in `refuses`.
#pragma once

#include <poplar/OptionFlags.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::runtime {

struct Option {
  // Alternatives separated by ", ": words, and <number>, <number from 1>, <number from 16>, <time>, <text>.
  std::string_view name, takes;
  std::string_view usual;    // what holds without it
  std::string_view refuses;  // values that are known and not done, in the form of `takes`; "": none
  std::string_view why{};    // they are refused: what is so, and what one can do; no stop at its end
  bool compiled = false;     // the compiler reads it; else the run does
};

struct OptionTable {
  std::string_view of;  // "Engine": heading in the docs; in messages "engine option"
  std::string_view noun;
  std::span<const Option> options;
};

const OptionTable& engine_options();
const OptionTable& stream_options();
const OptionTable& summary_options();  // of Engine::printProfileSummary
const OptionTable& manager_options();  // of DeviceManager::getDevices and getDevice
const OptionTable& target_options();   // of Target::createIPUTarget
const OptionTable& simulator_options();
const OptionTable& model_options();  // of IPUModel::createDevice

const Option* find(const OptionTable& table, const std::string& name);  // null: there is none
// Throws poplar::invalid_option naming option and value if the table has no such option, or it does not take the value.
// `of`: what the option is of, for the message ("stream 'in'"); "": nothing more to say.
void check(const OptionTable& table, const std::string& name, const std::string& value, const std::string& of = "");
void check(const OptionTable& table, const poplar::OptionFlags& flags);

std::optional<uint64_t> parse_number(const std::string& text);  // decimal, or hexadecimal with 0x
// "300", "300s", "5ms", "20us", "100ns", "2m": nanoseconds.
std::optional<uint64_t> parse_time(const std::string& text);

}  // namespace tessera::runtime
