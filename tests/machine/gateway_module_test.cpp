// The gateway as a module: the cycles of its answers, what it holds and what that takes, what it refuses, and how it
// reaches a module of a user's own that is joined to it in place of another gateway. One elaboration serves all cases,
// which run in one SystemC thread.
#include <sys/stat.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <vector>

#include "systemc/gateway/gateway.h"
#include "systemc/gateway/gateway_link.h"
#include "tests/machine/systemc_session.h"

namespace {

using namespace tessera;

constexpr uint64_t kBytes = uint64_t{128} << 30, kLatency = 800;

constexpr uint64_t kNear = 1024, kFar = 4096, kLinkLatency = 70;

spec::System joined() {
  spec::System system;
  system.gateways = {{"near", {0}, kNear, 100, 4}, {"far", {1}, kFar, 100, 2}};
  system.gateway_links = {{{0, 1}, kLinkLatency, 3}};
  return system;
}

// In place of gateway 1: notes what comes by the link, and asks for what it likes.
struct OwnGateway : sc_core::sc_module {
  tlm_utils::simple_target_socket<OwnGateway> from_link{"from_link"};
  tlm_utils::simple_initiator_socket<OwnGateway> to_link{"to_link"};
  uint64_t address = 0, cycle = 0;
  unsigned tile = 0;
  bool here = false;

  explicit OwnGateway(sc_core::sc_module_name name) : sc_module(name) {
    from_link.register_b_transport(this, &OwnGateway::serve);
    from_link.register_transport_dbg(this, &OwnGateway::look);
  }
  void serve(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
    auto* const extension = transaction.get_extension<pcie::CycleExtension>();
    here = transaction.get_extension<gateway::WayExtension>()->rest.empty();
    address = transaction.get_address();
    cycle = extension->cycle;
    tile = extension->tile;
    extension->cycle += 11;  // a latency of its own
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned look(tlm::tlm_generic_payload& transaction) {
    const bool there = transaction.get_address() < kFar - 64;  // less than is described
    transaction.set_response_status(there ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return there ? transaction.get_data_length() : 0;
  }
};

struct Bench : sc_core::sc_module {
  pcie::ChipClock clock{1325000000};
  gateway::Gateway gateway{"gateway", {"g", {0, 2}, kBytes, kLatency, 3}, clock};
  tlm_utils::simple_initiator_socket<Bench> first{"first"}, second{"second"};

  gateway::Gateway near{"near", joined(), 0, clock};
  gateway::GatewayLink link{"link", kLinkLatency};
  OwnGateway own{"own"};
  tlm_utils::simple_initiator_socket<Bench> of_near{"of_near"};

  explicit Bench(sc_core::sc_module_name name) : sc_module(name) {
    of_near.bind(near.chips[0]);
    near.link_out[near.place_of(0)].bind(link.ends[0].in);
    link.ends[0].out.bind(near.link_in[near.place_of(0)]);
    own.to_link.bind(link.ends[1].in);
    link.ends[1].out.bind(own.from_link);
    first.bind(gateway.chips[0]);
    second.bind(gateway.chips[1]);
  }

  // The cycle of the answer.
  uint64_t transfer(tlm_utils::simple_initiator_socket<Bench>& socket, tlm::tlm_command command, uint64_t cycle,
                    uint64_t address, std::vector<uint32_t>& words) {
    pcie::CycleTransaction transaction(command, address, words.data(), static_cast<unsigned>(4 * words.size()), cycle);
    sc_core::sc_time delay = clock.delay_until(cycle);
    socket->b_transport(transaction.payload(), delay);
    REQUIRE(transaction.ok());
    CHECK(delay == clock.delay_until(transaction.cycle()));
    return transaction.cycle();
  }
  tlm::tlm_response_status look(uint64_t address, unsigned bytes) {
    std::vector<uint32_t> words(bytes / 4 + 1);
    pcie::CycleTransaction transaction(tlm::TLM_READ_COMMAND, address, words.data(), bytes, 5);
    const unsigned seen = first->transport_dbg(transaction.payload());
    CHECK(seen == (transaction.ok() ? bytes : 0));
    return transaction.payload().get_response_status();
  }
  uint64_t taken() const {
    struct stat status{};
    REQUIRE(::fstat(gateway.memory().descriptor(), &status) == 0);
    CHECK(status.st_size == static_cast<off_t>(kBytes));
    return static_cast<uint64_t>(status.st_blocks) * 512;
  }
};

Bench* bench = nullptr;

TEST_CASE("a read is answered behind the latency and the read before it, each chip for itself") {
  bench->gateway.restart();
  const auto read = [](auto& socket, uint64_t cycle, size_t words) {
    std::vector<uint32_t> data(words);
    return bench->transfer(socket, tlm::TLM_READ_COMMAND, cycle, 0, data);
  };
  CHECK(read(bench->first, 1000, 1) == 1000 + kLatency + 2);  // 4 bytes, 3 a cycle
  CHECK(read(bench->first, 1001, 256) == 1802 + 342);         // the first has just been answered
  CHECK(read(bench->first, 1002, 3) == 2144 + 4);             // behind it
  CHECK(read(bench->second, 1003, 3) == 1003 + kLatency + 4);
  CHECK(read(bench->first, 5000, 256) == 5000 + kLatency + 342);
  bench->gateway.restart();
  CHECK(read(bench->first, 0, 3) == kLatency + 4);
}

TEST_CASE("the chips have one memory, of which only what is written takes any") {
  const uint64_t before = bench->taken();
  std::vector<uint32_t> written{1, 2, 3}, read(3), zeros(256);
  const uint64_t far = kBytes - 12;
  CHECK(bench->transfer(bench->first, tlm::TLM_WRITE_COMMAND, 7, far, written) == 7);
  bench->transfer(bench->second, tlm::TLM_READ_COMMAND, 8, far, read);
  CHECK(read == written);
  bench->gateway.restart();
  bench->transfer(bench->second, tlm::TLM_READ_COMMAND, 8, far, read);
  CHECK(read == written);
  // Reading all over 128 GiB takes nothing.
  for (uint64_t at = 0; at < kBytes - 1024; at += kBytes / 1000 / 4 * 4) {
    zeros.assign(256, 1);
    bench->transfer(bench->first, tlm::TLM_READ_COMMAND, 9, at, zeros);
    REQUIRE(zeros == std::vector<uint32_t>(256));
  }
  CHECK(bench->taken() - before <= 2 << 20);  // one page, of whatever size
}

TEST_CASE("what lies outside is an address error, and what is no access another") {
  CHECK(bench->look(0, 4) == tlm::TLM_OK_RESPONSE);
  CHECK(bench->look(kBytes - 4, 4) == tlm::TLM_OK_RESPONSE);
  CHECK(bench->look(kBytes, 0) == tlm::TLM_OK_RESPONSE);
  CHECK(bench->look(kBytes, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench->look(kBytes - 4, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench->look(~uint64_t{3}, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench->look(2, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(bench->look(0, 3) == tlm::TLM_BURST_ERROR_RESPONSE);
  tlm::tlm_generic_payload plain;  // no cycle
  uint32_t word = 0;
  plain.set_command(tlm::TLM_READ_COMMAND);
  plain.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  plain.set_data_length(4);
  plain.set_streaming_width(4);
  sc_core::sc_time delay;
  bench->first->b_transport(plain, delay);
  CHECK(plain.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_CASE("a module in place of a gateway gets and gives what the link passes") {
  bench->near.restart();
  std::vector<uint32_t> words(9);
  pcie::CycleTransaction read(tlm::TLM_READ_COMMAND, kNear + 36, words.data(), 36, 1000, 3);
  sc_core::sc_time delay;
  bench->of_near->b_transport(read.payload(), delay);
  CHECK(read.ok());
  CHECK(bench->own.address == 36);
  CHECK(bench->own.cycle == 1000 + kLinkLatency);
  CHECK(bench->own.tile == 3);
  CHECK(bench->own.here);
  CHECK(read.payload().get_address() == kNear + 36);
  // Its own latency, and the rate that is described: 2 bytes a cycle, of 3 on the link.
  CHECK(read.cycle() == 1000 + 2 * kLinkLatency + 11 + 18);
  pcie::CycleTransaction write(tlm::TLM_WRITE_COMMAND, kNear, words.data(), 36, 1001);
  bench->of_near->b_transport(write.payload(), delay);
  CHECK(write.ok());
  CHECK(write.cycle() == 1001);
  const auto look = [](uint64_t address) {
    uint32_t word = 0;
    pcie::CycleTransaction transaction(tlm::TLM_READ_COMMAND, address, &word, 4, 5);
    bench->of_near->transport_dbg(transaction.payload());
    return transaction.payload().get_response_status();
  };
  CHECK(look(kNear - 4) == tlm::TLM_OK_RESPONSE);
  CHECK(look(kNear + kFar - 68) == tlm::TLM_OK_RESPONSE);
  CHECK(look(kNear + kFar - 64) == tlm::TLM_ADDRESS_ERROR_RESPONSE);  // the module says so
  CHECK(look(kNear + kFar) == tlm::TLM_ADDRESS_ERROR_RESPONSE);

  // And the other way: near answers with the first byte's cycle.
  uint32_t word = 81;
  words = {word};
  bench->transfer(bench->of_near, tlm::TLM_WRITE_COMMAND, 1002, 8, words);
  word = 0;
  pcie::CycleTransaction back(tlm::TLM_READ_COMMAND, 8, &word, 4, 2000);
  gateway::WayExtension way;
  back.payload().set_extension(&way);
  bench->own.to_link->b_transport(back.payload(), delay);
  back.payload().clear_extension(&way);
  CHECK(back.ok());
  CHECK(word == 81);
  CHECK(back.cycle() == 2000 + 2 * kLinkLatency + 100);
}

}  // namespace

int sc_main(int argc, char* argv[]) { return tessera::test::run_session(bench, argc, argv); }

int main(int argc, char* argv[]) { return tessera::test::run_systemc(argc, argv); }
