// What the machine tells about the chip, and how it travels in messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/port/chip.h"
#include "sim/port/superstep_record.h"
#include "sim/process/message.h"

namespace tessera::machine {

struct ChipIdentity {
  std::string machine;  // name of the machine description
  uint32_t tiles = 0;
  uint64_t machine_hash = 0;  // spec::Machine::hash
};

struct Identity {
  uint32_t version = 0;
  std::string system;                 // name of the system; a chip alone is named for its machine
  uint64_t system_hash = 0;           // spec::System::hash
  std::string backend;                // "rtl", "model", "lockstep"
  std::vector<ChipIdentity> chips{};  // by id
  std::string notice{};               // what inspection tells the user before anything runs
};

struct ExceptionReport {
  uint32_t tile = 0;
  chip::ExceptionStatus status;
};

using chip::SuperstepRecord;

void put(Writer&, const ChipIdentity&);
void put(Writer&, const Identity&);
void put(Writer&, const chip::Stop&);
void put(Writer&, const ExceptionReport&);
void put(Writer&, const chip::TileWait&);
void put(Writer&, const chip::Counters&);
void put(Writer&, const SuperstepRecord&);

void get(Reader&, ChipIdentity&);
void get(Reader&, Identity&);
void get(Reader&, chip::Stop&);
void get(Reader&, ExceptionReport&);
void get(Reader&, chip::TileWait&);
void get(Reader&, chip::Counters&);
void get(Reader&, SuperstepRecord&);

template <class T>
void put(Writer& out, const std::vector<T>& list) {
  out.varint(list.size());
  for (const T& item : list) put(out, item);
}

template <class T>
void get(Reader& in, std::vector<T>& list) {
  for (size_t left = in.count(); left > 0; --left) get(in, list.emplace_back());
}

}  // namespace tessera::machine
