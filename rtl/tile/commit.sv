// M, but for its data: whether the instruction there takes effect, and its effect on what is not a register or memory:
// CSRs, the launch and end of workers, the supervisor's waits, the exception status.
module commit (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [63:0] cycle_i,
    input  logic [10:0] tile_id_i,
    // The instruction in M.
    input  logic        valid_i,
    input  logic [ 2:0] context_i,
    input  logic [31:0] pc_i,
    input  logic [31:0] word_i,
    input  logic        fetch_fault_i,
    input  logic        illegal_i,
    input  logic [ 5:0] active_then_i,           // workers active when it was issued
    input  logic [8:0] id_i,
    input  logic [4:0] unit_i,
    input  logic        writes_x_i,
    input  logic [31:0] operand_i,               // rs1 of system instructions, data address of loads and stores
    input  logic [31:0] clash_address_i,
    input  logic [31:0] operand2_i,              // rs2 of system instructions
    input  logic [31:0] result_i,                // integer result, of what is not a load
    input  logic [ 4:0] flags_i,                 // of float instructions
    input  logic        address_fault_i,
    input  logic        clash_i,
    output logic        system_o,                // a legal system instruction
    output logic        freeze_o,                // an exception in this cycle
    output logic        commit_o,                // the instruction takes effect
    output logic        retire_o,                // the instruction ends here, with or without an exception
    output logic [ 3:0] cause_o,                 // its exception: 0 none
    output logic [31:0] csr_o,                   // also of a debug read
    // What contexts do and wait for.
    input  logic [ 2:0] d_context_i,
    output logic [ 2:0] d_frm_o,
    input  logic [ 2:0] x1_context_i,
    output logic [ 2:0] x1_control_o,            // xfpctl[5:3] of that context
    output logic        csr_read_o,              // CSRs kept elsewhere, see csr.sv
    output logic [ 2:0] csr_rcontext_o,
    output logic [11:0] csr_rnumber_o,
    input  logic [31:0] csr_rdata_i,
    output logic        csr_write_o,
    output logic [ 2:0] csr_wcontext_o,
    output logic [11:0] csr_wnumber_o,
    output logic [31:0] csr_wdata_o,
    input  logic        supervisor_issues_i,
    output logic        supervisor_waits_o,
    output logic [ 5:0] active_o,
    output logic [ 5:0] w_launch_o,
    output logic [31:0] w_entry_o,
    // Exchange and packet ports.
    input  logic        config_fault_i,          // of xarm
    input  logic        operand_fault_i,         // of hsend
    input  logic        exchange_fault_i,        // of the ports themselves
    input  logic [19:0] exchange_address_i,
    input  logic        port_config_fault_i,
    input  logic [31:0] port_config_address_i,
    input  logic        sequencer_running_i,
    input  logic        packet_sent_i,
    input  logic        packet_counts_i,
    output logic        sequencer_start_o,
    output logic        external_phase_o,        // hsend is legal
    // Sync controller.
    input  logic        sync_ack_i,
    input  logic [ 3:0] sync_ack_zone_i,
    input  logic        sync_consensus_i,
    input  logic [15:0] sync_mark_i,
    output logic        sync_request_o,
    output logic [ 3:0] sync_zone_o,
    output logic        sync_value_o,
    // Status and debugger.
    output logic        excepted_o,
    output logic        requests_o,              // waits for an acknowledgement
    output logic        many_syncs_o,            // automatic ones are outstanding
    output logic [ 7:0] automatic_syncs_o,       // how many
    input  logic        write_automatic_i,
    output logic        waits_hsend_o,
    output logic        awaits_words_o,
    output logic [ 3:0] status_cause_o,
    output logic [ 2:0] status_context_o,
    output logic [31:0] status_pc_o,
    output logic [31:0] status_value_o,
    output logic [63:0] status_cycle_o,
    input  logic        start_i,
    input  logic        release_i,               // a pending exception ends
    input  logic        write_csr_i,
    input  logic [ 2:0] debug_context_i,
    input  logic [11:0] debug_address_i,
    input  logic [31:0] debug_wdata_i,
    input  logic        read_csr_i,
    input  logic [ 2:0] read_context_i,
    input  logic [11:0] read_address_i
);
  logic freeze, port_fault, excepted, legal, system, commits, acts;
  assign legal = valid_i & !illegal_i & !fetch_fault_i;
  assign system = legal && unit_i == isa_pkg::UNIT_SYSTEM;
  assign commits = valid_i & !freeze;
  assign acts = system & !freeze;
  assign system_o = system;
  assign freeze_o = freeze;
  assign commit_o = commits;
  assign retire_o = valid_i & !port_fault;
  assign excepted_o = excepted;

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
      .id_i,
      .context_i,
      .entry_i      (operand_i),
      .active_then_i,
      .fault_o      (run_fault),
      .launch_o     (launch),
      .exit_o       (exits),
      .w_launch_o,
      .w_entry_o,
      .active_o     (active),
      .stop_all_i   (start_i)
  );
  sync_wait u_sync_wait (
      .clk_i,
      .rst_ni,
      .system_i        (system),
      .commit_i        (acts),
      .id_i,
      .operand_i       (word_i[24:20]),
      .value_i         (operand_i != 32'd0),
      .number_i        (word_i[31:20]),
      .fault_o         (sync_fault),
      .freeze_i        (freeze | excepted),
      .excepted_i      (excepted),
      .clear_i         (start_i),
      .issues_i        (supervisor_issues_i),
      .workers_active_i(active != 6'd0),
      .sequencer_running_i,
      .count_zero_i    (count_zero),
      .packet_sent_i,
      .waits_o         (supervisor_waits_o),
      .requests_o,
      .many_o          (many_syncs_o),
      .automatic_o     (automatic_syncs_o),
      .write_automatic_i,
      .wdata_i         (debug_wdata_i[7:0]),
      .awaits_words_o,
      .hsend_o         (waits_hsend_o),
      .external_phase_o,
      .acknowledged_o  (acknowledged),
      .internal_o      (waits_internal),
      .host_o          (waits_host),
      .sync_ack_i,
      .sync_ack_zone_i,
      .sync_request_o,
      .sync_zone_o,
      .sync_value_o
  );
  csr u_csr (
      .clk_i,
      .rst_ni,
      .csr_i           (legal && unit_i == isa_pkg::UNIT_CSR),
      .commit_i        (commits),
      .id_i,
      .context_i,
      .number_i        (word_i[31:20]),
      .operand_i,
      .field_i         (word_i[19:15]),
      .illegal_o       (csr_illegal),
      .rdata_o         (csr_o),
      .d_context_i,
      .d_frm_o,
      .x1_context_i,
      .x1_control_o,
      .read_o          (csr_read_o),
      .read_context_o  (csr_rcontext_o),
      .read_number_o   (csr_rnumber_o),
      .rdata_i         (csr_rdata_i),
      .write_o         (csr_write_o),
      .write_context_o (csr_wcontext_o),
      .write_number_o  (csr_wnumber_o),
      .wdata_o         (csr_wdata_o),
      .traps_o         (traps),
      .stack_limit_o   (stack_limit),
      .count_zero_o    (count_zero),
      .flags_i         (commits ? flags_i : 5'd0),
      .exit_i          (exits),
      .launch_i        (launch),
      .vertex_base_i   (operand2_i),
      .stride_i        (id_i == isa_pkg::RUNALL ? {{20{word_i[31]}}, word_i[31:25], word_i[11:7]} : 32'd0),
      .acknowledged_i  (acknowledged),
      .consensus_i     (sync_consensus_i),
      .host_i          (waits_host),
      .mark_i          (sync_mark_i),
      .packet_word_i   (packet_counts_i),
      .cycle_i,
      .tile_id_i,
      .debug_read_i    (read_csr_i),
      .debug_rcontext_i(read_context_i),
      .debug_rnumber_i (read_address_i),
      .debug_write_i   (write_csr_i),
      .debug_wcontext_i(debug_context_i),
      .debug_wnumber_i (debug_address_i),
      .debug_wdata_i
  );
  exceptions u_exceptions (
      .clk_i,
      .rst_ni,
      .valid_i,
      .fetch_fault_i,
      .illegal_i,
      .id_i,
      .unit_i,
      .context_i,
      .pc_i,
      .word_i,
      .operand_i,
      .clash_address_i,
      .writes_integer_i(writes_x_i),
      .result_i,
      .address_fault_i,
      .clash_i,
      .csr_illegal_i   (csr_illegal),
      .operand_fault_i (run_fault | sync_fault | operand_fault_i),
      .config_fault_i,
      .flags_i,
      .traps_i         (traps),
      .stack_limit_i   (stack_limit),
      .cycle_i,
      .exchange_fault_i,
      .exchange_address_i,
      .port_config_fault_i,
      .port_config_address_i,
      .cause_o,
      .freeze_o        (freeze),
      .port_fault_o    (port_fault),
      .excepted_o      (excepted),
      .clear_i         (release_i),
      .status_cause_o,
      .status_context_o,
      .status_pc_o,
      .status_value_o,
      .status_cycle_o
  );
endmodule
