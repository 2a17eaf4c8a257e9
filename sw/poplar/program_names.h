// What tessera-machine is told of a program, so that its waves, traces, debugger and failure reports name things.
#pragma once

#include <string>

#include "compiler/image/executable.h"
#include "inspect/program_info.h"

namespace tessera::runtime {

// `title`: what the program is called in them.
inspect::ProgramInfo program_names(const image::Executable& executable, const std::string& title);

}  // namespace tessera::runtime
