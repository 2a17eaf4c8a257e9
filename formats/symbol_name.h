// Names as linkers have them, in the words of the source.
#pragma once

#include <string>
#include <string_view>

namespace tessera::formats {

// "_ZN4demo4stepEv": "demo::step()". A name of C stays what it is, also where a type is mangled that way ("f", "i").
std::string readable_symbol(std::string_view symbol);

}  // namespace tessera::formats
