// The gateway as a module: the cycles of its answers, what it holds and what that takes, what it refuses. One
// elaboration serves all cases, which run in one SystemC thread.
#include <sys/stat.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <vector>

#include "systemc/gateway/gateway.h"
#include "tests/machine/systemc_session.h"

namespace {

using namespace tessera;

constexpr uint64_t kBytes = uint64_t{128} << 30, kLatency = 800;

struct Bench : sc_core::sc_module {
  pcie::ChipClock clock{1325000000};
  gateway::Gateway gateway{"gateway", {"g", {0, 2}, kBytes, kLatency, 3}, clock};
  tlm_utils::simple_initiator_socket<Bench> first{"first"}, second{"second"};

  explicit Bench(sc_core::sc_module_name name) : sc_module(name) {
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

}  // namespace

int sc_main(int argc, char* argv[]) { return tessera::test::run_session(bench, argc, argv); }

int main(int argc, char* argv[]) { return tessera::test::run_systemc(argc, argv); }
