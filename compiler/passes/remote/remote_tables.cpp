#include "compiler/passes/remote/remote_tables.h"

#include <utility>

#include "compiler/passes/memory/out_of_tile_memory.h"
#include "rtl/spec/remote_address.h"
#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kBeginBytes = 8;
constexpr std::uint64_t kRemoteEnd = std::uint64_t{1} << spec::kRemoteAddressBits;

void put(std::vector<std::uint8_t>& bytes, std::uint32_t offset, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::uint8_t>(word >> 8 * i);
}

// As control code adds them to the words of a packet.
void put_address(std::vector<std::uint8_t>& bytes, std::uint32_t offset, std::uint64_t address) {
  put(bytes, offset, spec::remote_address_word(address));
  put(bytes, offset + 4, spec::PacketHeader{.chip = spec::remote_address_chip(address)}.encode());
}

class TablesOfTransfer {
 public:
  TablesOfTransfer(const ir::Program& program, const ir::HostTransfer& transfer, bool to_device, ir::Blocks& blocks,
                   LoadData& load)
      : program_(program),
        transfer_(transfer),
        buffer_(program.remote_buffers[transfer.remote.buffer]),
        to_device_(to_device),
        blocks_(blocks),
        load_(load) {}

  RemoteTable of_tile(std::size_t number) {
    tile_ = transfer_.of_tile.tiles()[number];
    const auto range = transfer_.of_tile.range(number);
    RemoteTable table;
    const bool numbered = !transfer_.remote.numbers.empty();
    const std::uint32_t rows = numbered ? transfer_.remote.numbers[number].bytes / 4 : 1;
    table.rows = add_block(std::uint64_t{rows} * kRowAddressBytes);
    if (numbered) {
      table.begin = add_block(kBeginBytes + kRefusedBytes);
      load_addresses(table.begin, kBeginBytes + kRefusedBytes, [&](std::vector<std::uint8_t>& bytes) {
        const std::uint64_t nowhere = kRemoteEnd - 4 * (std::uint64_t{transfer_.remote.buffer} + 1);
        put(bytes, kBeginBytes, header(spec::PacketKind::kReadRemote, 1, spec::remote_address_chip(nowhere)));
        put(bytes, kBeginBytes + 4, spec::remote_address_word(nowhere));
      });
      load_.pointers.push_back({{table.begin, kBeginBytes + 8}, {table.rows, 0}});
    } else {
      load_addresses(table.rows, kRowAddressBytes, [](std::vector<std::uint8_t>&) {});
    }
    const std::uint32_t each = to_device_ ? kRemoteReadBytes : kRemoteWriteBytes;
    table.runs = add_block(std::uint64_t{range.size()} * each);
    ir::Content content{{table.runs, 0}, std::vector<std::uint8_t>(std::size_t{range.size()} * each)};
    for (std::uint32_t i = 0; i < range.size(); ++i) {
      const ir::HostRun& run = transfer_.runs[range.first + i];
      const ir::Place at{table.runs, i * each};
      to_device_ ? put_read(content.bytes, at, run, table.rows, run.at) : put_write(content.bytes, at, run, table.rows);
    }
    load_.contents.push_back(std::move(content));
    if (transfer_.remote.confirmed && !to_device_) {
      table.confirm = add_block(kRemoteReadBytes + 4);
      ir::Content confirm{{table.confirm, 0}, std::vector<std::uint8_t>(kRemoteReadBytes)};
      ir::HostRun last = transfer_.runs[range.last - 1];
      last.words = 1;
      put_read(confirm.bytes, {table.confirm, 0}, last, table.rows, {table.confirm, kRemoteReadBytes});
      load_.contents.push_back(std::move(confirm));
    }
    return table;
  }

 private:
  ir::BlockId add_block(std::uint64_t bytes) {
    const std::uint32_t size = tile_bytes(bytes, tile_, [] { return std::string("packets to remote memory"); });
    return ir::add_block(blocks_, {.tile = tile_, .bytes = size, .use = ir::BlockUse::kPacket});
  }

  // Where the buffer begins for the tile's chip, by replica, and what `rest` adds for all.
  template <class Rest>
  void load_addresses(ir::BlockId block, std::uint32_t bytes, const Rest& rest) {
    ir::ReplicaContent of_replicas{{block, 0}, {}};
    const std::size_t seen = buffer_.base.size() / program_.replicas;  // by all chips alike, or by each
    for (std::size_t replica = 0; replica < program_.replicas; ++replica) {
      std::vector<std::uint8_t>& all = of_replicas.bytes.emplace_back(bytes);
      put_address(all, 0, buffer_.base[replica * seen + (seen > 1 ? tile_ / program_.tiles_of_chip() : 0)]);
      rest(all);
    }
    load_.contents.push_back({of_replicas.at, of_replicas.bytes[0]});
    if (program_.replicas > 1) load_.replicas.push_back(std::move(of_replicas));
  }

  std::uint32_t header(spec::PacketKind kind, std::uint32_t words, std::uint32_t chip) const {
    return spec::PacketHeader{.words = words, .chip = chip, .tile = tile_ % program_.tiles_of_chip(), .kind = kind}
        .encode();
  }

  void put_write(std::vector<std::uint8_t>& bytes, const ir::Place& at, const ir::HostRun& run, ir::BlockId rows) {
    load_.pointers.push_back({at, {run.at.block, run.at.offset - 8}});
    put(bytes, at.offset + 4, header(spec::PacketKind::kWriteRemote, run.words, 0));
    put(bytes, at.offset + 8, run.host_offset / 4);
    put(bytes, at.offset + 12, run.words + 2);
    load_.pointers.push_back({{at.block, at.offset + 16}, {rows, run.row * kRowAddressBytes}});
  }

  void put_read(std::vector<std::uint8_t>& bytes, const ir::Place& at, const ir::HostRun& run, ir::BlockId rows,
                const ir::Place& target) {
    put(bytes, at.offset, header(spec::PacketKind::kReadRemote, run.words, 0));
    put(bytes, at.offset + 4, run.host_offset / 4);
    load_.pointers.push_back({{at.block, at.offset + 8}, {rows, run.row * kRowAddressBytes}});
    load_.pointers.push_back({{at.block, at.offset + kRemoteRequestOffset + 8}, target});
  }

  const ir::Program& program_;
  const ir::HostTransfer& transfer_;
  const ir::RemoteBuffer& buffer_;
  bool to_device_;
  ir::Blocks& blocks_;
  LoadData& load_;
  std::uint32_t tile_ = 0;
};

}  // namespace

RemoteTables make_remote_tables(const ir::Program& program, ir::Blocks& blocks, LoadData& load) {
  RemoteTables tables;
  tables.of_transfer.resize(program.host_transfers.size());
  for (std::size_t t = 0; t < program.host_transfers.size(); ++t) {
    const ir::HostTransfer& transfer = program.host_transfers[t];
    if (!transfer.remote.in_gateway()) continue;
    TablesOfTransfer of_transfer(program, transfer, ir::is_to_device(program.host.streams[t].use), blocks, load);
    for (std::size_t n = 0; n < transfer.of_tile.tiles().size(); ++n)
      tables.of_transfer[t].add(transfer.of_tile.tiles()[n], of_transfer.of_tile(n));
  }
  return tables;
}

}  // namespace tessera::compiler
