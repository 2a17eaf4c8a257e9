// What passes on links as a picture for Perfetto: docs/reference/trace.md, Links.
#pragma once

#include <memory>
#include <string>

#include "inspect/links/link_trace.h"

namespace tessera::inspect::links {

// Throws formats::CannotWrite.
std::unique_ptr<PassageFile> make_picture(const std::string& path, const spec::System& system);

}  // namespace tessera::inspect::links
