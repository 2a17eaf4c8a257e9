// The messages between a client (libpoplar) and tessera-machine: docs/reference/machine-process.md.
// A message is a header, which says what chip of the system it is of, then `bytes` bytes of body, written by
// formats/bytes.h.
#pragma once

#include <cstdint>

#include "formats/bytes.h"

namespace tessera::machine {

constexpr uint32_t kMessageMagic = 0x4d535354;  // "TSSM"
constexpr uint32_t kProtocolVersion = 11;
constexpr uint64_t kMaxBody = 1u << 28;

enum class Kind : uint32_t {
  kHello = 1,     // u32 version                      -> Hello
  kWindow,        // u64 bytes, u64 offset, a file descriptor -> empty; 0 bytes and no descriptor: no window
  kWrite,         // u32 offset, list of u32, ...     -> empty; one write after another
  kRead,          // u32 offset, u32 count            -> list of u32
  kRun,           // u64 limit, u64 budget            -> list of chip::Stop, one a chip
  kExceptions,    //                                  -> list of ExceptionReport
  kWaits,         //                                  -> list of chip::TileWait
  kCounters,      //                                  -> chip::Counters
  kMemoryHash,    //                                  -> u64
  kRecord,        // u32 on                           -> empty
  kTakeRecord,    //                                  -> list of SuperstepRecord; the record is then empty
  kReset,         //                                  -> empty
  kProgram,       // u32 already loaded, bytes of a ProgramInfo -> empty
  kFailure,       // (text what, list of tiles)       -> text: what inspection says of the last stop (of a failed check)
  kInspect,       // text: options                    -> text: what inspection tells the user now
  kFinish,        //                                  -> empty; the files of waves and trace are whole
  kRemoteMemory,  // -> u64 bytes of the memory of the chip's gateway, a file descriptor; 0 and none: there is no
                  // gateway
  kReplicas,      // u32 chips of each, u32 independent -> empty; holds from the next reset on
  kReply = 0x100,
  kError = 0x101,  // in place of a reply: text
};

struct Header {
  uint32_t magic = kMessageMagic;
  uint16_t kind = 0;
  uint16_t chip = 0;  // tiles of the body are tiles of this chip
  uint64_t bytes = 0;
};
static_assert(sizeof(Header) == 16);

using formats::Bytes;
// The bytes that came are no message of this protocol.
using DamagedMessage = formats::DamagedBytes;
// Of this namespace, so that put() and get() of what travels are found from everywhere.
struct Writer : formats::ByteWriter {};
struct Reader : formats::ByteReader {
  using ByteReader::ByteReader;
};

}  // namespace tessera::machine
