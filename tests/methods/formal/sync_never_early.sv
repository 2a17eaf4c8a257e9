// Sync never acknowledges early: an acknowledgement reaches the tiles only in a cycle in which every tile is at one and the same
// sync, and of zone 4 only after the host has answered; a supervisor leaves a wait in zones 2 to 4 and 7 only after such an
// acknowledgement. A tile that owes automatic syncs is at an internal one, whatever its supervisor does, and its supervisor's own sync
// comes behind them.
//
// The tiles' side (sync_wait) and the chip's side (sync_controller) together. Free: when supervisors issue sync, sans or hsend, in
// which zone, when they get slots, what the host does. Assumed, as tile.md says: a supervisor that waits issues nothing, an
// instruction that waits starts to do so two cycles after its M, exchange begins only behind an acknowledgement, and a sans does not
// issue with many outstanding. No exceptions: one halts its tile, which never requests again.
module sync_never_early (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [1:0] commit_i,
    input logic [1:0] hsend_i,       // it is hsend instead of sync
    input logic [1:0] sans_i,        // it is sans
    input logic [3:0] number0_i,     // of a sans
    input logic [3:0] number1_i,
    input words_pkg::sync_operand_t operand0_i,
    input words_pkg::sync_operand_t operand1_i,
    input logic [1:0] value_i,
    input logic [1:0] slot_i,        // the supervisor has a free slot
    input logic [1:0] workers_i,
    input logic [1:0] sequencer_i,
    input logic [1:0] count_zero_i,
    input logic [1:0] packet_sent_i,
    input logic       edge_idle_i,
    input logic       mark_valid_i,
    input logic [15:0] mark_i
);
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  logic [1:0] request, value, waits, requests, acknowledged, fault;
  logic [7:0] zone;
  logic [1:0] acks, consensus;
  logic [7:0] ack_zone;
  logic [31:0] mark;
  logic ack, host_waiting;
  assign ack = acks[0];
  sync_controller u_controller (
      .clk_i,
      .rst_ni,
      .request_i     (request),
      .zone_i        (zone),
      .value_i       (value),
      .cancel_i      (1'b0),
      .ack_o         (acks),
      .ack_zone_o    (ack_zone),
      .consensus_o   (consensus),
      .mark_o        (mark),
      .edge_idle_i,
      .host_waiting_o(host_waiting),
      .mark_valid_i,
      .mark_i
  );
  always_comb assume (!mark_valid_i || (host_waiting && mark_i != 16'd0));

  // busy_q: from the M of a sync or hsend to the issue that ends its wait. zone_q: which sync; 0 for others.
  // seen_q: an acknowledgement came while it waited.
  logic [1:0] busy_q, begun_q, late_q, seen_q, leaves;
  logic [3:0] zone0_q, zone1_q;
  // What each tile owes, and whether its request has to be low.
  logic [7:0] owed0_q, owed1_q;
  logic [4:0] more0_q, more1_q;
  logic [1:0] owes, lowered_q, asks, sequencer_q, ack_q;
  logic [15:0] outstanding;
  assign owes = {owed1_q != 8'd0, owed0_q != 8'd0};
  assign asks = owes & ~sequencer_i & ~lowered_q;
  always_ff @(posedge clk_i) begin
    sequencer_q <= sequencer_i;
    ack_q <= {2{ack}};
    more0_q <= rst_ni && commit_i[0] && sans_i[0] ? {1'b0, number0_i} + 5'd1 : 5'd0;
    more1_q <= rst_ni && commit_i[1] && sans_i[1] ? {1'b0, number1_i} + 5'd1 : 5'd0;
    owed0_q <= rst_ni ? owed0_q + {3'd0, more0_q} - {7'd0, ack && asks[0]} : 8'd0;
    owed1_q <= rst_ni ? owed1_q + {3'd0, more1_q} - {7'd0, ack && asks[1]} : 8'd0;
    lowered_q <= rst_ni ? asks & {2{ack}} : 2'd0;
  end
  always_comb begin
    assume ((sequencer_i & ~sequencer_q & ~ack_q) == 2'd0);
    assume (!(commit_i[0] && sans_i[0]) || owed0_q < 8'd208);  // 127, and what five more in the pipeline add
    assume (!(commit_i[1] && sans_i[1]) || owed1_q < 8'd208);
  end

  for (genvar t = 0; t < 2; t++) begin : g_tile
    sync_wait u_wait (
        .clk_i,
        .rst_ni,
        .system_i           (commit_i[t]),
        .commit_i           (commit_i[t]),
        .id_i               (sans_i[t] ? isa_pkg::SANS : hsend_i[t] ? isa_pkg::HSEND : isa_pkg::SYNC),
        .operand_i          (t == 0 ? operand0_i : operand1_i),
        .value_i            (value_i[t]),
        .number_i           ({8'd0, t == 0 ? number0_i : number1_i}),
        .fault_o            (fault[t]),
        .freeze_i           (1'b0),
        .excepted_i         (1'b0),
        .clear_i            (1'b0),
        .issues_i           (leaves[t]),
        .workers_active_i   (workers_i[t]),
        .sequencer_running_i(sequencer_i[t]),
        .count_zero_i       (count_zero_i[t]),
        .packet_sent_i      (packet_sent_i[t]),
        .waits_o            (waits[t]),
        .requests_o         (requests[t]),
        .many_o             (),
        .automatic_o        (outstanding[t*8+:8]),
        .write_automatic_i  (1'b0),
        .wdata_i            (8'd0),
        .hsend_o            (),
        .external_phase_o   (),
        .acknowledged_o     (acknowledged[t]),
        .internal_o         (),
        .host_o             (),
        .sync_ack_i         (acks[t]),
        .sync_ack_zone_i    (ack_zone[t*4+:4]),
        .sync_request_o     (request[t]),
        .sync_zone_o        (zone[t*4+:4]),
        .sync_value_o       (value[t])
    );
    assign leaves[t] = slot_i[t] & !waits[t];
    always_comb begin
      assume (!commit_i[t] || (!busy_q[t] && !fault[t]));
      // The serialising instruction issued four cycles before its M: nothing issues from there to the start of the wait.
      if ((commit_i[t] && !sans_i[t]) || (busy_q[t] && !begun_q[t])) assume (!slot_i[t]);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        busy_q[t] <= 1'b0;
        begun_q[t] <= 1'b0;
        seen_q[t] <= 1'b0;
      end else begin
        if (commit_i[t] && !sans_i[t]) begin
          busy_q[t] <= 1'b1;
          begun_q[t] <= 1'b0;
          seen_q[t] <= 1'b0;
        end else begin
          if (busy_q[t]) begun_q[t] <= 1'b1;
          if (leaves[t]) begin
            busy_q[t] <= 1'b0;
            begun_q[t] <= 1'b0;
          end
        end
        if (ack && !owes[t]) seen_q[t] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (commit_i[0] && !sans_i[0]) zone0_q <= hsend_i[0] ? 4'd0 : operand0_i.zone;
    if (commit_i[1] && !sans_i[1]) zone1_q <= hsend_i[1] ? 4'd0 : operand1_i.zone;
  end

  function automatic logic by_chip(input logic [3:0] zone_of_sync);
    by_chip = (zone_of_sync >= 4'd2 && zone_of_sync <= 4'd4) || zone_of_sync == 4'd7;
  endfunction

  // The sync at which each tile is; 0: none.
  logic [3:0] at0, at1;
  assign at0 = owes[0] ? 4'd2 : busy_q[0] && begun_q[0] && !seen_q[0] && by_chip(zone0_q) ? zone0_q : 4'd0;
  assign at1 = owes[1] ? 4'd2 : busy_q[1] && begun_q[1] && !seen_q[1] && by_chip(zone1_q) ? zone1_q : 4'd0;
  logic both, asked;  // every tile is at the same one; and says so
  assign both = at0 == at1 && at0 != 4'd0;
  assign asked = both && request == 2'b11;

  // What is under way from the tiles to them: the zones that were complete, cycle by cycle; and whether the host answered.
  logic both_q;
  logic [3:0] internal_q;
  logic [4:0] external_q;
  logic [1:0] to_host_q;
  logic asked_q;
  logic [2:0] answer_q;
  logic rises;
  assign rises = asked && !both_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      both_q <= 1'b0;
      internal_q <= 4'd0;
      external_q <= 5'd0;
      to_host_q <= 2'd0;
      asked_q <= 1'b0;
      answer_q <= 3'd0;
    end else begin
      both_q <= asked;
      internal_q <= {internal_q[2:0], rises && at0 == 4'd2};
      external_q <= {external_q[3:0], rises && (at0 == 4'd3 || at0 == 4'd7)};
      to_host_q <= {to_host_q[0], rises && at0 == 4'd4};
      asked_q <= (asked_q || to_host_q[1]) && !(mark_valid_i && host_waiting);
      answer_q <= {answer_q[1:0], mark_valid_i && host_waiting};
    end
  end
  logic [14:0] under_way;
  assign under_way = {internal_q, external_q, to_host_q, asked_q, answer_q};

  // What the tiles wait for inside; hierconn lets Yosys connect these to the registers of that name.
  (* hierconn *) wire [3:0] \g_tile[0].u_wait.wait_q ;
  (* hierconn *) wire [3:0] \g_tile[1].u_wait.wait_q ;
  (* hierconn *) wire [3:0] \g_tile[0].u_wait.next_q ;
  (* hierconn *) wire [3:0] \g_tile[1].u_wait.next_q ;
  (* hierconn *) wire \u_controller.u_root.host_pending_q ;
  (* hierconn *) wire [4:0] \g_tile[0].u_wait.more_q ;
  (* hierconn *) wire [4:0] \g_tile[1].u_wait.more_q ;
  (* hierconn *) wire \g_tile[0].u_wait.lowered_q ;
  (* hierconn *) wire \g_tile[1].u_wait.lowered_q ;
  logic [4:0] more0, more1;
  logic [1:0] lowered;
  assign more0 = \g_tile[0].u_wait.more_q ;
  assign more1 = \g_tile[1].u_wait.more_q ;
  assign lowered = {\g_tile[1].u_wait.lowered_q , \g_tile[0].u_wait.lowered_q };
  logic [3:0] wait0, wait1, next0, next1;
  logic pending;
  assign pending = \u_controller.u_root.host_pending_q ;
  assign wait0 = \g_tile[0].u_wait.wait_q ;
  assign wait1 = \g_tile[1].u_wait.wait_q ;
  assign next0 = \g_tile[0].u_wait.next_q ;
  assign next1 = \g_tile[1].u_wait.next_q ;

  always_comb begin
    if (rst_ni) begin
      assert ((next0 != 4'd9) == (busy_q[0] && !begun_q[0]) && (next1 != 4'd9) == (busy_q[1] && !begun_q[1]));
      assert ((wait0 != 4'd9) == (busy_q[0] && begun_q[0]) && (wait1 != 4'd9) == (busy_q[1] && begun_q[1]));
      if (by_chip(zone0_q)) assert (next0 == zone0_q || next0 == 4'd9);
      if (by_chip(zone0_q)) assert (wait0 == zone0_q || wait0 == 4'd9);
      if (by_chip(zone1_q)) assert (next1 == zone1_q || next1 == 4'd9);
      if (by_chip(zone1_q)) assert (wait1 == zone1_q || wait1 == 4'd9);
      if (!by_chip(zone0_q)) assert (!by_chip(next0) && !by_chip(wait0));
      if (!by_chip(zone1_q)) assert (!by_chip(next1) && !by_chip(wait1));
      // The property.
      if (ack) assert (asked && ack_zone == {2{at0}});
      assert (acks[0] == acks[1]);
      if (ack && at0 == 4'd4) assert (answer_q[2]);
      if (leaves[0] && busy_q[0] && begun_q[0] && by_chip(zone0_q)) assert (seen_q[0]);
      if (leaves[1] && busy_q[1] && begun_q[1] && by_chip(zone1_q)) assert (seen_q[1]);
      // What makes it inductive: at most one answer is under way, and meanwhile everybody waits; the acknowledgement is its end.
      assert ((under_way & (under_way - 15'd1)) == 15'd0);
      if (under_way != 15'd0) assert (asked && both_q);
      assert (pending == asked_q);
      if (host_waiting) assert (asked_q || to_host_q[1]);
      if (internal_q != 4'd0) assert (at0 == 4'd2);
      if (external_q != 5'd0) assert (at0 == 4'd3 || at0 == 4'd7);
      if ({to_host_q, asked_q, answer_q} != 6'd0) assert (at0 == 4'd4);
      assert (ack == (internal_q[3] || external_q[4] || answer_q[2]));
      for (int t = 0; t < 2; t++) begin
        assert (requests[t] == (busy_q[t] && begun_q[t] && by_chip(t == 0 ? zone0_q : zone1_q) && !seen_q[t]));
        if (begun_q[t]) assert (busy_q[t]);
      end
      // Requests and their zones, and what each tile counts.
      assert (outstanding == {owed1_q, owed0_q});
      assert (more0 == more0_q && more1 == more1_q && lowered == lowered_q);
      assert (request[0] == (at0 != 4'd0 && !lowered_q[0] && !(owes[0] && sequencer_i[0])));
      assert (request[1] == (at1 != 4'd0 && !lowered_q[1] && !(owes[1] && sequencer_i[1])));
      if (request[0]) assert (zone[3:0] == (owes[0] ? 4'd6 : zone0_q));
      if (request[1]) assert (zone[7:4] == (owes[1] ? 4'd6 : zone1_q));
      // A wait has begun only behind the sans before it.
      if (begun_q[0]) assert (more0_q == 5'd0);
      if (begun_q[1]) assert (more1_q == 5'd0);
    end
  end
endmodule
