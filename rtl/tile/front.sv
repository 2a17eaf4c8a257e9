// F and D: the contexts and their issue, the decoder, the register files and the operands; and the pipeline of what
// every instruction carries on from there to W beside them. Finds where the pcs go back to when an exception squashes.
module front (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 2:0] slot_i,
    input  logic [ 5:0] active_i,
    input  logic [ 6:0] held_i,               // contexts that the debugger holds
    input  logic        excepted_i,
    input  logic        freeze_i,             // an exception in this cycle: M and what is before it do not take place
    input  logic        supervisor_waits_i,
    output logic        supervisor_issues_o,  // it has a free slot and waits no longer
    input  logic        many_syncs_i,         // automatic ones are outstanding: no sans issues
    output logic        sans_waits_o,         // one would
    output logic        busy_o,               // a stage holds an instruction, or a context is between two passes
    output logic        stopped_o,            // a breakpoint has kept an instruction from issuing
    output logic [ 6:0] before_breakpoint_o,  // contexts that stand there
    // Fetch.
    output logic        fetch_o,
    output logic [19:2] fetch_address_o,
    input  logic [31:0] fetch_word_i,         // of the last cycle's fetch
    // D.
    output logic [ 2:0] d_context_o,
    input  logic [ 2:0] d_frm_i,              // rounding mode of that context
    // X1.
    output logic        x1_valid_o,
    output logic [ 2:0] x1_context_o,
    output logic [31:0] x1_pc_o,
    output logic [31:0] x1_word_o,
    output logic [8:0] x1_id_o,
    output logic [4:0] x1_unit_o,
    output logic [63:0] x1_a_o,
    output logic [63:0] x1_b_o,
    output logic [63:0] x1_c_o,
    output logic [31:0] x1_immediate_o,
    output logic        x1_fpu_o,             // work of the FPU, the divide ring, the integer divide ring
    output logic        x1_fdivide_o,
    output logic        x1_divide_o,
    output logic        x1_packed_o,          // of units of the Xipu arithmetic
    output logic        x1_special_o,
    output logic        x1_amp_o,
    output logic        x1_random_o,
    output logic        x1_stream_o,          // several accesses or an updated address
    output logic        x1_first_o,           // which pass
    output logic        x1_last_o,
    output logic [ 4:0] x1_fp_op_o,
    output logic        x1_format_o,
    output logic [ 2:0] x1_rm_o,
    // X2.
    output logic        x2_valid_o,
    output logic        x2_illegal_o,
    output logic [8:0] x2_id_o,
    output logic [4:0] x2_unit_o,
    // M.
    output logic        m_valid_o,
    output logic [ 2:0] m_context_o,
    output logic [31:0] m_pc_o,
    output logic [31:0] m_word_o,
    output logic        m_fetch_fault_o,
    output logic        m_illegal_o,
    output logic [ 5:0] m_active_o,           // workers active in the issue cycle
    output logic [8:0] m_id_o,
    output logic [4:0] m_unit_o,
    output logic        m_writes_x_o,
    input  logic        m_commit_i,           // the instruction takes effect
    input  logic [31:0] m_count_i,            // of a repeat
    input  logic        m_retire_i,           // the instruction ends here, with or without an exception
    input  logic [31:0] m_next_pc_i,
    // W.
    output logic        w_valid_o,
    output logic [ 2:0] w_context_o,
    output logic [31:0] w_pc_o,
    output logic [31:0] w_word_o,
    output logic [8:0] w_id_o,
    output logic [4:0] w_unit_o,
    output logic        w_writes_x_o,
    output logic        w_writes_f_o,
    output logic        w_writes_pair_o,
    output logic        w_updates_x_o,
    output logic        w_updates_f_o,
    input  logic        w_write_integer_i,
    input  logic [ 4:0] w_integer_rd_i,
    input  logic        w_write_float_i,
    input  logic        w_write_pair_i,       // float rd + 1
    input  logic        w_write_base_i,       // float rs1
    input  logic [63:0] w_result_i,
    input  logic [63:0] w_pair_i,
    input  logic [63:0] w_base_i,
    input  logic [ 5:0] w_launch_i,
    input  logic [31:0] w_entry_i,
    // Debugger: start and writes, reads of the cycle after the access, and what it counts steps by.
    input  logic        start_i,
    input  logic        write_pc_i,
    input  logic [ 6:0] debug_chosen_i,
    input  logic        step_i,
    input  logic [ 1:0] write_breakpoint_i,   // first, second
    input  logic        read_second_i,
    output logic [31:0] read_breakpoint_o,
    input  logic        write_integer_i,
    input  logic        write_float_i,
    input  logic [ 2:0] debug_context_i,
    input  logic [ 5:0] debug_address_i,
    input  logic [31:0] debug_wdata_i,
    input  logic        read_integer_i,
    input  logic        read_float_i,
    input  logic [ 2:0] read_context_i,
    input  logic [ 5:0] read_address_i,
    output logic [31:0] read_integer_o,
    output logic [31:0] read_float_o,
    output logic [31:0] read_pc_o,
    input  logic [ 2:0] csr_context_i,        // CSR xrepeat
    output logic [31:0] csr_repeat_o,
    input  logic        read_repeat_i,
    input  logic [ 2:0] read_rcontext_i,
    input  logic [ 1:0] read_rnumber_i,
    output logic [31:0] read_repeat_o,
    input  logic [ 2:0] write_repeat_i,       // first pc, last pc, passes left
    output logic        supervisor_consumes_o,
    output logic        worker_consumes_o     // the worker in D
);
  logic d_valid, d_fetch_fault, d_first, d_last, d_illegal;
  logic [2:0] d_context, d_slots;
  logic [31:0] d_pc, d_word, d_immediate;
  logic [5:0] d_active;
  isa_pkg::control_t d_supervisor_control;
  logic [8:0] d_id;
  logic [4:0] d_unit;
  logic [2:0] d_reads_f;
  logic [1:0] d_rounding;
  logic d_reads_x2, d_writes_x, d_writes_f, d_writes_pair, d_updates_x, d_updates_f, d_redirects, d_in_body;
  logic [6:0] passing;
  logic x1_illegal, m_next, m_redirects;
  logic [2:0] x2_context;
  logic [31:0] x2_pc, m_next_pc;
  logic m_supervisor, x2_supervisor, x1_supervisor;
  assign m_supervisor = m_valid_o && m_context_o == 3'd0;
  assign x2_supervisor = x2_valid_o && x2_context == 3'd0;
  assign x1_supervisor = x1_valid_o && x1_context_o == 3'd0;
  assign m_next = m_valid_o & !freeze_i & (m_context_o != 3'd0 | m_redirects);
  assign d_context_o = d_context;
  assign worker_consumes_o = d_valid & d_last & d_context != 3'd0;
  assign busy_o = d_valid | x1_valid_o | x2_valid_o | m_valid_o | w_valid_o | passing != 7'd0;

  logic stops_worker, stops_supervisor, stops;
  logic [2:0] turn_worker, stopped_context;
  logic [31:0] turn_worker_pc, supervisor_pc;
  assign stopped_o = stops & !freeze_i;
  breakpoints u_breakpoints (
      .clk_i,
      .rst_ni,
      .worker_i            (turn_worker),
      .worker_pc_i         (turn_worker_pc),
      .supervisor_pc_i     (supervisor_pc),
      .stops_worker_o      (stops_worker),
      .stops_supervisor_o  (stops_supervisor),
      .stopped_i           (stops),
      .stopped_context_i   (stopped_context),
      .supervisor_consumes_i(supervisor_consumes_o),
      .worker_consumes_i   (worker_consumes_o),
      .consuming_worker_i  (d_context),
      .forget_i            (freeze_i | start_i),
      .launch_i            (w_launch_i),
      .before_o            (before_breakpoint_o),
      .step_i,
      .write_pc_i,
      .debug_context_i,
      .debug_chosen_i,
      .write_i             (write_breakpoint_i),
      .debug_wdata_i       (debug_wdata_i[19:0]),
      .read_context_i,
      .read_second_i,
      .read_o              (read_breakpoint_o)
  );
  issue u_issue (
      .clk_i,
      .rst_ni,
      .slot_i,
      .active_i,
      .held_i,
      .stop_i             (excepted_i),
      .supervisor_waits_i,
      .supervisor_free_o  (supervisor_issues_o),
      .many_syncs_i,
      .sans_waits_o,
      .turn_worker_o      (turn_worker),
      .turn_worker_pc_o   (turn_worker_pc),
      .supervisor_pc_o    (supervisor_pc),
      .stops_worker_i     (stops_worker),
      .stops_supervisor_i (stops_supervisor),
      .stopped_o          (stops),
      .stopped_context_o  (stopped_context),
      .fetch_o,
      .fetch_address_o,
      .fetch_word_i,
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
      .consumes_o         (supervisor_consumes_o),
      .m_next_i           (m_next),
      .m_context_i        (m_context_o),
      .m_next_pc_i        (m_next_pc),
      .squash_i           (freeze_i),
      .squash_supervisor_i(m_supervisor | x2_supervisor | x1_supervisor),
      .squash_pc_i        (m_supervisor ? m_pc_o : x2_supervisor ? x2_pc : x1_pc_o),
      .launch_i           (w_launch_i),
      .launch_pc_i        (w_entry_i),
      .start_i,
      .write_pc_i,
      .debug_context_i    (start_i ? 3'd0 : debug_context_i),
      .debug_wdata_i,
      .read_context_i,
      .read_pc_o
  );

  repeat_loop u_repeat (
      .clk_i,
      .rst_ni,
      .d_context_i    (d_context),
      .d_in_body_o    (d_in_body),
      .commit_i       (m_commit_i),
      .repeat_i       (m_unit_o == isa_pkg::UNIT_REPEAT),
      .immediate_i    (m_id_o == isa_pkg::RPTI),
      .context_i      (m_context_o),
      .pc_i           (m_pc_o),
      .word_i         (m_word_o),
      .count_i        (m_count_i),
      .next_pc_i      (m_next_pc_i),
      .next_pc_o      (m_next_pc),
      .launch_i       (w_launch_i),
      .start_i,
      .csr_context_i,
      .csr_left_o     (csr_repeat_o),
      .read_i         (read_repeat_i),
      .read_context_i (read_rcontext_i),
      .read_number_i  (read_rnumber_i),
      .rdata_o        (read_repeat_o),
      .write_i        (write_repeat_i),
      .write_context_i(debug_context_i),
      .wdata_i        (debug_wdata_i)
  );

  decode u_decode (
      .from_register_i(d_context == 3'd0),
      .control_i      (d_supervisor_control),
      .word_i         (d_word),
      .supervisor_i   (d_context == 3'd0),
      .in_body_i      (d_in_body),
      .id_o           (d_id),
      .unit_o         (d_unit),
      .reads_x2_o     (d_reads_x2),
      .reads_f_o      (d_reads_f),
      .writes_x_o     (d_writes_x),
      .writes_f_o     (d_writes_f),
      .writes_pair_o  (d_writes_pair),
      .updates_x_o    (d_updates_x),
      .updates_f_o    (d_updates_f),
      .rounding_o     (d_rounding),
      .redirects_o    (d_redirects),
      .illegal_o      (d_illegal),
      .slots_o        (d_slots),
      .immediate_o    (d_immediate)
  );

  logic [31:0] x_rdata1, x_rdata2;
  logic [63:0] f_rdata1, f_rdata2, f_rdata3;
  register_file_int u_integers (
      .clk_i,
      .context_i      (d_context),
      .rs1_i          (d_word[19:15]),
      .rs2_i          (d_word[24:20]),
      .rdata1_o       (x_rdata1),
      .rdata2_o       (x_rdata2),
      .write_i        (w_write_integer_i),
      .write_context_i(w_context_o),
      .rd_i           (w_integer_rd_i),
      .wdata_i        (w_updates_x_o ? w_base_i[31:0] : w_result_i[31:0]),
      .debug_read_i   (read_integer_i),
      .debug_index_i  ({read_context_i, read_address_i[4:0]}),
      .debug_write_i  (write_integer_i),
      .debug_windex_i ({debug_context_i, debug_address_i[4:0]}),
      .debug_wdata_i
  );
  register_file_float u_floats (
      .clk_i,
      .enable_i       (d_reads_f != 3'd0 | read_float_i),
      .context_i      (d_context),
      .rs1_i          (d_word[19:15]),
      .rs2_i          (d_word[24:20]),
      .rs3_i          (d_word[31:27]),
      .rdata1_o       (f_rdata1),
      .rdata2_o       (f_rdata2),
      .rdata3_o       (f_rdata3),
      .write_i        (w_write_float_i),
      .write_pair_i   (w_write_pair_i),
      .write_base_i   (w_write_base_i),
      .write_context_i(w_context_o),
      .rd_i           (w_word_o[11:7]),
      .base_rs1_i     (w_word_o[19:15]),
      .wdata_i        (w_result_i),
      .pair_wdata_i   (w_pair_i),
      .base_wdata_i   (w_base_i),
      .debug_read_i   (read_float_i),
      .debug_index_i  ({read_context_i, read_address_i[5:1]}),
      .debug_write_i  (write_float_i),
      .debug_windex_i ({debug_context_i, debug_address_i[5:1]}),
      .debug_high_i   (debug_address_i[0]),
      .debug_wdata_i
  );
  assign read_integer_o = x_rdata1;
  assign read_float_o = read_address_i[0] ? f_rdata1[63:32] : f_rdata1[31:0];

  operands u_operands (
      .clk_i,
      .rst_ni,
      .squash_i   (freeze_i | start_i),
      .valid_i    (d_valid),
      .id_i       (d_id),
      .unit_i     (d_unit),
      .reads_x2_i (d_reads_x2),
      .reads_f_i  (d_reads_f),
      .rounding_i (d_rounding),
      .illegal_i  (d_illegal),
      .word_i     (d_word),
      .immediate_i(d_immediate),
      .frm_i      (d_frm_i),
      .first_i    (d_first),
      .last_i     (d_last),
      .x1_i       (x_rdata1),
      .x2_i       (x_rdata2),
      .f1_i       (f_rdata1),
      .f2_i       (f_rdata2),
      .f3_i       (f_rdata3),
      .a_o        (x1_a_o),
      .b_o        (x1_b_o),
      .c_o        (x1_c_o),
      .immediate_o(x1_immediate_o),
      .illegal_o  (x1_illegal),
      .fpu_o      (x1_fpu_o),
      .fdivide_o  (x1_fdivide_o),
      .divide_o   (x1_divide_o),
      .packed_o   (x1_packed_o),
      .special_o  (x1_special_o),
      .amp_o      (x1_amp_o),
      .random_o   (x1_random_o),
      .stream_o   (x1_stream_o),
      .first_o    (x1_first_o),
      .last_o     (x1_last_o),
      .fp_op_o    (x1_fp_op_o),
      .fp_format_o(x1_format_o),
      .rm_o       (x1_rm_o)
  );

  pipeline u_pipeline (
      .clk_i,
      .rst_ni,
      .squash_i       (freeze_i | start_i),
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
      .d_writes_pair_i(d_writes_pair),
      .d_updates_x_i  (d_updates_x),
      .d_updates_f_i  (d_updates_f),
      .d_redirects_i  (d_redirects),
      .x1_valid_o,
      .x1_context_o,
      .x1_pc_o,
      .x1_word_o,
      .x1_id_o,
      .x1_unit_o,
      .x1_illegal_i   (x1_illegal),
      .x2_valid_o,
      .x2_context_o   (x2_context),
      .x2_pc_o        (x2_pc),
      .x2_illegal_o,
      .x2_id_o,
      .x2_unit_o,
      .m_valid_o,
      .m_context_o,
      .m_pc_o,
      .m_word_o,
      .m_fetch_fault_o,
      .m_illegal_o,
      .m_active_o,
      .m_id_o,
      .m_unit_o,
      .m_writes_x_o,
      .m_redirects_o  (m_redirects),
      .m_retire_i,
      .w_valid_o,
      .w_context_o,
      .w_pc_o,
      .w_word_o,
      .w_id_o,
      .w_unit_o,
      .w_writes_x_o,
      .w_writes_f_o,
      .w_writes_pair_o,
      .w_updates_x_o,
      .w_updates_f_o
  );
endmodule
