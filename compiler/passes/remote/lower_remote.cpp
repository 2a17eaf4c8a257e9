#include "compiler/passes/remote/lower_remote.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "compiler/passes/remote/place_buffers.h"

namespace tessera::compiler {
namespace {

// A packet carries two words beside its payload, and takes its turn in the exchange block: below so many bytes on
// average an exchange costs less.
constexpr std::uint32_t kWorthPackets = 128;
constexpr std::uint32_t kPieceAlign = 32;  // bytes of a row that come to one buffer, at least and as a multiple

// Bytes of a row that stand on a tile.
struct Piece {
  ir::Place at{};
  std::uint32_t row = 0, offset = 0, bytes = 0;
};

class RemoteLowering {
 public:
  RemoteLowering(std::uint32_t buffer, ir::StreamUse use, Storage& storage, ir::Program& program)
      : buffer_(program.remote_buffers[buffer]), storage_(storage), program_(program) {
    transfer_.remote.buffer = buffer;
    stream_.handle = buffer_.handle;
    stream_.use = use;
    if (buffer_.row_bytes > std::numeric_limits<std::uint32_t>::max() - kPieceAlign)
      throw OutOfGatewayMemory("Remote buffer '" + buffer_.handle + "': a copy takes rows of less than 4 GiB, not of " +
                               std::to_string(buffer_.row_bytes) + " bytes");
    row_bytes_ = static_cast<std::uint32_t>(buffer_.row_bytes);
  }

  RemoteCopy run(const std::string& name, const graph::TensorRef* rows, const graph::TensorRef& data) {
    stream_.type = data.type;
    stream_.elements = data.view.num_elements();
    stream_.bytes = stream_.elements * graph::size_of(data.type);
    stream_.shape.assign(data.view.shape().begin(), data.view.shape().end());
    find_pieces(data);
    RemoteCopy copy;
    if (!go_as_they_stand()) copy.order = add_exchange(name, put_in_order());
    std::stable_sort(pieces_.begin(), pieces_.end(), [&](const Piece& a, const Piece& b) {
      return std::pair(tile(a.at), a.row) < std::pair(tile(b.at), b.row);
    });
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> rows_of_tile = number_rows();
    if (rows != nullptr) copy.numbers = add_exchange(name, bring_numbers(*rows, rows_of_tile));
    for (const Piece& piece : pieces_) add_runs(piece);
    transfer_.of_tile =
        ir::TileIndex::of(transfer_.runs.size(), [&](std::size_t i) { return tile(transfer_.runs[i].at); });
    program_.host.streams.push_back(std::move(stream_));
    program_.host_transfers.push_back(std::move(transfer_));
    copy.transfer = static_cast<std::uint32_t>(program_.host.streams.size() - 1);
    return copy;
  }

 private:
  std::uint32_t tile(const ir::Place& at) const { return program_.blocks[at.block].tile; }

  // Ascending in rows and offsets.
  void find_pieces(const graph::TensorRef& data) {
    std::uint64_t done = 0;
    storage_.for_each_span(data.view, [&](const ir::Span& span) {
      for (std::uint32_t taken = 0; taken < span.bytes;) {
        const auto row = static_cast<std::uint32_t>(done / row_bytes_),
                   offset = static_cast<std::uint32_t>(done % row_bytes_);
        const std::uint32_t bytes = std::min(span.bytes - taken, row_bytes_ - offset);
        pieces_.push_back({{span.at.block, span.at.offset + taken}, row, offset, bytes});
        taken += bytes;
        done += bytes;
      }
    });
  }

  // What the last word of a row has beyond it is nobody's in the buffer, and has to be so on the tile.
  bool is_whole(const Piece& piece) const {
    if (piece.at.offset % 4 != 0 || piece.offset % 4 != 0) return false;
    return piece.bytes % 4 == 0 || (piece.offset + piece.bytes == row_bytes_ &&
                                    piece.at.offset + piece.bytes == program_.blocks[piece.at.block].bytes);
  }
  bool go_as_they_stand() const {
    std::uint64_t bytes = 0;
    for (const Piece& piece : pieces_) {
      if (!is_whole(piece)) return false;
      bytes += piece.bytes;
    }
    return pieces_.size() == bytes / row_bytes_ || bytes / pieces_.size() >= kWorthPackets;
  }

  // Cuts the rows into equal parts, each to a buffer on a tile that has some of the tensor, in turn; of several chips
  // on the one that has the most of the part. Moves between the pieces and these buffers, which are the pieces then.
  std::vector<ir::Move> put_in_order() {
    std::vector<std::vector<std::uint32_t>> tiles(program_.chips);  // that have some, by chip
    for (const Piece& piece : pieces_) tiles[program_.chip_of(tile(piece.at))].push_back(tile(piece.at));
    std::size_t all = 0;
    for (std::vector<std::uint32_t>& some : tiles) {
      std::sort(some.begin(), some.end());
      some.erase(std::unique(some.begin(), some.end()), some.end());
      all += some.size();
    }
    const std::uint64_t each = ir::round_up((stream_.bytes + all - 1) / all, kPieceAlign);
    std::vector<std::size_t> turn(program_.chips);
    std::vector<Piece> ordered;
    std::vector<ir::Move> moves;
    std::size_t next = 0;
    std::uint32_t used = 0;  // bytes of pieces_[next]
    const auto rows = static_cast<std::uint32_t>(stream_.bytes / row_bytes_);
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t offset = 0; offset < row_bytes_;) {
        Piece part{.row = row, .offset = offset};
        part.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(each, row_bytes_ - offset));
        std::vector<ir::Move> taken;  // from the pieces
        std::vector<std::uint64_t> of_chip(program_.chips);
        for (std::uint32_t done = 0; done < part.bytes;) {
          const Piece& piece = pieces_[next];
          const std::uint32_t bytes = std::min(part.bytes - done, piece.bytes - used);
          taken.push_back({{piece.at.block, piece.at.offset + used}, {0, done}, bytes});
          of_chip[program_.chip_of(tile(piece.at))] += bytes;
          done += bytes;
          if ((used += bytes) == piece.bytes) ++next, used = 0;
        }
        const auto chip = static_cast<std::size_t>(std::ranges::max_element(of_chip) - of_chip.begin());
        const std::uint32_t on = tiles[chip][turn[chip]++ % tiles[chip].size()];
        part.at.block =
            ir::add_block(program_.blocks, {.tile = on,
                                            .bytes = static_cast<std::uint32_t>(ir::round_up(part.bytes, 4)),
                                            .use = ir::BlockUse::kBuffer});
        for (ir::Move& move : taken) {
          move.target.block = part.at.block;
          if (ir::is_to_device(stream_.use)) std::swap(move.source, move.target);
        }
        moves.insert(moves.end(), taken.begin(), taken.end());
        ordered.push_back(part);
        offset += part.bytes;
      }
    pieces_ = std::move(ordered);
    return moves;
  }

  // The rows of each tile; pieces name them by their place among these from then on.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> number_rows() {
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> rows;
    for (Piece& piece : pieces_) {
      if (rows.empty() || rows.back().first != tile(piece.at)) rows.push_back({tile(piece.at), {}});
      std::vector<std::uint32_t>& of_tile = rows.back().second;
      if (of_tile.empty() || of_tile.back() != piece.row) of_tile.push_back(piece.row);
      piece.row = static_cast<std::uint32_t>(of_tile.size() - 1);
    }
    return rows;
  }

  std::vector<ir::Move> bring_numbers(
      const graph::TensorRef& rows, const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>& of_tile) {
    std::vector<ir::Place> numbers;
    storage_.for_each_span(rows.view, [&](const ir::Span& span) {
      for (std::uint32_t i = 0; i < span.bytes; i += 4) numbers.push_back({span.at.block, span.at.offset + i});
    });
    std::vector<ir::Move> moves;
    for (const auto& [tile, some] : of_tile) {
      const std::uint32_t bytes = 4 * static_cast<std::uint32_t>(some.size());
      const ir::BlockId block =
          ir::add_block(program_.blocks, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kBuffer});
      transfer_.remote.numbers.push_back({{block, 0}, bytes});
      for (std::uint32_t i = 0; i < some.size(); ++i) {
        const ir::Move move{numbers[some[i]], {block, 4 * i}, 4};
        if (i > 0 && moves.back().source.block == move.source.block &&
            moves.back().source.offset + moves.back().bytes == move.source.offset)
          moves.back().bytes += 4;
        else
          moves.push_back(move);
      }
    }
    return moves;
  }

  void add_runs(const Piece& piece) {
    const std::uint32_t words = (piece.bytes + 3) / 4;
    for (std::uint32_t done = 0; done < words; done += ir::kMaxPacketWords)
      transfer_.runs.push_back({{piece.at.block, piece.at.offset + 4 * done},
                                piece.offset + 4 * done,
                                std::min(ir::kMaxPacketWords, words - done),
                                piece.row});
  }

  std::uint32_t add_exchange(const std::string& name, std::vector<ir::Move> moves) {
    for (const ir::Move& move : moves) program_.blocks[move.target.block].copied = true;
    program_.exchanges.push_back({.name = name, .moves = std::move(moves)});
    return static_cast<std::uint32_t>(program_.exchanges.size() - 1);
  }

  const ir::RemoteBuffer& buffer_;
  Storage& storage_;
  ir::Program& program_;
  std::uint32_t row_bytes_ = 0;
  ir::Stream stream_;
  ir::HostTransfer transfer_;
  std::vector<Piece> pieces_;
};

}  // namespace

RemoteCopy lower_remote_copy(const std::string& name, std::uint32_t buffer, ir::StreamUse use,
                             const graph::TensorRef* rows, const graph::TensorRef& data, Storage& storage,
                             ir::Program& program) {
  return RemoteLowering(buffer, use, storage, program).run(name, rows, data);
}

}  // namespace tessera::compiler
