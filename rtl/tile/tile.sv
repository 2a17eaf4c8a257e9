// One tile (docs/reference/tile.md). The ports are those of sim/port/tile_port.h; every output is a function of
// registers only. Inputs of cycle t are taken at the edge that ends it; slot_i, cycle_i and tile_id_i count from the
// next cycle on, so that the tile may be left alone while idle_o is high.
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
    input  logic        [ 2:0] slot_i,            // cycle_i mod 6
    input  logic        [63:0] cycle_i,
    input  logic        [10:0] tile_id_i,
    input  logic        [ 5:0] select_latency_i,  // of where the tile stands (exchange.md, Event lists)
    input  logic               in_pair_i,         // there is another tile of its pair (Paired transfers)
    input  logic               sync_ack_i,
    input  logic        [ 3:0] sync_ack_zone_i,
    input  logic               sync_consensus_i,
    input  logic        [15:0] sync_mark_i,
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
    output logic               sync_request_o,
    output logic        [ 3:0] sync_zone_o,
    output logic               sync_value_o,
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
  logic edge_q;  // by its name rtl/spec/generate_tile_state.cpp knows such a tile
  always_ff @(posedge clk) edge_q <= clk_i;
  assign clk = clk_i ^ edge_q;
`else
  assign clk = clk_i;
`endif

  logic [2:0] slot_q;
  logic [63:0] cycle_q;  // of this cycle
  logic [10:0] tile_id_q;
  logic [5:0] select_latency_q;
  logic in_pair_q;
  always_ff @(posedge clk) begin
    slot_q <= slot_i == 3'd5 ? 3'd0 : slot_i + 3'd1;
    cycle_q <= cycle_i + 64'd1;
    tile_id_q <= tile_id_i;
    select_latency_q <= select_latency_i;
    in_pair_q <= in_pair_i;
  end

  // Contexts, exceptions and debugger.
  logic [5:0] active;
  logic [6:0] held;
  logic supervisor_waits, supervisor_issues, supervisor_consumes, worker_consumes;
  logic freeze, excepted, stages_busy, memory_busy;
  logic many_syncs, sans_waits, write_automatic;
  logic stopped, m_watched, write_watchpoint, step;
  logic [1:0] write_breakpoint;
  logic [6:0] before_breakpoint, debug_chosen;
  logic [31:0] breakpoint_rdata, watchpoint_rdata;
  logic [7:0] automatic_syncs;
  logic start, release_exception, write_pc, write_vector, read_vector;
  logic [2:0] read_vcontext;
  logic [6:0] read_vaddress;
  logic [31:0] arithmetic_rdata, repeat_rdata;
  logic write_memory, write_integer, write_float, write_csr, read_memory, read_integer, read_float, read_csr;
  logic [2:0] read_context;
  logic [19:0] read_address;
  logic [31:0] integer_rdata, float_rdata, csr_rdata, read_pc;

  // F, D.
  logic fetch;
  logic [19:2] fetch_address;
  logic [31:0] fetch_word;
  logic [2:0] d_context, d_frm;

  // X1, X2.
  logic x1_packed, x1_special, x1_amp, x1_random, x1_stream;
  logic [2:0] x1_context, x1_control;
  logic [53:0] x1_strides;
  logic [63:0] x1_drawn, x1_partial;
  logic x1_valid, x1_fpu, x1_fdivide, x1_divide, x1_first, x1_last, x1_format;
  logic [8:0] x1_id;
  logic [4:0] x1_unit;
  logic [63:0] x1_a, x1_b, x1_c;
  logic [31:0] x1_pc, x1_word, x1_immediate;
  logic [4:0] x1_fp_op;
  logic [2:0] x1_rm;
  logic x2_valid, x2_illegal;
  logic [8:0] x2_id;
  logic [4:0] x2_unit;

  // M.
  logic m_valid, m_fetch_fault, m_illegal, m_writes_x, m_retire, m_system;
  logic m_commit, m_read, m_read1, m_write, m_address_fault, m_clash, xarm_fault, hsend_fault;
  logic [2:0] m_context;
  logic [31:0] m_pc, m_word, m_operand, m_next_pc, m_result;
  logic [1:0] m_clash_access;
  logic [31:0] m_clash_address;
  logic [63:0] m_arithmetic;
  logic [4:0] m_arithmetic_flags;
  logic [5:0] m_active;
  memory_pkg::element_t m_element, m_element1, m_write_element;
  logic [7:0] m_strobe;
  logic [8:0] m_id;
  logic [4:0] m_unit;
  logic [3:0] m_cause;
  memory_pkg::row_t m_row, m_row1, m_write_row;
  logic [63:0] m_wdata;
  logic [4:0] m_flags;

  // W.
  logic w_valid, w_writes_x, w_writes_f, w_writes_pair, w_updates_x, w_updates_f;
  logic w_done, w_write_integer, w_write_float, w_write_pair, w_write_base;
  logic [4:0] w_integer_rd;
  logic [2:0] w_context;
  logic [31:0] w_pc, w_word, w_entry;
  logic [19:3] w_address;
  logic [8:0] w_id;
  logic [4:0] w_unit;
  logic [63:0] w_rdata, w_rdata1, w_result, w_base;
  logic [5:0] w_launch;

  // Exchange and packet ports.
  logic [19:0] armed_event;
  logic sequencer_start, sequencer_running, external_phase, packet_sent, packet_requests, packet_counts;
  logic exchange_fault, port_config_fault, received, received_double, packet_written;
  logic [63:0] received_data;
  logic [19:0] exchange_address;
  logic [31:0] port_config_address, received_address, packet_address, packet_word;

  front u_front (
      .clk_i                (clk),
      .rst_ni,
      .slot_i               (slot_q),
      .active_i             (active),
      .held_i               (held),
      .excepted_i           (excepted),
      .freeze_i             (freeze),
      .supervisor_waits_i   (supervisor_waits),
      .supervisor_issues_o  (supervisor_issues),
      .many_syncs_i         (many_syncs),
      .sans_waits_o         (sans_waits),
      .busy_o               (stages_busy),
      .stopped_o            (stopped),
      .before_breakpoint_o  (before_breakpoint),
      .fetch_o              (fetch),
      .fetch_address_o      (fetch_address),
      .fetch_word_i         (fetch_word),
      .d_context_o          (d_context),
      .d_frm_i              (d_frm),
      .x1_valid_o           (x1_valid),
      .x1_context_o         (x1_context),
      .x1_pc_o              (x1_pc),
      .x1_word_o            (x1_word),
      .x1_id_o              (x1_id),
      .x1_unit_o            (x1_unit),
      .x1_a_o               (x1_a),
      .x1_b_o               (x1_b),
      .x1_c_o               (x1_c),
      .x1_immediate_o       (x1_immediate),
      .x1_fpu_o             (x1_fpu),
      .x1_fdivide_o         (x1_fdivide),
      .x1_divide_o          (x1_divide),
      .x1_packed_o          (x1_packed),
      .x1_special_o         (x1_special),
      .x1_amp_o             (x1_amp),
      .x1_random_o          (x1_random),
      .x1_stream_o          (x1_stream),
      .x1_first_o           (x1_first),
      .x1_last_o            (x1_last),
      .x1_fp_op_o           (x1_fp_op),
      .x1_format_o          (x1_format),
      .x1_rm_o              (x1_rm),
      .x2_valid_o           (x2_valid),
      .x2_illegal_o         (x2_illegal),
      .x2_id_o              (x2_id),
      .x2_unit_o            (x2_unit),
      .m_valid_o            (m_valid),
      .m_context_o          (m_context),
      .m_pc_o               (m_pc),
      .m_word_o             (m_word),
      .m_fetch_fault_o      (m_fetch_fault),
      .m_illegal_o          (m_illegal),
      .m_active_o           (m_active),
      .m_id_o               (m_id),
      .m_unit_o             (m_unit),
      .m_writes_x_o         (m_writes_x),
      .m_commit_i           (m_commit),
      .m_count_i            (m_operand),
      .m_retire_i           (m_retire),
      .m_next_pc_i          (m_next_pc),
      .w_valid_o            (w_valid),
      .w_context_o          (w_context),
      .w_pc_o               (w_pc),
      .w_word_o             (w_word),
      .w_id_o               (w_id),
      .w_unit_o             (w_unit),
      .w_writes_x_o         (w_writes_x),
      .w_writes_f_o         (w_writes_f),
      .w_writes_pair_o      (w_writes_pair),
      .w_updates_x_o        (w_updates_x),
      .w_updates_f_o        (w_updates_f),
      .w_write_integer_i    (w_write_integer),
      .w_integer_rd_i       (w_integer_rd),
      .w_write_float_i      (w_write_float),
      .w_write_pair_i       (w_write_pair),
      .w_write_base_i       (w_write_base),
      .w_result_i           (w_result),
      .w_pair_i             (w_rdata1),
      .w_base_i             (w_base),
      .w_launch_i           (w_launch),
      .w_entry_i            (w_entry),
      .start_i              (start),
      .write_pc_i           (write_pc),
      .debug_chosen_i       (debug_chosen),
      .step_i               (step),
      .write_breakpoint_i   (write_breakpoint),
      .read_second_i        (!read_address[0]),
      .read_breakpoint_o    (breakpoint_rdata),
      .write_integer_i      (write_integer),
      .write_float_i        (write_float),
      .debug_context_i,
      .debug_address_i      (debug_address_i[5:0]),
      .debug_wdata_i,
      .read_integer_i       (read_integer),
      .read_float_i         (read_float),
      .read_context_i       (read_context),
      .read_address_i       (read_address[5:0]),
      .read_integer_o       (integer_rdata),
      .read_float_o         (float_rdata),
      .read_pc_o            (read_pc),
      .csr_context_i        (read_context),
      .csr_repeat_o         (csr_repeat),
      .read_repeat_i        (read_vector && read_vcontext != 3'd0 && read_vaddress >= words_pkg::VECTOR_REPEAT_FIRST
                             && read_vaddress <= words_pkg::VECTOR_REPEAT_LEFT),
      .read_rcontext_i      (read_vcontext),
      .read_rnumber_i       (read_vaddress[1:0] - 2'd2),
      .read_repeat_o        (repeat_rdata),
      .write_repeat_i       (write_repeat),
      .supervisor_consumes_o(supervisor_consumes),
      .worker_consumes_o    (worker_consumes)
  );

  execute u_execute (
      .clk_i                (clk),
      .rst_ni,
      .squash_i         (freeze | start),
      .x1_valid_i       (x1_valid),
      .x1_pc_i          (x1_pc),
      .x1_word_i        (x1_word),
      .x1_id_i          (x1_id),
      .x1_unit_i        (x1_unit),
      .x1_a_i           (x1_a),
      .x1_b_i           (x1_b),
      .x1_c_i           (x1_c[31:0]),
      .x1_immediate_i   (x1_immediate),
      .x1_fpu_i         (x1_fpu),
      .x1_fdivide_i     (x1_fdivide),
      .x1_divide_i      (x1_divide),
      .x1_stream_i      (x1_stream),
      .x1_strides_i     (x1_strides),
      .x1_random_i      (x1_drawn),
      .x1_partial_i     (x1_partial),
      .x1_first_i       (x1_first),
      .x1_last_i        (x1_last),
      .x1_fp_op_i       (x1_fp_op),
      .x1_format_i      (x1_format),
      .x1_rm_i          (x1_rm),
      .x2_valid_i       (x2_valid),
      .x2_illegal_i     (x2_illegal),
      .x2_id_i          (x2_id),
      .x2_unit_i        (x2_unit),
      .m_unit_i         (m_unit),
      .m_context_i      (m_context),
      .m_commit_i       (m_commit),
      .m_watched_o      (m_watched),
      .m_f16_i          (m_word[26]),
      .m_writes_x_i     (m_writes_x),
      .m_csr_i          (csr_rdata),
      .m_arithmetic_i   (m_arithmetic),
      .m_arithmetic_flags_i(m_arithmetic_flags),
      .m_clash_access_i (m_clash_access),
      .m_operand_o      (m_operand),
      .m_next_pc_o      (m_next_pc),
      .m_result_o       (m_result),
      .m_flags_o        (m_flags),
      .m_clash_address_o(m_clash_address),
      .m_read_o         (m_read),
      .m_read1_o        (m_read1),
      .m_write_o        (m_write),
      .m_address_fault_o(m_address_fault),
      .m_element_o      (m_element),
      .m_row_o          (m_row),
      .m_element1_o     (m_element1),
      .m_row1_o         (m_row1),
      .m_write_element_o(m_write_element),
      .m_write_row_o    (m_write_row),
      .m_wdata_o        (m_wdata),
      .m_strobe_o       (m_strobe),
      .w_id_i           (w_id),
      .w_unit_i         (w_unit),
      .w_rdata_i        (w_rdata),
      .w_address_o      (w_address),
      .w_base_o         (w_base),
      .w_result_o       (w_result),
      .debug_chosen_i    (debug_chosen),
      .write_watchpoint_i(write_watchpoint),
      .debug_wdata_i     (debug_wdata_i[24:0]),
      .read_context_i    (read_context),
      .read_watchpoint_o (watchpoint_rdata)
  );

  // CSRs and debug space 5 of the arithmetic and the repeats.
  logic arithmetic_idle, state_read, state_write;
  logic [2:0] state_rcontext, state_wcontext, write_repeat;
  logic [11:0] state_rnumber, state_wnumber;
  logic [31:0] state_rdata, state_wdata, csr_repeat, arithmetic_csr;
  always_comb begin
    state_rdata = arithmetic_csr;
    if (state_rnumber == isa_pkg::CSR_XREPEAT) state_rdata = read_csr ? csr_repeat : 32'd0;
    write_repeat = 3'd0;
    if (write_vector && debug_context_i != 3'd0) begin
      case (debug_address_i[6:0])
        words_pkg::VECTOR_REPEAT_FIRST: write_repeat = 3'b001;
        words_pkg::VECTOR_REPEAT_LAST: write_repeat = 3'b010;
        words_pkg::VECTOR_REPEAT_LEFT: write_repeat = 3'b100;
        default: ;
      endcase
    end
  end

  arithmetic u_arithmetic (
      .clk_i                (clk),
      .rst_ni,
      .x1_packed_i     (x1_packed),
      .x1_special_i    (x1_special),
      .x1_amp_i        (x1_amp),
      .x1_random_i     (x1_random),
      .x1_stream_i     (x1_stream),
      .x1_context_i    (x1_context),
      .x1_id_i         (x1_id),
      .x1_word_i       (x1_word),
      .x1_first_i      (x1_first),
      .x1_last_i       (x1_last),
      .x1_rm_i         (x1_rm),
      .x1_control_i    (x1_control),
      .x1_a_i          (x1_a),
      .x1_b_i          (x1_b),
      .x1_c_i          (x1_c),
      .x1_random_o     (x1_drawn),
      .x1_partial_o    (x1_partial),
      .x1_strides_o    (x1_strides),
      .m_unit_i        (m_unit),
      .m_commit_i      (m_commit),
      .m_result_o      (m_arithmetic),
      .m_flags_o       (m_arithmetic_flags),
      .w_done_i        (w_done),
      .w_context_i     (w_context),
      .w_id_i          (w_id),
      .w_unit_i        (w_unit),
      .w_word_i        (w_word),
      .w_result_i      (w_result),
      .w_rdata_i       (w_rdata),
      .w_rdata1_i      (w_rdata1),
      .idle_o          (arithmetic_idle),
      .launch_i        (w_launch),
      .csr_read_i      (state_read),
      .csr_rcontext_i  (state_rcontext),
      .csr_rnumber_i   (state_rnumber),
      .csr_rdata_o     (arithmetic_csr),
      .csr_write_i     (state_write),
      .csr_wcontext_i  (state_wcontext),
      .csr_wnumber_i   (state_wnumber),
      .csr_wdata_i     (state_wdata),
      .debug_read_i    (read_vector),
      .debug_rcontext_i(read_vcontext),
      .debug_raddress_i(read_vaddress),
      .debug_rdata_o   (arithmetic_rdata),
      .debug_write_i   (write_vector),
      .debug_wcontext_i(debug_context_i),
      .debug_waddress_i(debug_address_i[6:0]),
      .debug_wdata_i
  );

  memory_ports u_memory_ports (
      .clk_i                (clk),
      .rst_ni,
      .tile_id_i            (tile_id_q),
      .select_latency_i     (select_latency_q),
      .in_pair_i            (in_pair_q),
      .excepted_i           (excepted),
      .freeze_i             (freeze),
      .start_i              (start),
      .active_i             (active),
      .busy_o               (memory_busy),
      .fetch_i              (fetch),
      .fetch_address_i      (fetch_address),
      .fetch_word_o         (fetch_word),
      .read_i               (m_read),
      .read1_i              (m_read1),
      .write_i              (m_write),
      .element_i            (m_element),
      .row_i                (m_row),
      .element1_i           (m_element1),
      .row1_i               (m_row1),
      .write_element_i      (m_write_element),
      .write_row_i          (m_write_row),
      .wdata_i              (m_wdata),
      .strobe_i             (m_strobe),
      .rdata_o              (w_rdata),
      .rdata1_o             (w_rdata1),
      .clash_o              (m_clash),
      .clash_access_o       (m_clash_access),
      .system_i             (m_system),
      .id_i                 (m_id),
      .operand_i            (m_operand),
      .config_fault_o       (xarm_fault),
      .operand_fault_o      (hsend_fault),
      .debug_write_i        (write_memory),
      .debug_address_i      (debug_address_i[19:2]),
      .debug_wdata_i,
      .debug_read_i         (read_memory),
      .debug_raddress_i     (read_address[19:3]),
      .exchange_fault_o     (exchange_fault),
      .exchange_address_o   (exchange_address),
      .port_config_fault_o  (port_config_fault),
      .port_config_address_o(port_config_address),
      .sequencer_start_i    (sequencer_start),
      .sequencer_running_o  (sequencer_running),
      .armed_event_o        (armed_event),
      .external_phase_i     (external_phase),
      .packet_sent_o        (packet_sent),
      .packet_requests_o    (packet_requests),
      .packet_counts_o      (packet_counts),
      .exchange_valid_i,
      .exchange_data_i,
      .pair_valid_i,
      .pair_data_i,
      .exchange_valid_o,
      .exchange_data_o,
      .exchange_select_o,
      .pair_valid_o,
      .pair_data_o,
      .paired_o,
      .packet_grant_i,
      .packet_valid_i,
      .packet_first_i,
      .packet_data_i,
      .packet_request_o,
      .packet_valid_o,
      .packet_last_o,
      .packet_data_o,
      .received_o           (received),
      .received_address_o   (received_address),
      .received_data_o      (received_data),
      .received_double_o    (received_double),
      .packet_written_o     (packet_written),
      .packet_address_o     (packet_address),
      .packet_word_o        (packet_word)
  );

  logic requests, waits_hsend, awaits_words;
  logic [3:0] status_cause;
  logic [2:0] status_context;
  logic [31:0] status_pc, status_value;
  logic [63:0] status_cycle;
  commit u_commit (
      .clk_i                (clk),
      .rst_ni,
      .cycle_i              (cycle_q),
      .tile_id_i            (tile_id_q),
      .valid_i              (m_valid),
      .context_i            (m_context),
      .pc_i                 (m_pc),
      .word_i               (m_word),
      .fetch_fault_i        (m_fetch_fault),
      .illegal_i            (m_illegal),
      .active_then_i        (m_active),
      .id_i                 (m_id),
      .unit_i               (m_unit),
      .writes_x_i           (m_writes_x),
      .operand_i            (m_operand),
      .clash_address_i      (m_clash_address),
      .operand2_i           (m_wdata[31:0]),
      .result_i             (m_result),
      .flags_i              (m_flags),
      .address_fault_i      (m_address_fault),
      .clash_i              (m_clash),
      .system_o             (m_system),
      .freeze_o             (freeze),
      .commit_o             (m_commit),
      .retire_o             (m_retire),
      .cause_o              (m_cause),
      .csr_o                (csr_rdata),
      .d_context_i          (d_context),
      .d_frm_o              (d_frm),
      .x1_context_i         (x1_context),
      .x1_control_o         (x1_control),
      .csr_read_o           (state_read),
      .csr_rcontext_o       (state_rcontext),
      .csr_rnumber_o        (state_rnumber),
      .csr_rdata_i          (state_rdata),
      .csr_write_o          (state_write),
      .csr_wcontext_o       (state_wcontext),
      .csr_wnumber_o        (state_wnumber),
      .csr_wdata_o          (state_wdata),
      .supervisor_issues_i  (supervisor_issues),
      .supervisor_waits_o   (supervisor_waits),
      .active_o             (active),
      .w_launch_o           (w_launch),
      .w_entry_o            (w_entry),
      .config_fault_i       (xarm_fault),
      .operand_fault_i      (hsend_fault),
      .exchange_fault_i     (exchange_fault),
      .exchange_address_i   (exchange_address),
      .port_config_fault_i  (port_config_fault),
      .port_config_address_i(port_config_address),
      .sequencer_running_i  (sequencer_running),
      .packet_sent_i        (packet_sent),
      .packet_counts_i      (packet_counts),
      .sequencer_start_o    (sequencer_start),
      .external_phase_o     (external_phase),
      .sync_ack_i,
      .sync_ack_zone_i,
      .sync_consensus_i,
      .sync_mark_i,
      .sync_request_o,
      .sync_zone_o,
      .sync_value_o,
      .excepted_o           (excepted),
      .requests_o           (requests),
      .many_syncs_o         (many_syncs),
      .automatic_syncs_o    (automatic_syncs),
      .write_automatic_i    (write_automatic),
      .waits_hsend_o        (waits_hsend),
      .awaits_words_o       (awaits_words),
      .status_cause_o       (status_cause),
      .status_context_o     (status_context),
      .status_pc_o          (status_pc),
      .status_value_o       (status_value),
      .status_cycle_o       (status_cycle),
      .start_i              (start),
      .release_i            (release_exception),
      .write_csr_i          (write_csr),
      .debug_context_i,
      .debug_address_i      (debug_address_i[11:0]),
      .debug_wdata_i,
      .read_csr_i           (read_csr),
      .read_context_i       (read_context),
      .read_address_i       (read_address[11:0])
  );
  assign exception_o = excepted;
  assign exchanging_o = sequencer_running & !excepted;
  // What idle_o says of the contexts, but for held workers, and whatever the supervisor waits for; and of the ports.
  logic settled, ports_rest;
  assign settled = excepted | ((active & ~held[6:1]) == 6'd0 & (held[0] | supervisor_waits | packet_requests | (sans_waits & active == 6'd0) | active == 6'h3f) & !stages_busy
                               & arithmetic_idle);
  assign ports_rest = excepted | !memory_busy;
  assign idle_o = excepted | ((active == 6'd0 | held == 7'h7f) & (held[0] | requests | awaits_words | packet_requests | sans_waits) & !stages_busy & !memory_busy &
                                arithmetic_idle);

  debug_access u_debug (
      .clk_i                (clk),
      .rst_ni,
      .debug_valid_i,
      .debug_write_i,
      .debug_space_i,
      .debug_context_i,
      .debug_address_i,
      .debug_data_o,
      .debug_refused_o,
      .settled_i          (settled),
      .ports_rest_i       (ports_rest),
      .write_memory_o     (write_memory),
      .write_integer_o    (write_integer),
      .write_float_o      (write_float),
      .write_csr_o        (write_csr),
      .write_vector_o     (write_vector),
      .start_o            (start),
      .write_automatic_o  (write_automatic),
      .write_pc_o         (write_pc),
      .release_o          (release_exception),
      .chosen_o           (debug_chosen),
      .write_breakpoint_o (write_breakpoint),
      .write_watchpoint_o (write_watchpoint),
      .step_o             (step),
      .read_memory_o      (read_memory),
      .read_integer_o     (read_integer),
      .read_float_o       (read_float),
      .read_csr_o         (read_csr),
      .read_context_o     (read_context),
      .read_address_o     (read_address),
      .read_vector_o      (read_vector),
      .read_vcontext_o    (read_vcontext),
      .read_vaddress_o    (read_vaddress),
      .vector_i           (arithmetic_rdata | repeat_rdata),
      .memory_rdata_i     (w_rdata),
      .integer_i          (integer_rdata),
      .float_i            (float_rdata),
      .csr_i              (csr_rdata),
      .pc_i               (read_pc),
      .supervisor_issues_i(supervisor_consumes),
      .worker_issues_i    (worker_consumes),
      .worker_i           (d_context),
      .held_o             (held),
      .stopped_i          (stopped),
      .watched_i          (m_watched),
      .m_context_i        (m_context),
      .before_breakpoint_i(before_breakpoint),
      .breakpoint_i       (breakpoint_rdata),
      .watchpoint_i       (watchpoint_rdata),
      .status_idle_i      (idle_o),
      .status_sends_i     (waits_hsend),
      .status_requests_i  (requests),
      .status_excepted_i  (excepted),
      .status_cause_i     (status_cause),
      .status_context_i   (status_context),
      .status_pc_i        (status_pc),
      .status_value_i     (status_value),
      .status_cycle_i     (status_cycle),
      .active_i           (active),
      .armed_event_i      (armed_event),
      .automatic_syncs_i  (automatic_syncs)
  );

  retire u_retire (
      .clk_i                (clk),
      .m_cause_i      (m_cause),
      .m_flags_i      (m_flags),
      .m_wdata_i      (m_wdata),
      .m_strobe_i     (m_strobe),
      .valid_i        (w_valid),
      .context_i      (w_context),
      .pc_i           (w_pc),
      .word_i         (w_word),
      .writes_x_i     (w_writes_x),
      .writes_f_i     (w_writes_f),
      .writes_pair_i  (w_writes_pair),
      .updates_x_i    (w_updates_x),
      .updates_f_i    (w_updates_f),
      .address_i      (w_address),
      .result_i       (w_result),
      .pair_i         (w_rdata1),
      .base_i         (w_base),
      .done_o         (w_done),
      .write_integer_o(w_write_integer),
      .integer_rd_o   (w_integer_rd),
      .write_float_o  (w_write_float),
      .write_pair_o   (w_write_pair),
      .write_base_o   (w_write_base),
      .received_i        (received),
      .received_address_i(received_address),
      .received_data_i   (received_data),
      .received_double_i (received_double),
      .packet_written_i  (packet_written),
      .packet_address_i  (packet_address),
      .packet_word_i     (packet_word),
      .observe_o
  );
endmodule
