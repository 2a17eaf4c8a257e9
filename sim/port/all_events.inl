// In the class body of an Observer (chip.h) that hears every event: its overrides.
void retire(unsigned tile, const chip::Retire&) override;
void port_write(unsigned tile, const chip::PortWrite&) override;
void superstep(uint64_t index, uint64_t cycle) override;
void sent(unsigned tile, uint64_t cycle, uint32_t data) override;
void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override;
void selected(unsigned tile, uint64_t cycle, unsigned source) override;
void exchanging(unsigned tile, uint64_t cycle, bool on) override;
void sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) override;
void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                      uint64_t phase_start) override;
void host_sync(uint64_t cycle) override;
void packet_request(unsigned tile, uint64_t cycle) override;
void packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) override;
void packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) override;
void excepted(unsigned tile, const chip::ExceptionStatus&) override;
void debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace, unsigned context, uint32_t address,
                   uint32_t data) override;
void debug_time(uint64_t begin, uint64_t end) override;
