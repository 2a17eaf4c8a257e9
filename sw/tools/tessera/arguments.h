// What options of the commands take, each refused in one line that names option and value.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rtl/spec/tile_id.h"

namespace tessera::tool {

// A decimal number, or a hexadecimal one behind 0x, from `least` on. Throws CommandError.
uint64_t number_of(const std::string& text, const std::string& option, uint64_t least = 0);
// Bytes: 4096, 64k, 1m, 2g. Throws CommandError.
uint64_t bytes_of(const std::string& text, const std::string& option);
// Tiles of a machine, or of a chip of a system: "3,7-9". Throws CommandError.
std::vector<unsigned> tiles_of(const std::string& text, const std::string& option, unsigned machine_tiles,
                               const spec::ChipPlace& place = {});
// An option whose value one of these takes.
CLI::Option* add_number(CLI::App* command, const std::string& option, const std::string& what,
                        const std::function<void(uint64_t)>& take, uint64_t least = 0);

// Refuses empty values: of every option of the command and its subcommands.
void refuse_empty_values(CLI::App& command);
// Throws CommandError where no file can be put, because there is a directory or no place for it.
void require_place(const std::string& path, const std::string& option);
// Throws CommandError naming what the file is where that is told at once: wanted is "a trace", "waves".
void require_data(const std::string& path, const std::string& wanted);
// What CLI11 complains of, in words of a user.
std::string complaint_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tessera::tool
