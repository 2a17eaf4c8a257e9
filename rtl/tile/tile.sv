// One tile (docs/reference/tile.md). The ports are those of sim/port/tile_port.h; every output is a function of
// registers only. Inputs of cycle t are taken at the edge that ends it; slot_i, cycle_i and site_i count from the
// next cycle on, so that the tile may be left alone while idle_o is high. Words of the exchange and of packets enter
// a register, and are used in the cycle behind that in which they are on the input.
//
//   front         F, D   issue, decode, register files, operands; pipeline, which goes on to W
//   execute       X1, X2 alu, branch, float_move, lane_move, multiply, stream_address, memory_access, the FPU and the
//                        divide rings; their results
//   arithmetic    X1..W  packed operations, special functions, matrix engine, random numbers
//   commit        M      csr, exceptions, worker_control, sync_wait
//   retire        W      register write, record
//   memory_ports         tile_memory, exchange_sequencer, packet_port
//   debug_access         the debug port
module tile (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               test_en_i,         // clocks of units run always (clock_gate)
    input  logic               clear_memory_i,    // in reset: the memory too (tile.md, Reset)
    input  logic        [ 2:0] slot_i,            // cycle_i mod 6
    input  logic        [63:0] cycle_i,
    input  words_pkg::tile_site_t   site_i,
    input  words_pkg::sync_answer_t sync_i,
    input  logic               exchange_valid_i,
    input  logic        [31:0] exchange_data_i,
    input  logic               pair_valid_i,      // what is on that tile's input, a cycle behind paired_o
    input  logic        [31:0] pair_data_i,
    input  logic               packet_grant_i,
    input  logic               packet_valid_i,
    input  logic               packet_first_i,
    input  logic        [31:0] packet_data_i,
    input  logic               debug_valid_i,
    input  logic               debug_write_i,
    input  logic        [ 2:0] debug_space_i,
    input  logic        [ 2:0] debug_context_i,
    input  logic        [31:0] debug_address_i,
    input  logic        [31:0] debug_wdata_i,
    output words_pkg::sync_request_t sync_o,
    output logic               exchange_valid_o,
    output logic        [31:0] exchange_data_o,
    output logic        [10:0] exchange_select_o,
    output logic               pair_valid_o,      // on the way from the other tile's port
    output logic        [31:0] pair_data_o,
    output logic               paired_o,
    output logic               packet_request_o,
    output logic               packet_valid_o,
    output logic               packet_last_o,
    output logic        [31:0] packet_data_o,
    output logic        [31:0] debug_data_o,
    output logic               debug_refused_o,  // the last access of the debug port
    output logic               exception_o,
    output logic               idle_o,
    output logic               exchanging_o,
    output words_pkg::observe_t observe_o
);
  // For speed a simulation may let every edge of clk_i end a cycle: one evaluation each, in which clk rises and falls.
  // Gated clocks then need no latch (clock_gate.sv).
  logic clk;
`ifdef TESSERA_BOTH_EDGES
  (* simulation_speed *)
  logic edge_q;  // by its name rtl/spec/generate_tile_state.cpp knows such a tile
  always_ff @(posedge clk) edge_q <= clk_i;
  assign clk = clk_i ^ edge_q;
`else
  assign clk = clk_i;
`endif

  logic [2:0] slot_q;
  logic [63:0] cycle_q;  // of this cycle
  words_pkg::tile_site_t site_q;
  always_ff @(posedge clk) begin
    slot_q <= slot_i == 3'd5 ? 3'd0 : slot_i + 3'd1;
    cycle_q <= cycle_i + 64'd1;
    site_q <= site_i;
  end

  // In reset an entry a cycle of every array is cleared: whatever the count begins with, it comes to all of them.
  memory_pkg::reset_t reset_entry_q;
  memory_pkg::clear_t clear;
  always_ff @(posedge clk) if (!rst_ni) reset_entry_q <= reset_entry_q + 1'b1;
  assign clear.valid = clear_memory_i & !rst_ni;
  assign clear.row = reset_entry_q[memory_pkg::ROW_BITS-1:0];

  // What passes between the parts, by the stage in which it is (stage_pkg).
  stage_pkg::instruction_t   x1, x2, m, w;
  stage_pkg::operands_t      x1_operands;
  stage_pkg::work_t          x1_work;
  stage_pkg::wake_t          d_wake;
  stage_pkg::latches_t       x1_latches;
  stage_pkg::executed_t      m_executed;
  memory_pkg::accesses_t      m_accesses;
  stage_pkg::clash_t         m_clash;
  stage_pkg::port_operands_t m_wrong;
  stage_pkg::effect_t        m_effect;
  stage_pkg::writes_t        w_writes;
  stage_pkg::launch_t        w_launch;
  logic        fetch, m_watched, m_system;
  logic [19:2] fetch_address;
  logic [2:0]  d_context, d_frm, x1_control;
  logic [4:0]  m_arithmetic_flags, w_flags;
  logic [31:0] fetch_word, m_clash_address, m_csr;
  logic [16:0] w_write_word;
  logic [63:0] m_arithmetic, w_rdata, w_rdata1, w_result, w_base;
  // Contexts, ports, CSRs, debugger.
  stage_pkg::port_faults_t   port_faults;
  stage_pkg::ports_t         ports;
  stage_pkg::port_writes_t   port_writes;
  stage_pkg::status_t        status;
  stage_pkg::exception_t     exception;
  stage_pkg::csr_read_t      csr_read;
  stage_pkg::csr_write_t     csr_write;
  stage_pkg::debug_write_t   debug_write;
  stage_pkg::debug_read_t    debug_read;
  stage_pkg::vector_read_t   vector_read;
  stage_pkg::front_read_t    front_read;
  logic        supervisor_waits, supervisor_issues, sans_waits, stopped;
  stage_pkg::consumes_t consumes;
  logic        stages_busy, memory_busy, arithmetic_idle, sequencer_start, external_phase, packet_requests;
  logic [5:0]  active;
  logic [6:0]  held, before_breakpoint;
  logic [19:0] armed_event;
  logic [31:0] arithmetic_csr, repeat_csr, csr_rdata, arithmetic_rdata, repeat_rdata, watchpoint_rdata;

  front u_front (
    .clk_i(clk), .rst_ni, .reset_entry_i(reset_entry_q[7:0]), .slot_i(slot_q), .active_i(active), .held_i(held), .excepted_i(status.excepted), .busy_o(stages_busy),
    .supervisor_waits_i(supervisor_waits), .supervisor_issues_o(supervisor_issues), .many_syncs_i(status.many_syncs), .sans_waits_o(sans_waits),
    .fetch_o(fetch), .fetch_address_o(fetch_address), .fetch_word_i(fetch_word),
    .d_context_o(d_context), .d_frm_i(d_frm), .x1_o(x1), .d_wake_o(d_wake), .x1_work_o(x1_work), .x1_operands_o(x1_operands), .x2_o(x2),
    .m_o(m), .m_executed_i(m_executed), .m_effect_i(m_effect), .w_o(w), .w_writes_i(w_writes),
    .w_result_i(w_result), .w_pair_i(w_rdata1), .w_base_i(w_base), .w_launch_i(w_launch),
    .debug_write_i(debug_write), .debug_read_i(debug_read), .vector_read_i(vector_read), .read_o(front_read), .read_repeat_o(repeat_rdata),
    .csr_repeat_o(repeat_csr), .consumes_o(consumes),
    .stopped_o(stopped), .before_breakpoint_o(before_breakpoint)
  );

  execute u_execute (
    .clk_i(clk), .rst_ni, .test_en_i, .d_wake_i(d_wake), .squash_i(m_effect.freeze | debug_write.start),
    .x1_i(x1), .x1_work_i(x1_work), .x1_operands_i(x1_operands), .x1_latches_i(x1_latches), .x2_i(x2),
    .m_i(m), .m_commits_i(m_effect.commits), .m_watched_o(m_watched), .m_csr_i(m_csr), .m_arithmetic_i(m_arithmetic),
    .m_arithmetic_flags_i(m_arithmetic_flags), .m_clash_access_i(m_clash.access), .m_clash_address_o(m_clash_address),
    .m_o(m_executed), .m_accesses_o(m_accesses), .w_i(w), .w_rdata_i(w_rdata),
    .w_result_o(w_result), .w_base_o(w_base), .w_write_word_o(w_write_word),
    .debug_write_i(debug_write), .read_context_i(debug_read.context_id), .read_watchpoint_o(watchpoint_rdata)
  );

  arithmetic u_arithmetic (
    .clk_i(clk), .rst_ni, .reset_context_i(reset_entry_q[2:0]), .test_en_i, .d_wake_i(d_wake), .idle_o(arithmetic_idle),
    .x1_i(x1), .x1_work_i(x1_work), .x1_operands_i(x1_operands), .x1_control_i(x1_control), .x1_latches_o(x1_latches),
    .m_unit_i(m.unit), .m_commits_i(m_effect.commits), .m_result_o(m_arithmetic), .m_flags_o(m_arithmetic_flags),
    .w_i(w), .w_done_i(w_writes.done), .w_result_i(w_result), .w_rdata_i(w_rdata), .w_rdata1_i(w_rdata1), .w_launch_i(w_launch.workers),
    .csr_read_i(csr_read), .csr_rdata_o(arithmetic_csr), .csr_write_i(csr_write),
    .vector_read_i(vector_read), .vector_rdata_o(arithmetic_rdata), .debug_write_i(debug_write)
  );

  stage_pkg::port_word_t    exchange_q, exchange_out, pair_q, pair_out;
  stage_pkg::packet_word_t  packet_q;
  stage_pkg::packet_out_t   packet_out;
  always_ff @(posedge clk) begin
    exchange_q.valid <= rst_ni & exchange_valid_i;
    pair_q.valid     <= rst_ni & pair_valid_i;
    packet_q.valid   <= rst_ni & packet_valid_i;
    packet_q.first   <= packet_first_i;
    exchange_q.data  <= exchange_data_i;
    pair_q.data      <= pair_data_i;
    packet_q.data    <= packet_data_i;
  end
  assign exchange_valid_o       = exchange_out.valid;
  assign exchange_data_o        = exchange_out.data;
  assign pair_valid_o           = pair_out.valid;
  assign pair_data_o            = pair_out.data;
  assign packet_request_o       = packet_out.requests;
  assign packet_valid_o         = packet_out.valid;
  assign packet_last_o          = packet_out.last;
  assign packet_data_o          = packet_out.data;
  memory_ports u_memory_ports (
    .clk_i(clk), .rst_ni, .clear_i(clear), .site_i(site_q),
    .excepted_i(status.excepted), .active_i(active), .busy_o(memory_busy), .fetch_i(fetch), .fetch_address_i(fetch_address), .fetch_word_o(fetch_word),
    .m_accesses_i(m_accesses), .m_system_i(m_system), .m_id_i(m.id), .m_operand_i(m_executed.operand), .m_freeze_i(m_effect.freeze),
    .m_clash_o(m_clash), .m_wrong_o(m_wrong), .w_rdata_o(w_rdata), .w_rdata1_o(w_rdata1),
    .debug_write_i(debug_write), .debug_read_i(debug_read), .faults_o(port_faults), .ports_o(ports),
    .sequencer_start_i(sequencer_start), .armed_event_o(armed_event), .external_phase_i(external_phase), .packet_requests_o(packet_requests),
    .exchange_i(exchange_q), .pair_i(pair_q), .exchange_o(exchange_out), .pair_o(pair_out), .exchange_select_o, .paired_o,
    .packet_grant_i, .packet_i(packet_q), .packet_o(packet_out), .writes_o(port_writes)
  );

  assign csr_rdata = csr_read.number != isa_pkg::CSR_XREPEAT ? arithmetic_csr : debug_read.csr ? repeat_csr : 32'd0;
  commit u_commit (
    .clk_i(clk), .rst_ni, .reset_context_i(reset_entry_q[2:0]), .cycle_i(cycle_q), .tile_id_i(site_q.tile_id),
    .m_i(m), .m_executed_i(m_executed), .m_operand2_i(m_accesses.wdata[31:0]), .m_clash_i(m_clash.valid), .m_clash_address_i(m_clash_address),
    .m_wrong_i(m_wrong), .m_system_o(m_system), .m_effect_o(m_effect), .m_csr_o(m_csr),
    .d_context_i(d_context), .d_frm_o(d_frm), .x1_context_i(x1.context_id), .x1_control_o(x1_control),
    .csr_read_o(csr_read), .csr_rdata_i(csr_rdata), .csr_write_o(csr_write),
    .supervisor_issues_i(supervisor_issues), .supervisor_waits_o(supervisor_waits), .active_o(active), .w_launch_o(w_launch), .w_i(w), .w_flags_i(w_flags),
    .port_faults_i(port_faults), .ports_i(ports), .sequencer_start_o(sequencer_start), .external_phase_o(external_phase),
    .sync_i, .sync_o,
    .status_o(status), .exception_o(exception), .debug_write_i(debug_write), .debug_read_i(debug_read)
  );
  assign exception_o  = status.excepted;
  assign exchanging_o = ports.sequencer_running & !status.excepted;

  // What idle_o says of the contexts, but for held workers, and whatever the supervisor waits for; and of the ports.
  logic settled, ports_rest, under_way;
  assign under_way = stages_busy | port_faults.parity;
  assign settled = status.excepted | ((active & ~held[6:1]) == 6'd0 & (held[0] | supervisor_waits | packet_requests | (sans_waits & active == 6'd0) | active == 6'h3f) & !under_way
                                      & arithmetic_idle);
  assign ports_rest = status.excepted | !memory_busy;
  assign idle_o = status.excepted | ((active == 6'd0 | held == 7'h7f) & (held[0] | status.requests | status.awaits_words | packet_requests | sans_waits)
                                     & !under_way & !memory_busy & arithmetic_idle);
  debug_access u_debug (
    .clk_i(clk), .rst_ni, .debug_valid_i, .debug_write_i, .debug_space_i, .debug_context_i, .debug_address_i, .debug_wdata_i,
    .debug_data_o, .debug_refused_o, .settled_i(settled), .ports_rest_i(ports_rest), .idle_i(idle_o),
    .write_o(debug_write), .read_o(debug_read), .vector_read_o(vector_read), .vector_i(arithmetic_rdata | repeat_rdata),
    .memory_rdata_i(w_rdata), .front_i(front_read), .csr_i(m_csr), .watchpoint_i(watchpoint_rdata),
    .supervisor_issues_i(consumes.supervisor), .worker_issues_i(consumes.worker), .worker_i(d_context), .held_o(held),
    .stopped_i(stopped), .watched_i(m_watched), .m_context_i(m.context_id), .before_breakpoint_i(before_breakpoint),
    .status_i(status), .exception_i(exception), .active_i(active), .armed_event_i(armed_event)
  );

  retire u_retire (
    .clk_i(clk), .m_cause_i(m_effect.cause), .m_flags_i(m_executed.flags), .m_accesses_i(m_accesses),
    .w_i(w), .w_result_i(w_result), .w_pair_i(w_rdata1), .w_base_i(w_base), .w_write_word_i(w_write_word),
    .w_writes_o(w_writes), .w_flags_o(w_flags), .port_writes_i(port_writes), .observe_o
  );
endmodule
