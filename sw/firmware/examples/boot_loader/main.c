/* A boot loader: fetches a second program, an ELF file, from host memory, puts its segments where they belong and jumps
   there. It stands high in the executable region, out of the way of the program that it loads.

     tessera run boot_loader.elf --host-memory 1m --input second.elf --with second.elf */
#include <tessera/firmware.h>

enum { kMagic = 0x464c457f, kLoad = 1, kMostSegments = 8 };
struct header {
  uint32_t magic, ident[3];
  uint16_t type, machine;
  uint32_t version, entry, segments_at, sections_at, flags;
  uint16_t header_bytes, segment_bytes, segments;
  uint16_t rest[3];
};
struct segment {
  uint32_t type, offset, address, physical, file_bytes, memory_bytes, flags, alignment;
};

extern char __memory_base[], __memory_end[];
static const uint32_t own_text = 0x70000;

/* Whether the segment is of this tile and leaves the loader and its stack alone. */
static int fits(const struct segment* s) {
  const uint32_t end = s->address + s->memory_bytes;
  if (s->address % 4 != 0 || s->offset % 4 != 0 || s->file_bytes > s->memory_bytes || end < s->address) return 0;
  return s->address >= (uint32_t)__memory_base && end <= own_text;
}

int main(void) {
  static struct header header;
  static struct segment segment;
  tessera_sync_external();
  tessera_read_host((uint32_t*)&header, 0, sizeof header / 4);
  if (header.magic != kMagic || header.segment_bytes != sizeof segment || header.segments > kMostSegments) return 1;
  for (unsigned i = 0; i < header.segments; ++i) {
    tessera_read_host((uint32_t*)&segment, header.segments_at + i * sizeof segment, sizeof segment / 4);
    if (segment.type != kLoad || segment.memory_bytes == 0) continue;
    if (!fits(&segment)) return 2;
    const uint32_t words = (segment.file_bytes + 3) / 4;
    tessera_read_host((uint32_t*)segment.address, segment.offset, words);
    memset((char*)segment.address + segment.file_bytes, 0, segment.memory_bytes - segment.file_bytes);
  }
  printf("tile %u: loaded, entry %#x\n", tessera_tile_id(), header.entry);
  __asm__ volatile("fence.i" : : : "memory"); /* fetches see what was written */
  ((void (*)(void))header.entry)();
  return 3;
}
