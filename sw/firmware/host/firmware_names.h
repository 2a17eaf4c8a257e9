// What parts that look into a run need to know of firmware, from its ELF file.
#pragma once

#include "program/program_info.h"
#include "rtl/spec/machine.h"
#include "sw/firmware/host/elf_image.h"

namespace tessera::firmware {

// Functions as symbols, objects as variables of these tiles, stacks, and the file itself for its source lines. Programs
// that are not loaded yet (a boot loader's) give their functions and objects too.
names::ProgramInfo firmware_names(const std::vector<ElfImage>& images, const std::vector<unsigned>& tiles,
                                  const spec::Machine& machine);

}  // namespace tessera::firmware
