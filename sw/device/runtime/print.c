/* The tile's half of printf: room in the context's own buffer, which no other context touches. */
#include <tessera/print.h>

struct tessera_print_buffer tessera_print_buffers[TESSERA_PRINT_CONTEXTS];
struct tessera_attention tessera_attention;

uint32_t* tessera_print_begin(const char* format, unsigned count) {
  const unsigned words = count & ~TESSERA_PRINT_DOUBLES;
  struct tessera_print_buffer* buffer = &tessera_print_buffers[tessera_worker_id()];
  if (words + 1 > TESSERA_PRINT_WORDS - buffer->used) {
    buffer->lost++;
    tessera_attention.printed = 1;
    return 0;
  }
  uint32_t* at = &buffer->words[buffer->used];
  *at = (uint32_t)(uintptr_t)format | (uint32_t)count << TESSERA_PRINT_COUNT_SHIFT;
  return at + 1;
}

void tessera_print_end(unsigned words) {
  tessera_print_buffers[tessera_worker_id()].used += words + 1;
  tessera_attention.printed = 1;
}
