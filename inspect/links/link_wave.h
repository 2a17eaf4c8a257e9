// The packets on links as waves: docs/reference/trace.md, Links.
#pragma once

#include <memory>
#include <string>

#include "inspect/links/link_trace.h"

namespace tessera::inspect::links {

// Throws std::runtime_error, one line.
std::unique_ptr<PassageFile> make_wave(const std::string& path, const spec::System& system);

}  // namespace tessera::inspect::links
