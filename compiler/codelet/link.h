// Links the entries that a program uses, with the runtime library, into one image of text and data for every tile.
//
// The image is linked once: all tiles hold the same text at the same addresses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/codelet/cache.h"
#include "compiler/codelet/codelet_library.h"

namespace tessera::compiler {

// The start routine of a worker, part of the runtime library: walks the list that CSR xvbase points at
// (docs/reference/codelet-abi.md).
inline constexpr const char* kWorkerSymbol = "__tessera_worker";

struct LinkLayout {
  std::uint32_t text_base = 0;       // bytes, a multiple of 16
  std::uint32_t data_base = 0;       // rodata, data and bss follow one another from here; outside the elements of text
  std::vector<std::string> order{};  // symbols: their sections come first, in this order
};

// A section of an object in the image.
struct LinkedPiece {
  std::uint32_t address = 0, bytes = 0;
  std::string symbol{};  // for LinkLayout::order; empty: it has none
};

struct LinkedText {
  std::vector<std::uint8_t> elf;  // the linker's output as it is, with symbols and debug information
  std::uint32_t text_base = 0;
  std::vector<std::uint8_t> text;
  std::uint32_t rodata_base = 0;
  std::vector<std::uint8_t> rodata;
  std::uint32_t data_base = 0;
  std::vector<std::uint8_t> data;
  std::uint32_t bss_base = 0;
  std::uint32_t bss_size = 0;
  std::map<std::string, std::uint32_t> symbols;       // address of every global and local function and object
  std::map<std::string, std::uint32_t> symbol_sizes;  // bytes, of the same names
  std::map<std::string, std::uint32_t> stack_size;    // of every entry asked for: bytes, a multiple of 16
  std::vector<LinkedPiece> pieces;  // by address; what lies in none the linker has made of several objects' sections
  std::map<std::string, std::vector<std::uint32_t>>
      needed;  // of every entry asked for: pieces it may lead to, ascending
};

// `entries` are entry symbols of vertices and any other functions wanted, kWorkerSymbol among them if it is.
// Throws CodeletError: kLink naming what is undefined, doubled, unbounded or beyond the tile's arithmetic; kNoTool.
LinkedText link_tile_text(const std::vector<const CodeletLibrary*>& libraries, const std::vector<std::string>& entries,
                          const LinkLayout& layout, const Cache& cache = Cache::of_user());

// The library of start routine, memory functions, 64-bit division and mathematics. Throws CodeletError (kFile).
CodeletLibrary load_runtime_library();

}  // namespace tessera::compiler
