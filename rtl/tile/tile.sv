// One tile (docs/reference/tile.md). The ports are those of systemc/chip/tile_port.h; every output is a function of
// registers only. Inputs of cycle t are taken at the edge that ends it; slot_i, cycle_i and tile_id_i count from the next
// cycle on, so that the tile may be left alone while idle_o is high.
//
//   F  issue          D  decode, operands      X1 alu, branch, float_move     X2 multiply, memory_access
//   M  tile_memory, csr, exceptions, worker_control, sync_wait                W  register files, record
module tile (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic        [ 2:0] slot_i,            // cycle_i mod 6
    input  logic        [63:0] cycle_i,
    input  logic        [10:0] tile_id_i,
    input  logic               sync_ack_i,
    input  logic               sync_consensus_i,
    input  logic        [15:0] sync_mark_i,
    input  logic               exchange_valid_i,
    input  logic        [31:0] exchange_data_i,
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
    output logic               packet_request_o,
    output logic               packet_valid_o,
    output logic               packet_last_o,
    output logic        [31:0] packet_data_o,
    output logic        [31:0] debug_data_o,
    output logic               exception_o,
    output logic               idle_o,
    output logic               exchanging_o,
    output tile_pkg::observe_t observe_o
);
  logic [2:0] slot_q;
  logic [63:0] cycle_q;  // of this cycle
  logic [10:0] tile_id_q;
  always_ff @(posedge clk_i) begin
    slot_q <= slot_i == 3'd5 ? 3'd0 : slot_i + 3'd1;
    cycle_q <= cycle_i + 64'd1;
    tile_id_q <= tile_id_i;
  end

  // Exceptions and debugger.
  logic freeze, excepted, start, release_exception, write_pc;
  logic write_memory, write_integer, write_float, write_csr, read_memory, read_integer, read_float, read_csr;
  logic [2:0] read_context;
  logic [19:0] read_address;
  logic [6:0] held, passing;

  // F, D.
  logic [5:0] active, w_launch;
  logic [31:0] w_entry, read_pc;
  logic supervisor_waits, supervisor_issues, supervisor_consumes, fetch;
  logic [19:2] fetch_address;
  logic [31:0] fetch_word;
  logic d_valid, d_fetch_fault, d_first, d_last, d_illegal;
  logic [2:0] d_context, d_slots;
  logic [31:0] d_pc, d_word, d_immediate;
  logic [5:0] d_active;
  isa_pkg::control_t d_supervisor_control;
  logic [7:0] d_id;
  logic [3:0] d_unit;
  logic [2:0] d_reads_f;
  logic d_reads_x2, d_writes_x, d_writes_f, d_rounds, d_redirects;
  logic m_valid, m_commit, m_next, m_redirects, m_illegal, m_fetch_fault;
  logic [2:0] m_context;
  logic [31:0] m_pc, m_word, m_next_pc;
  logic [7:0] x1_id, x2_id, m_id, w_id;
  logic [3:0] x1_unit, x2_unit, m_unit, w_unit;
  logic x1_valid, x2_valid, w_valid, x1_illegal;
  logic [2:0] x1_context, x2_context, w_context;
  logic [31:0] x1_pc, x2_pc, w_pc, w_word;
  logic [5:0] m_active;
  logic m_writes_x, w_writes_x, w_writes_f;
  logic m_supervisor, x2_supervisor, x1_supervisor;
  assign m_supervisor = m_valid && m_context == 3'd0;
  assign x2_supervisor = x2_valid && x2_context == 3'd0;
  assign x1_supervisor = x1_valid && x1_context == 3'd0;

  issue u_issue (
      .clk_i,
      .rst_ni,
      .slot_i             (slot_q),
      .active_i           (active),
      .held_i             (held),
      .stop_i             (excepted),
      .supervisor_waits_i (supervisor_waits),
      .supervisor_free_o  (supervisor_issues),
      .fetch_o            (fetch),
      .fetch_address_o    (fetch_address),
      .fetch_word_i       (fetch_word),
      .d_valid_o          (d_valid),
      .d_context_o        (d_context),
      .d_pc_o             (d_pc),
      .d_word_o           (d_word),
      .d_fetch_fault_o    (d_fetch_fault),
      .d_active_o         (d_active),
      .d_control_o        (d_supervisor_control),
      .d_slots_i          (d_slots),
      .d_first_o          (d_first),
      .d_last_o           (d_last),
      .passing_o          (passing),
      .consumes_o         (supervisor_consumes),
      .m_next_i           (m_next),
      .m_context_i        (m_context),
      .m_next_pc_i        (m_next_pc),
      .squash_i           (freeze),
      .squash_supervisor_i(m_supervisor | x2_supervisor | x1_supervisor),
      .squash_pc_i        (m_supervisor ? m_pc : x2_supervisor ? x2_pc : x1_pc),
      .launch_i           (w_launch),
      .launch_pc_i        (w_entry),
      .start_i            (start),
      .write_pc_i         (write_pc),
      .debug_context_i    (start ? 3'd0 : debug_context_i),
      .debug_wdata_i,
      .read_context_i     (read_context),
      .read_pc_o          (read_pc)
  );

  decode u_decode (
      .from_register_i(d_context == 3'd0),
      .control_i      (d_supervisor_control),
      .word_i         (d_word),
      .supervisor_i   (d_context == 3'd0),
      .id_o           (d_id),
      .unit_o         (d_unit),
      .reads_x2_o     (d_reads_x2),
      .reads_f_o      (d_reads_f),
      .writes_x_o     (d_writes_x),
      .writes_f_o     (d_writes_f),
      .rounds_o       (d_rounds),
      .redirects_o    (d_redirects),
      .illegal_o      (d_illegal),
      .slots_o        (d_slots),
      .immediate_o    (d_immediate)
  );

  logic [31:0] x_rdata1, x_rdata2;
  logic [63:0] f_rdata1, f_rdata2, f_rdata3, w_result;
  logic w_write_integer, w_write_float;
  register_file_int u_integers (
      .clk_i,
      .context_i      (d_context),
      .rs1_i          (d_word[19:15]),
      .rs2_i          (d_word[24:20]),
      .rdata1_o       (x_rdata1),
      .rdata2_o       (x_rdata2),
      .write_i        (w_write_integer),
      .write_context_i(w_context),
      .rd_i           (w_word[11:7]),
      .wdata_i        (w_result[31:0]),
      .debug_read_i   (read_integer),
      .debug_index_i  ({read_context, read_address[4:0]}),
      .debug_write_i  (write_integer),
      .debug_windex_i ({debug_context_i, debug_address_i[4:0]}),
      .debug_wdata_i
  );
  register_file_float u_floats (
      .clk_i,
      .enable_i       (d_reads_f != 3'd0 | read_float),
      .context_i      (d_context),
      .rs1_i          (d_word[19:15]),
      .rs2_i          (d_word[24:20]),
      .rs3_i          (d_word[31:27]),
      .rdata1_o       (f_rdata1),
      .rdata2_o       (f_rdata2),
      .rdata3_o       (f_rdata3),
      .write_i        (w_write_float),
      .write_context_i(w_context),
      .rd_i           (w_word[11:7]),
      .wdata_i        (w_result),
      .debug_read_i   (read_float),
      .debug_index_i  ({read_context, read_address[5:1]}),
      .debug_write_i  (write_float),
      .debug_windex_i ({debug_context_i, debug_address_i[5:1]}),
      .debug_high_i   (debug_address_i[0]),
      .debug_wdata_i
  );

  logic [2:0] d_frm, x1_rm;
  logic [63:0] x1_a, x1_b;
  logic [31:0] x1_c, x1_immediate;
  logic x1_fpu, x1_fdivide, x1_divide, x1_first, x1_last, x1_format;
  logic [4:0] x1_fp_op;
  operands u_operands (
      .clk_i,
      .rst_ni,
      .squash_i   (freeze),
      .valid_i    (d_valid),
      .id_i       (d_id),
      .unit_i     (d_unit),
      .reads_x2_i (d_reads_x2),
      .reads_f_i  (d_reads_f),
      .rounds_i   (d_rounds),
      .illegal_i  (d_illegal),
      .f16_i      (d_word[26]),
      .rm_i       (d_word[14:12]),
      .immediate_i(d_immediate),
      .frm_i      (d_frm),
      .first_i    (d_first),
      .last_i     (d_last),
      .x1_i       (x_rdata1),
      .x2_i       (x_rdata2),
      .f1_i       (f_rdata1),
      .f2_i       (f_rdata2),
      .f3_i       (f_rdata3),
      .a_o        (x1_a),
      .b_o        (x1_b),
      .c_o        (x1_c),
      .immediate_o(x1_immediate),
      .illegal_o  (x1_illegal),
      .fpu_o      (x1_fpu),
      .fdivide_o  (x1_fdivide),
      .divide_o   (x1_divide),
      .first_o    (x1_first),
      .last_o     (x1_last),
      .fp_op_o    (x1_fp_op),
      .fp_format_o(x1_format),
      .rm_o       (x1_rm)
  );

  logic port_fault;
  pipeline u_pipeline (
      .clk_i,
      .rst_ni,
      .squash_i       (freeze),
      .d_valid_i      (d_valid),
      .d_last_i       (d_last),
      .d_context_i    (d_context),
      .d_pc_i         (d_pc),
      .d_word_i       (d_word),
      .d_fetch_fault_i(d_fetch_fault),
      .d_active_i     (d_active),
      .d_id_i         (d_id),
      .d_unit_i       (d_unit),
      .d_writes_x_i   (d_writes_x),
      .d_writes_f_i   (d_writes_f),
      .d_redirects_i  (d_redirects),
      .x1_valid_o     (x1_valid),
      .x1_context_o   (x1_context),
      .x1_pc_o        (x1_pc),
      .x1_id_o        (x1_id),
      .x1_unit_o      (x1_unit),
      .x1_illegal_i   (x1_illegal),
      .x2_valid_o     (x2_valid),
      .x2_context_o   (x2_context),
      .x2_pc_o        (x2_pc),
      .x2_id_o        (x2_id),
      .x2_unit_o      (x2_unit),
      .m_valid_o      (m_valid),
      .m_context_o    (m_context),
      .m_pc_o         (m_pc),
      .m_word_o       (m_word),
      .m_fetch_fault_o(m_fetch_fault),
      .m_illegal_o    (m_illegal),
      .m_active_o     (m_active),
      .m_id_o         (m_id),
      .m_unit_o       (m_unit),
      .m_writes_x_o   (m_writes_x),
      .m_redirects_o  (m_redirects),
      .m_retire_i     (m_valid & !port_fault),
      .w_valid_o      (w_valid),
      .w_context_o    (w_context),
      .w_pc_o         (w_pc),
      .w_word_o       (w_word),
      .w_id_o         (w_id),
      .w_unit_o       (w_unit),
      .w_writes_x_o   (w_writes_x),
      .w_writes_f_o   (w_writes_f)
  );

  // X1.
  logic [31:0] alu_result, x1_next_pc;
  logic [63:0] move_result, x1_result;
  alu u_alu (
      .id_i    (x1_id),
      .a_i     (x1_a[31:0]),
      .b_i     (x1_b[31:0]),
      .pc_i    (x1_pc),
      .result_o(alu_result)
  );
  branch u_branch (
      .branch_i   (x1_unit == isa_pkg::UNIT_BRANCH),
      .id_i       (x1_id),
      .a_i        (x1_a[31:0]),
      .b_i        (x1_b[31:0]),
      .pc_i       (x1_pc),
      .immediate_i(x1_immediate),
      .next_pc_o  (x1_next_pc)
  );
  float_move u_move (
      .id_i    (x1_unit == isa_pkg::UNIT_FMOVE ? x1_id : isa_pkg::ILLEGAL),
      .a_i     (x1_a),
      .b_sign_i(x1_b[63]),
      .result_o(move_result)
  );
  always_comb begin
    case (x1_unit)
      isa_pkg::UNIT_ALU: x1_result = {32'd0, alu_result};
      isa_pkg::UNIT_BRANCH: x1_result = {32'd0, x1_pc + 32'd4};
      isa_pkg::UNIT_LOAD, isa_pkg::UNIT_STORE: x1_result = {32'd0, x1_a[31:0] + x1_immediate};
      isa_pkg::UNIT_FMOVE: x1_result = move_result;
      default: x1_result = x1_a;
    endcase
  end

  // X2.
  logic [63:0] x2_result_q, x2_b_q, x2_wdata;
  logic [31:0] x2_next_pc_q, product;
  logic x2_address_fault, x2_memory;
  logic [5:0] x2_element;
  logic [10:0] x2_row;
  logic [7:0] x2_strobe;
  logic [63:0] m_rdata, w_load, w_result_q;
  always_ff @(posedge clk_i) begin
    x2_result_q <= x1_result;
    x2_b_q <= x1_b;
    x2_next_pc_q <= x1_next_pc;
  end
  multiply u_multiply (
      .clk_i,
      .valid_i   (x1_valid && x1_unit == isa_pkg::UNIT_MULTIPLY),
      .id_i      (x1_id),
      .a_i       (x1_a[31:0]),
      .b_i       (x1_b[31:0]),
      .x2_valid_i(x2_unit == isa_pkg::UNIT_MULTIPLY),
      .result_o  (product)
  );
  assign x2_memory = x2_unit == isa_pkg::UNIT_LOAD || x2_unit == isa_pkg::UNIT_STORE;
  memory_access u_memory_access (
      .valid_i    (x2_memory),
      .id_i       (x2_id),
      .address_i  (x2_result_q[31:0]),
      .data_i     (x2_b_q),
      .fault_o    (x2_address_fault),
      .element_o  (x2_element),
      .row_o      (x2_row),
      .wdata_o    (x2_wdata),
      .strobe_o   (x2_strobe),
      .load_i     (w_unit == isa_pkg::UNIT_LOAD),
      .load_id_i  (w_id),
      .load_lane_i(w_result_q[2:0]),
      .rdata_i    (m_rdata),
      .load_o     (w_load)
  );

  // M.
  logic [63:0] m_result_q, m_wdata_q, m_result;
  logic [5:0] m_element_q;
  logic [10:0] m_row_q;
  logic [7:0] m_strobe_q;
  logic m_memory_q, m_store_q, m_address_fault_q;
  always_ff @(posedge clk_i) begin
    m_result_q <= x2_unit == isa_pkg::UNIT_MULTIPLY ? {32'd0, product} : x2_result_q;
    m_wdata_q <= x2_wdata;
    m_next_pc <= x2_next_pc_q;
    m_element_q <= x2_element;
    m_row_q <= x2_row;
    m_strobe_q <= x2_strobe;
    m_address_fault_q <= x2_address_fault;
    m_store_q <= x2_unit == isa_pkg::UNIT_STORE;
    m_memory_q <= x2_valid & x2_memory & !x2_address_fault & !freeze;
  end

  logic [31:0] fpu_result, fdivide_result, divide_result, csr_rdata, stack_limit;
  logic [4:0] fpu_flags, fdivide_flags, m_flags;
  logic [3:0] m_cause;
  logic [2:0] traps;
  fpu u_fpu (
      .clk_i,
      .rst_ni,
      .valid_i (x1_fpu),
      .op_i    (x1_fp_op),
      .fmt_i   (x1_format),
      .rm_i    (x1_rm),
      .a_i     (x1_a[31:0]),
      .b_i     (x1_b[31:0]),
      .c_i     (x1_c),
      .result_o(fpu_result),
      .flags_o (fpu_flags)
  );
  fp_divsqrt u_fp_divsqrt (
      .clk_i,
      .rst_ni,
      .valid_i (x1_fdivide),
      .start_i (x1_first),
      .last_i  (x1_last),
      .op_i    (x1_fp_op),
      .fmt_i   (x1_format),
      .rm_i    (x1_rm),
      .a_i     (x1_a[31:0]),
      .b_i     (x1_b[31:0]),
      .result_o(fdivide_result),
      .flags_o (fdivide_flags)
  );
  int_divide u_int_divide (
      .clk_i,
      .rst_ni,
      .valid_i (x1_divide),
      .start_i (x1_first),
      .last_i  (x1_last),
      .op_i    (divide_op(x1_id)),
      .a_i     (x1_a[31:0]),
      .b_i     (x1_b[31:0]),
      .result_o(divide_result)
  );
  function automatic logic [1:0] divide_op(input logic [7:0] id);
    case (id)
      isa_pkg::DIV: divide_op = fp_pkg::DIVIDE_DIV;
      isa_pkg::DIVU: divide_op = fp_pkg::DIVIDE_DIVU;
      isa_pkg::REM: divide_op = fp_pkg::DIVIDE_REM;
      default: divide_op = fp_pkg::DIVIDE_REMU;
    endcase
  endfunction

  always_comb begin
    m_result = m_result_q;
    m_flags = 5'd0;
    case (m_unit)
      isa_pkg::UNIT_DIVIDE: m_result = {32'd0, divide_result};
      isa_pkg::UNIT_CSR: m_result = {32'd0, csr_rdata};
      isa_pkg::UNIT_FMA, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT, isa_pkg::UNIT_FDIVIDE: begin
        m_flags = m_unit == isa_pkg::UNIT_FDIVIDE ? fdivide_flags : fpu_flags;
        m_result[31:0] = m_unit == isa_pkg::UNIT_FDIVIDE ? fdivide_result : fpu_result;
        m_result[63:32] = m_writes_x ? 32'd0 : 32'hffff_ffff;
        if (m_word[26] & !m_writes_x) m_result[31:16] = 16'hffff;
      end
      default: ;
    endcase
  end

  logic m_legal, m_system, m_csr, m_clash;
  assign m_legal = m_valid & !m_illegal & !m_fetch_fault;
  assign m_system = m_legal && m_unit == isa_pkg::UNIT_SYSTEM;
  assign m_csr = m_legal && m_unit == isa_pkg::UNIT_CSR;
  assign m_commit = m_valid & !freeze;
  assign m_next = m_commit & (m_context != 3'd0 | m_redirects);

  // Memory and its ports.
  logic event_read, send, packet_out, receive, packet_in, port_clash, read_clash;
  logic [19:0] event_address, send_address, packet_out_address, receive_address, packet_in_address, port_clash_address;
  logic [31:0] send_word, packet_out_word;
  logic [63:0] event_rdata;
  logic [16:0] read_place;
  assign read_place = tile_pkg::locate(read_address[19:3]);
  tile_memory u_memory (
      .clk_i,
      .fetch_i             (fetch),
      .fetch_address_i     (fetch_address),
      .fetch_word_o        (fetch_word),
      .data_i              (m_memory_q | read_memory),
      .data_write_i        (m_store_q & !read_memory),
      .data_commit_i       (m_memory_q & m_store_q & !freeze),
      .data_element_i      (read_memory ? read_place[16:11] : m_element_q),
      .data_row_i          (read_memory ? read_place[10:0] : m_row_q),
      .data_wdata_i        (m_wdata_q),
      .data_strobe_i       (m_strobe_q),
      .data_rdata_o        (m_rdata),
      .debug_write_i       (write_memory),
      .debug_address_i     (debug_address_i[19:2]),
      .debug_wdata_i,
      .event_i             (event_read),
      .event_address_i     (event_address),
      .event_rdata_o       (event_rdata),
      .send_i              (send),
      .send_address_i      (send_address),
      .send_word_o         (send_word),
      .packet_out_i        (packet_out),
      .packet_out_address_i(packet_out_address),
      .packet_out_word_o   (packet_out_word),
      .receive_i           (receive),
      .receive_address_i   (receive_address),
      .receive_word_i      (exchange_data_i),
      .packet_in_i         (packet_in),
      .packet_in_address_i (packet_in_address),
      .packet_in_word_i    (packet_data_i),
      .data_clash_o        (m_clash),
      .port_clash_o        (port_clash),
      .read_clash_o        (read_clash),
      .port_clash_address_o(port_clash_address)
  );

  // Workers, waits, CSRs.
  logic run_fault, sync_fault, hsend_fault, xarm_fault, csr_illegal, m_exit;
  logic [5:0] m_launch;
  logic requests, waits_hsend, external_phase, acknowledged, waits_internal, waits_host, count_zero;
  logic packet_sent, packet_busy, packet_requests, packet_counts, sequencer_busy, sequencer_running;
  logic sequencer_config, packet_config, receive_fault;
  logic [31:0] sequencer_config_address, packet_config_address;
  worker_control u_worker_control (
      .clk_i,
      .rst_ni,
      .system_i     (m_system),
      .commit_i     (m_system & !freeze),
      .id_i         (m_id),
      .context_i    (m_context),
      .entry_i      (m_result_q[31:0]),
      .active_then_i(m_active),
      .fault_o      (run_fault),
      .launch_o     (m_launch),
      .exit_o       (m_exit),
      .w_launch_o   (w_launch),
      .w_entry_o    (w_entry),
      .active_o     (active),
      .stop_all_i   (start)
  );
  sync_wait u_sync_wait (
      .clk_i,
      .rst_ni,
      .system_i           (m_system),
      .commit_i           (m_system & !freeze),
      .id_i               (m_id),
      .immediate_i        (m_word[24:20]),
      .value_i            (m_result_q[31:0] != 32'd0),
      .fault_o            (sync_fault),
      .freeze_i           (freeze | excepted),
      .excepted_i         (excepted),
      .clear_i            (start),
      .issues_i           (supervisor_issues),
      .workers_active_i   (active != 6'd0),
      .sequencer_running_i(sequencer_running),
      .count_zero_i       (count_zero),
      .packet_sent_i      (packet_sent),
      .waits_o            (supervisor_waits),
      .requests_o         (requests),
      .hsend_o            (waits_hsend),
      .external_phase_o   (external_phase),
      .acknowledged_o     (acknowledged),
      .internal_o         (waits_internal),
      .host_o             (waits_host),
      .sync_ack_i,
      .sync_request_o,
      .sync_zone_o,
      .sync_value_o
  );
  csr u_csr (
      .clk_i,
      .rst_ni,
      .csr_i           (m_csr),
      .commit_i        (m_commit),
      .id_i            (m_id),
      .context_i       (m_context),
      .number_i        (m_word[31:20]),
      .operand_i       (m_result_q[31:0]),
      .field_i         (m_word[19:15]),
      .illegal_o       (csr_illegal),
      .rdata_o         (csr_rdata),
      .d_context_i     (d_context),
      .d_frm_o         (d_frm),
      .traps_o         (traps),
      .stack_limit_o   (stack_limit),
      .count_zero_o    (count_zero),
      .flags_i         (m_commit ? m_flags : 5'd0),
      .exit_i          (m_exit),
      .launch_i        (m_launch),
      .vertex_base_i   (m_wdata_q[31:0]),
      .stride_i        (m_id == isa_pkg::RUNALL ? {{20{m_word[31]}}, m_word[31:25], m_word[11:7]} : 32'd0),
      .acknowledged_i  (acknowledged),
      .consensus_i     (sync_consensus_i),
      .host_i          (waits_host),
      .mark_i          (sync_mark_i),
      .packet_word_i   (packet_counts),
      .cycle_i         (cycle_q),
      .tile_id_i       (tile_id_q),
      .debug_read_i    (read_csr),
      .debug_rcontext_i(read_context),
      .debug_rnumber_i (read_address[11:0]),
      .debug_write_i   (write_csr),
      .debug_wcontext_i(debug_context_i),
      .debug_wnumber_i (debug_address_i[11:0]),
      .debug_wdata_i
  );

  // Exchange and packets.
  exchange_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .stop_i           (excepted),
      .clear_i          (start),
      .system_i         (m_system),
      .commit_i         (m_system & !freeze),
      .id_i             (m_id),
      .list_i           (m_result_q[31:0]),
      .fault_o          (xarm_fault),
      .start_i          (acknowledged & waits_internal),
      .worker_active_i  (active != 6'd0),
      .event_o          (event_read),
      .event_address_o  (event_address),
      .event_rdata_i    (event_rdata),
      .send_o           (send),
      .send_address_o   (send_address),
      .send_word_i      (send_word),
      .receive_o        (receive),
      .receive_address_o(receive_address),
      .receive_fault_o  (receive_fault),
      .config_fault_o   (sequencer_config),
      .config_address_o (sequencer_config_address),
      .running_o        (sequencer_running),
      .busy_o           (sequencer_busy),
      .exchange_valid_i,
      .exchange_valid_o,
      .exchange_data_o,
      .exchange_select_o
  );
  packet_port u_packet_port (
      .clk_i,
      .rst_ni,
      .stop_i          (excepted),
      .clear_i         (start),
      .system_i        (m_system),
      .commit_i        (m_system & !freeze),
      .id_i            (m_id),
      .address_i       (m_result_q[31:0]),
      .words_i         (m_wdata_q[31:0]),
      .external_phase_i(external_phase),
      .fault_o         (hsend_fault),
      .sent_o          (packet_sent),
      .busy_o          (packet_busy),
      .requests_o      (packet_requests),
      .out_o           (packet_out),
      .out_address_o   (packet_out_address),
      .out_word_i      (packet_out_word),
      .in_o            (packet_in),
      .in_address_o    (packet_in_address),
      .config_fault_o  (packet_config),
      .config_address_o(packet_config_address),
      .counts_o        (packet_counts),
      .tile_id_i       (tile_id_q),
      .packet_grant_i,
      .packet_valid_i,
      .packet_first_i,
      .packet_data_i,
      .packet_request_o,
      .packet_valid_o,
      .packet_last_o,
      .packet_data_o
  );

  logic [3:0] status_cause;
  logic [2:0] status_context;
  logic [31:0] status_pc, status_value;
  logic [63:0] status_cycle;
  exceptions u_exceptions (
      .clk_i,
      .rst_ni,
      .valid_i              (m_valid),
      .fetch_fault_i        (m_fetch_fault),
      .illegal_i            (m_illegal),
      .id_i                 (m_id),
      .unit_i               (m_unit),
      .context_i            (m_context),
      .pc_i                 (m_pc),
      .word_i               (m_word),
      .operand_i            (m_result_q[31:0]),
      .writes_integer_i     (m_writes_x),
      .result_i             (m_result[31:0]),
      .address_fault_i      (m_address_fault_q),
      .clash_i              (m_clash),
      .csr_illegal_i        (csr_illegal),
      .operand_fault_i      (run_fault | sync_fault | hsend_fault),
      .config_fault_i       (xarm_fault),
      .flags_i              (m_flags),
      .traps_i              (traps),
      .stack_limit_i        (stack_limit),
      .cycle_i              (cycle_q),
      .exchange_fault_i     (port_clash | receive_fault),
      .exchange_address_i   (receive_fault & !read_clash ? receive_address : port_clash_address),
      .port_config_fault_i  (sequencer_config | packet_config),
      .port_config_address_i(sequencer_config ? sequencer_config_address : packet_config_address),
      .cause_o              (m_cause),
      .freeze_o             (freeze),
      .port_fault_o         (port_fault),
      .excepted_o           (excepted),
      .clear_i              (release_exception),
      .status_cause_o       (status_cause),
      .status_context_o     (status_context),
      .status_pc_o          (status_pc),
      .status_value_o       (status_value),
      .status_cycle_o       (status_cycle)
  );
  assign exception_o = excepted;
  assign exchanging_o = sequencer_running & !excepted;
  assign idle_o = excepted | (active == 6'd0 & (held[0] | requests | packet_requests)
                              & !(d_valid | x1_valid | x2_valid | m_valid | w_valid) & passing == 7'd0
                              & !sequencer_busy & !packet_busy);

  debug_access u_debug (
      .clk_i,
      .rst_ni,
      .debug_valid_i,
      .debug_write_i,
      .debug_space_i,
      .debug_context_i,
      .debug_address_i,
      .debug_data_o,
      .write_memory_o     (write_memory),
      .write_integer_o    (write_integer),
      .write_float_o      (write_float),
      .write_csr_o        (write_csr),
      .start_o            (start),
      .write_pc_o         (write_pc),
      .release_o          (release_exception),
      .read_memory_o      (read_memory),
      .read_integer_o     (read_integer),
      .read_float_o       (read_float),
      .read_csr_o         (read_csr),
      .read_context_o     (read_context),
      .read_address_o     (read_address),
      .memory_rdata_i     (m_rdata),
      .integer_i          (x_rdata1),
      .float_i            (read_address[0] ? f_rdata1[63:32] : f_rdata1[31:0]),
      .csr_i              (csr_rdata),
      .pc_i               (read_pc),
      .supervisor_issues_i(supervisor_consumes),
      .worker_issues_i    (d_valid & d_last & d_context != 3'd0),
      .worker_i           (d_context),
      .held_o             (held),
      .status_state_i     ({idle_o, waits_hsend, requests, excepted}),
      .status_cause_i     (status_cause),
      .status_context_i   (status_context),
      .status_pc_i        (status_pc),
      .status_value_i     (status_value),
      .status_cycle_i     (status_cycle),
      .active_i           (active)
  );

  // W: register write and record.
  logic [63:0] w_wdata_q;
  logic [7:0] w_strobe_q;
  logic [3:0] w_cause_q;
  logic [4:0] w_flags_q;
  logic w_done;
  always_ff @(posedge clk_i) begin
    w_result_q <= m_result;
    w_wdata_q <= m_wdata_q;
    w_strobe_q <= m_strobe_q;
    w_cause_q <= m_cause;
    w_flags_q <= m_flags;
  end
  assign w_done = w_valid && w_cause_q == isa_pkg::CAUSE_NONE;
  assign w_result = w_unit == isa_pkg::UNIT_LOAD ? w_load : w_result_q;
  assign w_write_integer = w_done && w_writes_x && w_word[11:7] != 5'd0;
  assign w_write_float = w_done & w_writes_f;

  logic port_valid_q, port_packet_q;
  logic [31:0] port_address_q, port_data_q;
  always_ff @(posedge clk_i) begin
    port_valid_q <= receive | packet_in;
    if (receive | packet_in) begin
      port_packet_q <= !receive;
      port_address_q <= {12'd0, receive ? receive_address : packet_in_address};
      port_data_q <= receive ? exchange_data_i : packet_data_i;
    end
  end

  logic w_register, w_store;
  assign w_register = w_write_integer | w_write_float;
  assign w_store = w_done && w_unit == isa_pkg::UNIT_STORE;
  assign observe_o = {
    w_valid,
    port_valid_q,
    port_packet_q,
    w_register,
    w_write_float,
    w_store,
    w_context,
    w_register ? w_word[11:7] : 5'd0,
    w_done ? w_flags_q : 5'd0,
    1'b0,
    w_cause_q,
    w_store ? w_strobe_q : 8'd0,
    w_pc,
    w_word,
    w_register ? w_result : 64'd0,
    w_store ? {w_result_q[31:3], 3'd0} : 32'd0,
    w_store ? w_wdata_q : 64'd0,
    port_address_q,
    port_data_q
  };
endmodule
