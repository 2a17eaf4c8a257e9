// What the supervisor waits for after sync and hsend, and the tile's side of the sync controller's wires (tile.md, Sync
// instruction; exchange.md). Checked in M; the wait, and the request with it, begins in the sixth cycle after the issue.
module sync_wait (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        system_i,          // M holds a legal system instruction
    input  logic        commit_i,
    input  logic [8:0] id_i,
    input  words_pkg::sync_operand_t operand_i,
    input  logic        value_i,           // rs1 is not 0
    output logic        fault_o,           // operand exception
    input  logic        freeze_i,          // excepted, or about to be
    input  logic        excepted_i,
    input  logic        clear_i,           // the debugger starts the tile
    input  logic        issues_i,          // the supervisor has a free slot and waits no longer
    input  logic        workers_active_i,
    input  logic        sequencer_running_i,
    input  logic        count_zero_i,
    input  logic        packet_sent_i,
    output logic        waits_o,
    output logic        requests_o,        // waits in zone 2..4 and is not acknowledged
    output logic        hsend_o,           // the wait is that of an hsend
    output logic        external_phase_o,  // hsend is legal
    output logic        acknowledged_o,    // in this cycle, by the chip
    output logic        internal_o,        // the wait is in zone 2
    output logic        host_o,            // or 4
    input  logic        sync_ack_i,
    output logic        sync_request_o,
    output logic [ 3:0] sync_zone_o,
    output logic        sync_value_o
);
  // What is waited for: a zone's number, or one of two that are none.
  localparam logic [2:0] Local = 3'(words_pkg::SYNC_LOCAL), Exchange = 3'(words_pkg::SYNC_EXCHANGE);
  localparam logic [2:0] Internal = 3'(words_pkg::SYNC_INTERNAL), External = 3'(words_pkg::SYNC_EXTERNAL);
  localparam logic [2:0] Host = 3'(words_pkg::SYNC_HOST), Receive = 3'(words_pkg::SYNC_RECEIVE);
  localparam logic [2:0] Hsend = 3'd6, Nothing = 3'd7;

  logic is_sync, is_hsend;
  assign is_sync = id_i == isa_pkg::SYNC;
  assign is_hsend = id_i == isa_pkg::HSEND;
  assign fault_o = system_i & is_sync & (operand_i.zone > words_pkg::SYNC_RECEIVE);

  logic [2:0] next_q, wait_q;  // in W; now
  logic value_q, acknowledged_q, external_q;

  assign internal_o = wait_q == Internal;
  assign host_o = wait_q == Host;
  assign hsend_o = wait_q == Hsend;
  assign requests_o = (wait_q == Internal || wait_q == External || wait_q == Host) & !acknowledged_q;
  always_comb begin
    case (wait_q)
      Local: waits_o = workers_active_i;
      Exchange: waits_o = sequencer_running_i;
      Internal, External, Host: waits_o = !acknowledged_q;
      Receive: waits_o = !count_zero_i;
      Hsend: waits_o = !packet_sent_i;
      default: waits_o = 1'b0;
    endcase
  end
  assign acknowledged_o = requests_o & sync_ack_i & !freeze_i;

  always_ff @(posedge clk_i) begin
    if (commit_i & is_sync) next_q <= operand_i.zone[2:0];
    else if (commit_i & is_hsend) next_q <= Hsend;
    else next_q <= Nothing;
    if (commit_i & is_sync) value_q <= value_i | !operand_i.contributes;
    if (next_q != Nothing) begin
      wait_q <= next_q;
      acknowledged_q <= 1'b0;
    end else begin
      if (acknowledged_o) acknowledged_q <= 1'b1;
      if (issues_i) wait_q <= Nothing;
    end
    if (acknowledged_o & !internal_o) external_q <= 1'b1;
    else if (commit_i & is_sync & (operand_i.zone == words_pkg::SYNC_INTERNAL)) external_q <= 1'b0;
    if (!rst_ni) external_q <= 1'b0;
    if (!rst_ni | clear_i) begin
      next_q <= Nothing;
      wait_q <= Nothing;
      acknowledged_q <= 1'b0;
    end
  end
  assign external_phase_o = external_q;
  assign sync_request_o = requests_o & !excepted_i;
  assign sync_zone_o = sync_request_o ? {1'b0, wait_q} : 4'd0;
  assign sync_value_o = sync_request_o & value_q;
endmodule
