#include <poplar/OptionFlags.hpp>

#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>

#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

void read(const std::string& text, const std::string& where, OptionFlags& flags) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) throw parse_error(where + " is not a JSON object: " + text);
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) {
      flags.set(key, value.get<std::string>());
    } else if (value.is_boolean() || value.is_number()) {
      flags.set(key, value.dump());
    } else {
      throw parse_error(where + ": option '" + key + "' is neither a string nor a number nor a boolean");
    }
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& os, const OptionFlags& flags) {
  os << '{';
  const char* separator = "";
  for (const auto& [key, value] : flags) {
    os << separator << key << ": " << value;
    separator = ", ";
  }
  return os << '}';
}

void readJSON(StringRef json, OptionFlags& flags) { read(json.cloneAsString(), "Option text", flags); }

void readJSON(std::istream& json, OptionFlags& flags) {
  read(std::string(std::istreambuf_iterator<char>(json), {}), "Option text", flags);
}

void readJSONFromEnv(StringRef variable, OptionFlags& flags) {
  const std::string name = variable.cloneAsString();
  const char* text = std::getenv(name.c_str());
  if (text != nullptr && *text != '\0') read(text, "Environment variable " + name, flags);
}

ProfileValue getAsProfileValue(const OptionFlags& flags) {
  ProfileValue::Map map;
  for (const auto& [key, value] : flags) map.emplace(key, ProfileValue(value));
  return ProfileValue(std::move(map));
}

}  // namespace poplar
