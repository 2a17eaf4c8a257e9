// M, but for its data: whether the instruction there takes effect, and its effect on what is not a register or memory:
// CSRs, the launch and end of workers, the supervisor's waits, the exception status.
module commit (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [2:0]                reset_context_i,      // tile.md, Reset
  input  logic [63:0]               cycle_i,
  input  logic [10:0]               tile_id_i,
  input  stage_pkg::instruction_t   m_i,
  input  stage_pkg::executed_t      m_executed_i,
  input  logic [31:0]               m_operand2_i,         // rs2 of system instructions
  input  logic                      m_clash_i,
  input  logic [31:0]               m_clash_address_i,
  input  stage_pkg::port_operands_t m_wrong_i,
  output logic                      m_system_o,           // a legal system instruction
  output stage_pkg::effect_t        m_effect_o,
  output logic [31:0]               m_csr_o,              // also of a debug read
  input  logic [2:0]                d_context_i,
  output logic [2:0]                d_frm_o,
  input  logic [2:0]                x1_context_i,
  output logic [2:0]                x1_control_o,         // xfpctl[5:3] of that context
  output stage_pkg::csr_read_t      csr_read_o,           // CSRs kept elsewhere, see csr.sv
  input  logic [31:0]               csr_rdata_i,
  output stage_pkg::csr_write_t     csr_write_o,
  input  logic                      supervisor_issues_i,
  output logic                      supervisor_waits_o,
  output logic [5:0]                active_o,
  output stage_pkg::launch_t        w_launch_o,
  input  stage_pkg::instruction_t   w_i,
  input  logic [4:0]                w_flags_i,            // 0 of an instruction with an exception
  // Exchange and packet ports, and the sync controller.
  input  stage_pkg::port_faults_t   port_faults_i,
  input  stage_pkg::ports_t         ports_i,
  output logic                      sequencer_start_o,
  output logic                      external_phase_o,     // hsend is legal
  input  words_pkg::sync_answer_t   sync_i,
  output words_pkg::sync_request_t  sync_o,
  output stage_pkg::status_t        status_o,
  output stage_pkg::exception_t     exception_o,
  input  stage_pkg::debug_write_t   debug_write_i,
  input  stage_pkg::debug_read_t    debug_read_i
);
  logic freeze, frozen, trapped, port_fault, excepted, legal, system, commits, acts;
  logic [2:0] trapping;
  assign legal = m_i.valid & !m_i.illegal & !m_i.fetch_fault;
  assign trapped = (trapping & {m_executed_i.flags[fp_pkg::FLAG_OF], m_executed_i.flags[fp_pkg::FLAG_DZ], m_executed_i.flags[fp_pkg::FLAG_NV]}) != 3'd0;
  assign freeze = frozen | trapped;
  assign system = legal && m_i.unit == isa_pkg::UNIT_SYSTEM;
  assign commits = m_i.valid & !freeze;
  assign acts = system & !freeze;
  assign m_system_o = system;
  assign m_effect_o.freeze  = freeze;
  assign m_effect_o.commits = commits;
  assign m_effect_o.retires = m_i.valid & !port_fault;

  logic run_fault, sync_fault, csr_illegal, exits;
  logic [5:0] launch, active;
  logic acknowledged, waits_internal, waits_host, count_zero;
  logic [2:0] traps;
  logic [31:0] stack_limit;
  assign active_o = active;
  assign sequencer_start_o = acknowledged & waits_internal;

  worker_control u_worker_control (
    .clk_i,
    .rst_ni,
    .system_i     (system),
    .commit_i     (acts),
    .id_i         (m_i.id),
    .context_i    (m_i.context_id),
    .entry_i      (m_executed_i.operand),
    .active_then_i(m_i.active),
    .fault_o      (run_fault),
    .launch_o     (launch),
    .exit_o       (exits),
    .w_launch_o   (w_launch_o.workers),
    .w_entry_o    (w_launch_o.entry),
    .active_o     (active),
    .stop_all_i   (debug_write_i.start)
  );
  sync_wait u_sync_wait (
    .clk_i,
    .rst_ni,
    .system_i           (system),
    .commit_i           (acts),
    .id_i               (m_i.id),
    .operand_i          (m_i.word[24:20]),
    .value_i            (m_executed_i.operand != 32'd0),
    .number_i           (m_i.word[31:20]),
    .fault_o            (sync_fault),
    .freeze_i           (freeze | excepted),
    .excepted_i         (excepted),
    .clear_i            (debug_write_i.start),
    .issues_i           (supervisor_issues_i),
    .workers_active_i   (active != 6'd0),
    .sequencer_running_i(ports_i.sequencer_running),
    .count_zero_i       (count_zero),
    .packet_sent_i      (ports_i.packet_sent),
    .waits_o            (supervisor_waits_o),
    .requests_o         (status_o.requests),
    .many_o             (status_o.many_syncs),
    .automatic_o        (status_o.automatic_syncs),
    .write_automatic_i  (debug_write_i.automatic_syncs),
    .wdata_i            (debug_write_i.data[7:0]),
    .awaits_words_o     (status_o.awaits_words),
    .hsend_o            (status_o.sends),
    .external_phase_o,
    .acknowledged_o     (acknowledged),
    .internal_o         (waits_internal),
    .host_o             (waits_host),
    .sync_ack_i         (sync_i.ack),
    .sync_ack_zone_i    (sync_i.zone),
    .sync_request_o     (sync_o.valid),
    .sync_zone_o        (sync_o.zone),
    .sync_value_o       (sync_o.value)
  );
  csr u_csr (
    .clk_i,
    .rst_ni,
    .reset_context_i,
    .m_i,
    .csr_i         (legal && m_i.unit == isa_pkg::UNIT_CSR),
    .commit_i      (commits),
    .operand_i     (m_executed_i.operand),
    .illegal_o     (csr_illegal),
    .rdata_o       (m_csr_o),
    .d_context_i,
    .d_frm_o,
    .x1_context_i,
    .x1_control_o,
    .traps_o       (traps),
    .stack_limit_o (stack_limit),
    .count_zero_o  (count_zero),
    .read_o        (csr_read_o),
    .rdata_i       (csr_rdata_i),
    .write_o       (csr_write_o),
    .w_context_i   (w_i.context_id),
    .w_flags_i,
    .exit_i        (exits),
    .launch_i      (launch),
    .vertex_base_i (m_operand2_i),
    .stride_i      (m_i.id == isa_pkg::RUNALL ? {{20{m_i.word[31]}}, m_i.word[31:25], m_i.word[11:7]} : 32'd0),
    .acknowledged_i(acknowledged),
    .consensus_i   (sync_i.consensus),
    .host_i        (waits_host),
    .mark_i        (sync_i.mark),
    .packet_word_i (ports_i.packet_counts),
    .cycle_i,
    .tile_id_i,
    .debug_read_i,
    .debug_write_i
  );
  assign status_o.excepted = excepted;
  exceptions u_exceptions (
    .clk_i,
    .rst_ni,
    .m_i,
    .m_executed_i,
    .m_clash_i,
    .m_clash_address_i,
    .csr_illegal_i  (csr_illegal),
    .operand_fault_i(run_fault | sync_fault | m_wrong_i.hsend),
    .config_fault_i (m_wrong_i.xarm),
    .traps_i        (traps),
    .stack_limit_i  (stack_limit),
    .cycle_i,
    .port_faults_i,
    .cause_o        (m_effect_o.cause),
    .frozen_o       (frozen),
    .trapping_o     (trapping),
    .trapped_i      (trapped),
    .freeze_i       (freeze),
    .port_fault_o   (port_fault),
    .excepted_o     (excepted),
    .clear_i        (debug_write_i.clear_exception),
    .first_o        (exception_o)
  );

  // What others need of all this.
  logic unused;
  assign unused = ^{m_i, w_i, debug_write_i};
endmodule
