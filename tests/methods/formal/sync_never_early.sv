// Sync never acknowledges early: an acknowledgement reaches the tiles only in a cycle in which every tile waits in one and the same
// zone, and of zone 4 only after the host has answered; a supervisor leaves a wait in zones 2 to 4 only after such an
// acknowledgement.
//
// The tiles' side (sync_wait) and the chip's side (sync_controller) together. Free: when supervisors issue sync or hsend, in which
// zone, when they get slots, what the host does. Assumed, as tile.md says: a supervisor that waits issues nothing, and an
// instruction that waits starts to do so two cycles after its M. No exceptions: one halts its tile, which never requests again.
module sync_never_early (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [1:0] commit_i,
    input logic [1:0] hsend_i,       // it is hsend instead of sync
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
  logic ack, consensus, host_waiting;
  logic [15:0] mark;
  sync_controller u_controller (
      .clk_i,
      .rst_ni,
      .request_i     (request),
      .zone_i        (zone),
      .value_i       (value),
      .ack_o         (ack),
      .consensus_o   (consensus),
      .mark_o        (mark),
      .edge_idle_i,
      .host_waiting_o(host_waiting),
      .mark_valid_i,
      .mark_i
  );
  always_comb assume (!mark_valid_i || host_waiting);

  // busy_q: from the M of a sync or hsend to the issue that ends its wait. zone_q: which sync; 0 for others.
  // seen_q: an acknowledgement came while it waited.
  logic [1:0] busy_q, begun_q, late_q, seen_q, leaves;
  logic [2:0] zone0_q, zone1_q;
  for (genvar t = 0; t < 2; t++) begin : g_tile
    sync_wait u_wait (
        .clk_i,
        .rst_ni,
        .system_i           (commit_i[t]),
        .commit_i           (commit_i[t]),
        .id_i               (hsend_i[t] ? isa_pkg::HSEND : isa_pkg::SYNC),
        .operand_i          (t == 0 ? operand0_i : operand1_i),
        .value_i            (value_i[t]),
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
        .hsend_o            (),
        .external_phase_o   (),
        .acknowledged_o     (acknowledged[t]),
        .internal_o         (),
        .host_o             (),
        .sync_ack_i         (ack),
        .sync_request_o     (request[t]),
        .sync_zone_o        (zone[t*4+:4]),
        .sync_value_o       (value[t])
    );
    assign leaves[t] = slot_i[t] & !waits[t];
    always_comb begin
      assume (!commit_i[t] || (!busy_q[t] && !fault[t]));
      // The serialising instruction issued four cycles before its M: nothing issues from there to the start of the wait.
      if (commit_i[t] || (busy_q[t] && !begun_q[t])) assume (!slot_i[t]);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        busy_q[t] <= 1'b0;
        begun_q[t] <= 1'b0;
        seen_q[t] <= 1'b0;
      end else begin
        if (commit_i[t]) begin
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
        if (ack) seen_q[t] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (commit_i[0]) zone0_q <= hsend_i[0] ? 3'd0 : operand0_i.zone[2:0];
    if (commit_i[1]) zone1_q <= hsend_i[1] ? 3'd0 : operand1_i.zone[2:0];
  end

  function automatic logic by_chip(input logic [2:0] zone_of_sync);
    by_chip = zone_of_sync >= 3'd2 && zone_of_sync <= 3'd4;
  endfunction

  logic both;  // every tile waits in the same zone
  assign both = busy_q == 2'b11 && begun_q == 2'b11 && zone0_q == zone1_q && by_chip(zone0_q);

  // What is under way from the tiles to them: the zones that were complete, cycle by cycle; and whether the host answered.
  logic both_q;
  logic [2:0] internal_q;
  logic [4:0] external_q;
  logic [1:0] to_host_q;
  logic asked_q;
  logic [2:0] answer_q;
  logic rises;
  assign rises = request == 2'b11 && zone[3:0] == zone[7:4] && !both_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      both_q <= 1'b0;
      internal_q <= 3'd0;
      external_q <= 5'd0;
      to_host_q <= 2'd0;
      asked_q <= 1'b0;
      answer_q <= 3'd0;
    end else begin
      both_q <= request == 2'b11 && zone[3:0] == zone[7:4];
      internal_q <= {internal_q[1:0], rises && zone0_q == 3'd2};
      external_q <= {external_q[3:0], rises && zone0_q == 3'd3};
      to_host_q <= {to_host_q[0], rises && zone0_q == 3'd4};
      asked_q <= (asked_q || to_host_q[1]) && !(mark_valid_i && host_waiting);
      answer_q <= {answer_q[1:0], mark_valid_i && host_waiting};
    end
  end
  logic [13:0] under_way;
  assign under_way = {internal_q, external_q, to_host_q, asked_q, answer_q};

  // What the tiles wait for inside; hierconn lets Yosys connect these to the registers of that name.
  (* hierconn *) wire [2:0] \g_tile[0].u_wait.wait_q ;
  (* hierconn *) wire [2:0] \g_tile[1].u_wait.wait_q ;
  (* hierconn *) wire [2:0] \g_tile[0].u_wait.next_q ;
  (* hierconn *) wire [2:0] \g_tile[1].u_wait.next_q ;
  (* hierconn *) wire \u_controller.host_pending_q ;
  logic [2:0] wait0, wait1, next0, next1;
  logic pending;
  assign pending = \u_controller.host_pending_q ;
  assign wait0 = \g_tile[0].u_wait.wait_q ;
  assign wait1 = \g_tile[1].u_wait.wait_q ;
  assign next0 = \g_tile[0].u_wait.next_q ;
  assign next1 = \g_tile[1].u_wait.next_q ;

  always_comb begin
    if (rst_ni) begin
      assert ((next0 != 3'd7) == (busy_q[0] && !begun_q[0]) && (next1 != 3'd7) == (busy_q[1] && !begun_q[1]));
      assert ((wait0 != 3'd7) == (busy_q[0] && begun_q[0]) && (wait1 != 3'd7) == (busy_q[1] && begun_q[1]));
      if (by_chip(zone0_q)) assert (next0 == zone0_q || next0 == 3'd7);
      if (by_chip(zone0_q)) assert (wait0 == zone0_q || wait0 == 3'd7);
      if (by_chip(zone1_q)) assert (next1 == zone1_q || next1 == 3'd7);
      if (by_chip(zone1_q)) assert (wait1 == zone1_q || wait1 == 3'd7);
      if (!by_chip(zone0_q)) assert (!by_chip(next0) && !by_chip(wait0));
      if (!by_chip(zone1_q)) assert (!by_chip(next1) && !by_chip(wait1));
      // The property.
      if (ack) assert (both && request == 2'b11);
      if (ack && zone0_q == 3'd4) assert (answer_q[2]);
      if (leaves[0] && busy_q[0] && begun_q[0] && by_chip(zone0_q)) assert (seen_q[0]);
      if (leaves[1] && busy_q[1] && begun_q[1] && by_chip(zone1_q)) assert (seen_q[1]);
      // What makes it inductive: at most one answer is under way, and meanwhile everybody waits; the acknowledgement is its end.
      assert ((under_way & (under_way - 14'd1)) == 14'd0);
      if (under_way != 14'd0) assert (both && request == 2'b11 && both_q);
      assert (pending == asked_q);
      if (host_waiting) assert (asked_q || to_host_q[1]);
      if (internal_q != 3'd0) assert (zone0_q == 3'd2);
      if (external_q != 5'd0) assert (zone0_q == 3'd3);
      if ({to_host_q, asked_q, answer_q} != 6'd0) assert (zone0_q == 3'd4);
      assert (ack == (internal_q[2] || external_q[4] || answer_q[2]));
      for (int t = 0; t < 2; t++) begin
        assert (requests[t] == (busy_q[t] && begun_q[t] && by_chip(t == 0 ? zone0_q : zone1_q) && !seen_q[t]));
        if (begun_q[t]) assert (busy_q[t]);
      end
      if (requests[0]) assert (zone[3:0] == {1'b0, zone0_q});
      if (requests[1]) assert (zone[7:4] == {1'b0, zone1_q});
    end
  end
endmodule
