// F and D: the contexts and their issue, the decoder, the register files and the operands; and the pipeline of what
// every instruction carries on from there to W beside them. Finds where the pcs go back to when an exception squashes.
module front (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [7:0]              reset_entry_i,        // tile.md, Reset
  input  logic [2:0]              slot_i,
  input  logic [5:0]              active_i,
  input  logic [6:0]              held_i,               // contexts that the debugger holds
  input  logic                    excepted_i,
  input  logic                    supervisor_waits_i,
  output logic                    supervisor_issues_o,  // it has a free slot and waits no longer
  input  logic                    many_syncs_i,         // automatic ones are outstanding: no sans issues
  output logic                    sans_waits_o,         // one would
  output logic                    busy_o,               // a stage holds an instruction, or a context is between two passes
  output logic                    fetch_o,
  output logic [19:2]             fetch_address_o,
  input  logic [31:0]             fetch_word_i,         // of the last cycle's fetch
  output logic [2:0]              d_context_o,
  input  logic [2:0]              d_frm_i,              // rounding mode of that context
  output stage_pkg::instruction_t x1_o,
  output stage_pkg::wake_t        d_wake_o,
  output stage_pkg::work_t        x1_work_o,
  output stage_pkg::operands_t    x1_operands_o,
  output stage_pkg::instruction_t x2_o,
  output stage_pkg::instruction_t m_o,
  input  stage_pkg::executed_t    m_executed_i,
  input  stage_pkg::effect_t      m_effect_i,
  output stage_pkg::instruction_t w_o,
  input  stage_pkg::writes_t      w_writes_i,
  input  logic [63:0]             w_result_i,
  input  logic [63:0]             w_pair_i,
  input  logic [63:0]             w_base_i,
  input  stage_pkg::launch_t      w_launch_i,
  input  stage_pkg::debug_write_t debug_write_i,
  input  stage_pkg::debug_read_t  debug_read_i,
  input  stage_pkg::vector_read_t vector_read_i,
  output stage_pkg::front_read_t  read_o,
  output logic [31:0]             read_repeat_o,        // by vector_read_i
  output logic [31:0]             csr_repeat_o,         // CSR xrepeat
  output stage_pkg::consumes_t    consumes_o,
  output logic                    stopped_o,            // a breakpoint has kept an instruction from issuing
  output logic [6:0]              before_breakpoint_o   // contexts that stand there
);
  stage_pkg::issued_t d;
  isa_pkg::control_t d_supervisor_control, d_control;
  stage_pkg::decoded_t d_decoded;
  stage_pkg::registers_t d_registers;
  logic d_first, d_last, d_in_body;
  logic [6:0] passing;
  logic m_next, squashes;
  logic [31:0] m_next_pc;
  stage_pkg::squash_t squash;
  logic m_supervisor, x2_supervisor, x1_supervisor;
  assign m_supervisor = m_o.valid && m_o.context_id == 3'd0;
  assign x2_supervisor = x2_o.valid && x2_o.context_id == 3'd0;
  assign x1_supervisor = x1_o.valid && x1_o.context_id == 3'd0;
  assign squash.valid = m_effect_i.freeze;
  assign squash.supervisor = m_supervisor | x2_supervisor | x1_supervisor;
  assign squash.pc = m_supervisor ? m_o.pc : x2_supervisor ? x2_o.pc : x1_o.pc;
  assign squashes = m_effect_i.freeze | debug_write_i.start;
  assign m_next = m_o.valid & !m_effect_i.freeze & (m_o.context_id != 3'd0 | m_o.redirects);
  assign d_context_o = d.context_id;
  logic supervisor_consumes;
  assign consumes_o.supervisor = supervisor_consumes;
  assign consumes_o.worker = d.valid & d_last & d.context_id != 3'd0;
  assign busy_o = d.valid | x1_o.valid | x2_o.valid | m_o.valid | w_o.valid | passing != 7'd0;

  logic stops_worker, stops_supervisor, stops;
  logic [2:0] stopped_context;
  stage_pkg::turn_t turn;
  assign stopped_o = stops & !m_effect_i.freeze;
  breakpoints u_breakpoints (
    .clk_i,
    .rst_ni,
    .turn_i               (turn),
    .stops_worker_o       (stops_worker),
    .stops_supervisor_o   (stops_supervisor),
    .stopped_i            (stops),
    .stopped_context_i    (stopped_context),
    .supervisor_consumes_i(supervisor_consumes),
    .worker_consumes_i    (consumes_o.worker),
    .consuming_worker_i   (d.context_id),
    .forget_i             (squashes),
    .launch_i             (w_launch_i.workers),
    .before_o             (before_breakpoint_o),
    .debug_write_i,
    .read_context_i       (debug_read_i.context_id),
    .read_second_i        (!debug_read_i.address[0]),
    .read_o               (read_o.breakpoint)
  );
  issue u_issue (
    .clk_i,
    .rst_ni,
    .reset_context_i   (reset_entry_i[2:0]),
    .slot_i,
    .active_i,
    .held_i,
    .stop_i            (excepted_i),
    .supervisor_waits_i,
    .supervisor_free_o (supervisor_issues_o),
    .many_syncs_i,
    .sans_waits_o,
    .turn_o            (turn),
    .stops_worker_i    (stops_worker),
    .stops_supervisor_i(stops_supervisor),
    .stopped_o         (stops),
    .stopped_context_o (stopped_context),
    .fetch_o,
    .fetch_address_o,
    .fetch_word_i,
    .d_o               (d),
    .d_control_o       (d_supervisor_control),
    .d_slots_i         (d_decoded.slots),
    .d_first_o         (d_first),
    .d_last_o          (d_last),
    .passing_o         (passing),
    .consumes_o        (supervisor_consumes),
    .m_next_i          (m_next),
    .m_context_i       (m_o.context_id),
    .m_next_pc_i       (m_next_pc),
    .squash_i          (squash),
    .w_launch_i,
    .debug_write_i,
    .read_context_i    (debug_read_i.context_id),
    .read_pc_o         (read_o.pc)
  );

  logic [2:0] write_repeat;
  always_comb begin
    write_repeat = 3'd0;
    if (debug_write_i.vectors && debug_write_i.context_id != 3'd0) begin
      case (debug_write_i.address[6:0])
        words_pkg::VECTOR_REPEAT_FIRST: write_repeat = 3'b001;
        words_pkg::VECTOR_REPEAT_LAST: write_repeat = 3'b010;
        words_pkg::VECTOR_REPEAT_LEFT: write_repeat = 3'b100;
        default: ;
      endcase
    end
  end
  repeat_loop u_repeat (
    .clk_i,
    .rst_ni,
    .d_context_i    (d.context_id),
    .d_in_body_o    (d_in_body),
    .commit_i       (m_effect_i.commits),
    .repeat_i       (m_o.unit == isa_pkg::UNIT_REPEAT),
    .immediate_i    (m_o.id == isa_pkg::RPTI),
    .context_i      (m_o.context_id),
    .pc_i           (m_o.pc),
    .word_i         (m_o.word),
    .count_i        (m_executed_i.operand),
    .next_pc_i      (m_executed_i.next_pc),
    .next_pc_o      (m_next_pc),
    .launch_i       (w_launch_i.workers),
    .start_i        (debug_write_i.start),
    .csr_context_i  (debug_read_i.context_id),
    .csr_left_o     (csr_repeat_o),
    .read_i         (vector_read_i.valid && vector_read_i.context_id != 3'd0 && vector_read_i.address >= words_pkg::VECTOR_REPEAT_FIRST
                     && vector_read_i.address <= words_pkg::VECTOR_REPEAT_LEFT),
    .read_context_i (vector_read_i.context_id),
    .read_number_i  (vector_read_i.address[1:0] - 2'd2),
    .rdata_o        (read_repeat_o),
    .write_i        (write_repeat),
    .write_context_i(debug_write_i.context_id),
    .wdata_i        (debug_write_i.data)
  );

  decode u_decode (
    .from_register_i(d.context_id == 3'd0),
    .control_i      (d_supervisor_control),
    .word_i         (d.word),
    .supervisor_i   (d.context_id == 3'd0),
    .in_body_i      (d_in_body),
    .control_o      (d_control),
    .decoded_o      (d_decoded)
  );

  register_file_int u_integers (
    .clk_i,
    .rst_ni,
    .reset_entry_i,
    .context_i      (d.context_id),
    .rs1_i          (d.word[19:15]),
    .rs2_i          (d.word[24:20]),
    .rdata1_o       (d_registers.x1),
    .rdata2_o       (d_registers.x2),
    .write_i        (w_writes_i.to_integer),
    .write_context_i(w_o.context_id),
    .rd_i           (w_writes_i.integer_rd),
    .wdata_i        (w_writes_i.integer_data),
    .debug_read_i   (debug_read_i.integer_register),
    .debug_index_i  ({debug_read_i.context_id, debug_read_i.address[4:0]}),
    .debug_write_i  (debug_write_i.integer_register),
    .debug_windex_i ({debug_write_i.context_id, debug_write_i.address[4:0]}),
    .debug_wdata_i  (debug_write_i.data)
  );
  register_file_float u_floats (
    .clk_i,
    .rst_ni,
    .reset_entry_i,
    .enable_i       (d_control.reads_f1 | d_control.reads_f2 | d_control.reads_f3 | debug_read_i.float_register),
    .context_i      (d.context_id),
    .rs1_i          (d.word[19:15]),
    .rs2_i          (d.word[24:20]),
    .rs3_i          (d.word[31:27]),
    .rdata1_o       (d_registers.f1),
    .rdata2_o       (d_registers.f2),
    .rdata3_o       (d_registers.f3),
    .write_i        (w_writes_i.to_float),
    .write_pair_i   (w_writes_i.to_pair),
    .write_base_i   (w_writes_i.to_base),
    .write_context_i(w_o.context_id),
    .rd_i           (w_o.word[11:7]),
    .base_rs1_i     (w_o.word[19:15]),
    .wdata_i        (w_result_i),
    .pair_wdata_i   (w_pair_i),
    .base_wdata_i   (w_base_i),
    .debug_read_i   (debug_read_i.float_register),
    .debug_index_i  ({debug_read_i.context_id, debug_read_i.address[5:1]}),
    .debug_write_i  (debug_write_i.float_register),
    .debug_windex_i ({debug_write_i.context_id, debug_write_i.address[5:1]}),
    .debug_high_i   (debug_write_i.address[0]),
    .debug_wdata_i  (debug_write_i.data)
  );
  assign read_o.integer_register = d_registers.x1;
  assign read_o.float_register   = debug_read_i.address[0] ? d_registers.f1[63:32] : d_registers.f1[31:0];

  operands u_operands (
    .clk_i,
    .rst_ni,
    .squash_i   (squashes),
    .d_i        (d),
    .control_i  (d_control),
    .decoded_i  (d_decoded),
    .frm_i      (d_frm_i),
    .first_i    (d_first),
    .last_i     (d_last),
    .registers_i(d_registers),
    .x1_o       (x1_operands_o),
    .x1_work_o,
    .d_wake_o
  );
  pipeline u_pipeline (
    .clk_i,
    .rst_ni,
    .squash_i    (squashes),
    .d_i         (d),
    .d_control_i (d_control),
    .x1_o,
    .x1_illegal_i(x1_work_o.illegal),
    .x1_last_i   (x1_work_o.last),
    .x2_o,
    .m_o,
    .m_retires_i (m_effect_i.retires),
    .w_o
  );

  // What others need of all this.
  logic unused;
  assign unused = ^{m_executed_i, m_effect_i, w_writes_i, w_launch_i, debug_write_i, debug_read_i};
endmodule
