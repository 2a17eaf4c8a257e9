// One measured figure as one JSON line: what every benchmark prints.
#pragma once

#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

// How a value is compared with its goal.
enum class Goal { kAtLeast, kAtMost };

// Prints {"name", "value", "unit", "goal", "ok", "context"}; returns whether the goal is met.
inline bool print_figure(const std::string& name, double value, const std::string& unit, Goal kind, double goal,
                         const nlohmann::json& context = nlohmann::json::object()) {
  const bool ok = kind == Goal::kAtLeast ? value >= goal : value <= goal;
  nlohmann::ordered_json line;
  line["name"] = name;
  line["value"] = value;
  line["unit"] = unit;
  line["goal"] = (kind == Goal::kAtLeast ? ">= " : "<= ") + nlohmann::json(goal).dump();
  line["ok"] = ok;
  line["context"] = context;
  std::cout << line.dump() << std::endl;
  return ok;
}
