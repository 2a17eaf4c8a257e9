#include "compiler/passes/lower/lower_host.h"

#include <algorithm>

#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kBufferAlign = 64;         // bytes of host memory
constexpr std::uint64_t kHostMemory = 0xffffffc0;  // of 32-bit addresses

struct StreamPart {
  ir::Span span;
  std::uint64_t stream_offset;
};

// Words that cover bytes [begin, end) of a block; whether they may be written whole.
struct Cover {
  ir::BlockId block;
  std::uint32_t begin, end;

  std::uint32_t first_word() const { return begin / 4 * 4; }
  std::uint32_t words() const { return (ir::round_up(end, 4) - first_word()) / 4; }
  bool whole(const ir::Program& program) const {
    return begin % 4 == 0 && (end % 4 == 0 || end == program.blocks[block].bytes);
  }
};

}  // namespace

std::uint32_t add_host_transfer(const ir::Stream& stream, const graph::TensorRef* tensor, Storage& storage,
                                ir::Program& program) {
  ir::Stream result = stream;
  ir::HostTransfer transfer;
  std::vector<StreamPart> parts;
  if (tensor != nullptr) {
    result.type = tensor->type;
    result.elements = tensor->view.num_elements();
    result.bytes = result.elements * graph::size_of(tensor->type);
    result.shape.assign(tensor->view.shape().begin(), tensor->view.shape().end());
    std::uint64_t offset = 0;
    storage.for_each_span(tensor->view, [&](const ir::Span& span) {
      parts.push_back({span, offset});
      offset += span.bytes;
    });
  }
  std::stable_sort(parts.begin(), parts.end(), [&](const StreamPart& a, const StreamPart& b) {
    const std::uint32_t tile_a = program.blocks[a.span.at.block].tile, tile_b = program.blocks[b.span.at.block].tile;
    if (tile_a != tile_b) return tile_a < tile_b;
    if (a.span.at.block != b.span.at.block) return a.span.at.block < b.span.at.block;
    return a.span.at.offset < b.span.at.offset;
  });

  const auto in_host_memory = [&](std::uint64_t end) {
    if (end > kHostMemory)
      throw OutOfHostMemory("Out of memory: the buffers of all streams take " + std::to_string(end) +
                            " bytes of host memory up to '" + result.handle + "', tiles address " +
                            std::to_string(kHostMemory));
    return static_cast<std::uint32_t>(end);
  };
  result.host_offset = in_host_memory(ir::round_up(program.host.bytes, kBufferAlign));
  std::uint32_t host = result.host_offset;
  std::vector<ir::Move> after;
  for (std::size_t i = 0; i < parts.size();) {
    Cover cover{parts[i].span.at.block, parts[i].span.at.offset, parts[i].span.at.offset};
    for (; i < parts.size() && parts[i].span.at.block == cover.block && parts[i].span.at.offset <= cover.end; ++i) {
      const ir::Span& span = parts[i].span;
      cover.end = std::max(cover.end, span.at.offset + span.bytes);
      result.pieces.push_back({parts[i].stream_offset, host + span.at.offset - cover.first_word(), span.bytes});
    }
    const std::uint32_t host_end = in_host_memory(std::uint64_t{host} + 4 * std::uint64_t{cover.words()});
    ir::Place at{cover.block, cover.first_word()};
    if (ir::is_to_device(result.use) && !cover.whole(program)) {
      const ir::BlockId staging = ir::add_block(
          program.blocks,
          {.tile = program.blocks[cover.block].tile, .bytes = 4 * cover.words(), .use = ir::BlockUse::kBuffer});
      after.push_back({{staging, cover.begin % 4}, {cover.block, cover.begin}, cover.end - cover.begin});
      at = {staging, 0};
    }
    for (std::uint32_t done = 0; done < cover.words(); done += ir::kMaxPacketWords)
      transfer.runs.push_back(
          {{at.block, at.offset + 4 * done}, host + 4 * done, std::min(ir::kMaxPacketWords, cover.words() - done)});
    host = host_end;
  }
  result.host_bytes = host - result.host_offset;
  program.host.bytes = host;

  std::sort(result.pieces.begin(), result.pieces.end(),
            [](const ir::HostPiece& a, const ir::HostPiece& b) { return a.stream_offset < b.stream_offset; });
  std::vector<ir::HostPiece> joined;
  for (const ir::HostPiece& piece : result.pieces) {
    if (!joined.empty() && joined.back().stream_offset + joined.back().bytes == piece.stream_offset &&
        joined.back().host_offset + joined.back().bytes == piece.host_offset)
      joined.back().bytes += piece.bytes;
    else
      joined.push_back(piece);
  }
  result.pieces = std::move(joined);

  transfer.of_tile = ir::TileIndex::of(transfer.runs.size(),
                                       [&](std::size_t i) { return program.blocks[transfer.runs[i].at.block].tile; });
  transfer.after = std::move(after);
  program.host.streams.push_back(std::move(result));
  program.host_transfers.push_back(std::move(transfer));
  return program.host.streams.size() - 1;
}

}  // namespace tessera::compiler
