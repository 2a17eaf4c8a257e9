#include "inspect/gdb/thread_ids.h"

#include "inspect/gdb/rsp.h"

namespace tessera::inspect::gdb {
namespace {

// A part of an id: nothing for "0" (any) and "-1" (all). False: it is neither that nor a number.
bool parse_part(std::string_view text, std::optional<unsigned>& number) {
  number.reset();
  if (text == "-1") return true;
  const auto value = hex_number(text);
  if (!value || *value > 0xffffff) return false;
  if (*value != 0) number = static_cast<unsigned>(*value - 1);
  return true;
}

}  // namespace

std::optional<ThreadId> parse_thread(std::string_view text, bool processes) {
  ThreadId id;
  std::optional<unsigned> number;
  if (processes && !text.empty() && text.front() == 'p') {
    text.remove_prefix(1);
    const bool whole = text.find('.') == std::string_view::npos;
    if (!parse_part(cut(text, '.'), id.tile) || (!whole && !parse_part(text, id.context))) return std::nullopt;
  } else {
    if (!parse_part(text, number)) return std::nullopt;
    if (number) id = {*number / kContextsOfTile, *number % kContextsOfTile};
  }
  if (id.context && *id.context >= kContextsOfTile) return std::nullopt;
  return id;
}

std::string thread_text(Thread thread, bool processes) {
  if (processes) return "p" + hex_text(thread.tile + 1) + "." + hex_text(thread.context + 1);
  return hex_text(thread.tile * kContextsOfTile + thread.context + 1);
}

std::string thread_name(const std::string& tile, unsigned context) {
  return tile + (context == 0 ? " supervisor" : " worker " + std::to_string(context - 1));
}

}  // namespace tessera::inspect::gdb
