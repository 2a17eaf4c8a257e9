// What the supervisor waits for after sync and hsend, the automatic syncs of sans, and the tile's side of the sync controller's
// wires (tile.md, Sync instruction, Automatic syncs; exchange.md). Checked in M; the wait, and the request with it, begins in the sixth cycle after the issue.
module sync_wait (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        system_i,          // M holds a legal system instruction
    input  logic        commit_i,
    input  logic [8:0] id_i,
    input  words_pkg::sync_operand_t operand_i,
    input  logic        value_i,           // rs1 is not 0
    input  logic [11:0] number_i,          // of a sans
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
    output logic        requests_o,        // waits in zone 2..4 or 7 and is not acknowledged
    output logic        awaits_words_o,    // waits in zone 5 for words that have not come
    output logic        many_o,            // automatic syncs are outstanding
    output logic [ 7:0] automatic_o,       // how many
    input  logic        write_automatic_i,
    input  logic [ 7:0] wdata_i,
    output logic        hsend_o,           // the wait is that of an hsend
    output logic        external_phase_o,  // hsend is legal
    output logic        acknowledged_o,    // in this cycle, by the chip
    output logic        internal_o,        // the wait is in zone 2
    output logic        host_o,            // or 4
    input  logic        sync_ack_i,
    input  logic [ 3:0] sync_ack_zone_i,       // which sync is over
    output logic        sync_request_o,
    output logic [ 3:0] sync_zone_o,
    output logic        sync_value_o
);
  // What is waited for: a zone's number, or one of two that are none.
  localparam logic [3:0] Local = words_pkg::SYNC_LOCAL, Exchange = words_pkg::SYNC_EXCHANGE;
  localparam logic [3:0] Internal = words_pkg::SYNC_INTERNAL, External = words_pkg::SYNC_EXTERNAL;
  localparam logic [3:0] Host = words_pkg::SYNC_HOST, Receive = words_pkg::SYNC_RECEIVE;
  localparam logic [3:0] Replica = words_pkg::SYNC_REPLICA;
  localparam logic [3:0] Hsend = 4'd8, Nothing = 4'd9;

  logic is_sync, is_hsend, is_sans;
  assign is_sans = id_i == isa_pkg::SANS;
  assign is_sync = id_i == isa_pkg::SYNC;
  assign is_hsend = id_i == isa_pkg::HSEND;
  assign fault_o = system_i & (is_sync & (operand_i.zone > words_pkg::SYNC_RECEIVE) & (operand_i.zone != words_pkg::SYNC_REPLICA) | is_sans & (number_i > words_pkg::MOST_SANS_COUNT));

  logic [3:0] next_q, wait_q;  // in W; now
  logic value_q, acknowledged_q, external_q;

  assign internal_o = wait_q == Internal;
  assign host_o = wait_q == Host;
  assign hsend_o = wait_q == Hsend;
  assign requests_o = (wait_q == Internal || wait_q == External || wait_q == Host || wait_q == Replica) & !acknowledged_q;
  assign awaits_words_o = wait_q == Receive & !count_zero_i;
  always_comb begin
    case (wait_q)
      Local: waits_o = workers_active_i;
      Exchange: waits_o = sequencer_running_i;
      Internal, External, Host, Replica: waits_o = !acknowledged_q;
      Receive: waits_o = !count_zero_i;
      Hsend: waits_o = !packet_sent_i;
      default: waits_o = 1'b0;
    endcase
  end

  // Automatic syncs come before what the supervisor waits for; behind each the request is low for a cycle.
  logic [7:0] automatic_q;
  logic [4:0] more_q;  // of a sans in W
  logic lowered_q, asks, asks_automatic, counted;
  assign automatic_o = automatic_q;
  assign many_o = automatic_q >= words_pkg::MANY_AUTOMATIC_SYNCS;
  assign asks_automatic = automatic_q != 8'd0 & !sequencer_running_i & !lowered_q;
  assign asks = requests_o & automatic_q == 8'd0 & !lowered_q;
  assign acknowledged_o = asks & sync_ack_i & (sync_ack_zone_i == wait_q) & !freeze_i;
  assign counted = asks_automatic & sync_ack_i & (sync_ack_zone_i == words_pkg::SYNC_INTERNAL) & !freeze_i;
  always_ff @(posedge clk_i) begin
    more_q <= commit_i & is_sans ? {1'b0, number_i[3:0]} + 5'd1 : 5'd0;
    automatic_q <= write_automatic_i ? wdata_i : automatic_q + {3'd0, more_q} - {7'd0, counted};
    lowered_q <= counted;
    if (!rst_ni | clear_i) begin
      more_q <= 5'd0;
      automatic_q <= 8'd0;
      lowered_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (commit_i & is_sync) next_q <= operand_i.zone;
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
  assign sync_request_o = (asks | asks_automatic) & !excepted_i;
  assign sync_zone_o = !sync_request_o ? 4'd0 : asks_automatic ? words_pkg::SYNC_AUTOMATIC : wait_q;
  assign sync_value_o = sync_request_o & (asks_automatic | value_q);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      waits_for_what_there_is : assert (wait_q <= Nothing && next_q <= Nothing);
      acknowledged_only_when_it_asks : assert (!acknowledged_o || asks);
      automatic_syncs_are_counted_down_to_none : assert (!counted || automatic_q != 8'd0);
      requests_one_sync_at_a_time : assert (!(asks && asks_automatic));
      zone_is_none_without_request : assert (sync_request_o || sync_zone_o == 4'd0 && !sync_value_o);
      nothing_is_requested_behind_an_exception : assert (!excepted_i || !sync_request_o);
    end
  end
`endif
endmodule
