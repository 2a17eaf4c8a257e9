// Slot rotation never gives a slot away: the cycle whose slot an active worker owns is that worker's, to fetch and issue
// its own pc, and nobody else's; a launch never hits a worker that is active; only its own exit ends a worker.
//
// Free: everything that issue and worker_control get from elsewhere. Assumed: the pipeline of tile.md between them (the
// workers active at issue arrive in M with the instruction; launches are serialised, six cycles apart).
module slot_rotation (
    input logic        clk_i,
    input logic        rst_ni,
    input logic [ 6:0] held_i,
    input logic        stop_i,
    input logic        supervisor_waits_i,
    input logic        many_syncs_i,
    input logic        stops_worker_i,
    input logic        stops_supervisor_i,
    input logic [31:0] fetch_word_i,
    input logic [ 2:0] d_slots_i,
    input logic        m_next_i,
    input logic [ 2:0] m_context_i,
    input logic [31:0] m_next_pc_i,
    input logic        squash_i,
    input logic        squash_supervisor_i,
    input logic [31:0] squash_pc_i,
    input logic        start_i,
    input logic        write_pc_i,
    input logic [ 2:0] debug_context_i,
    input logic [31:0] debug_wdata_i,
    input logic        system_i,
    input logic        commit_i,
    input logic [ 8:0] id_i,
    input logic [31:0] entry_i,
    input logic        stop_all_i
);
  (* anyconst *) logic [2:0] watched;  // any worker, as a context
  always_comb assume (watched >= 3'd1 && watched <= 3'd6);

  // Reset in the first cycle, then never again.
  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  logic [2:0] slot_q;
  initial slot_q = 3'd0;
  always_ff @(posedge clk_i) slot_q <= slot_q == 3'd5 ? 3'd0 : slot_q + 3'd1;

  logic [5:0] active, w_launch, launch;
  logic [31:0] w_entry;
  logic fault, exits;
  logic [23:0] active_then_q;  // of the last four cycles, the oldest in the high bits
  always_ff @(posedge clk_i) active_then_q <= {active_then_q[17:0], active};
  worker_control u_workers (
      .clk_i,
      .rst_ni,
      .system_i,
      .commit_i     (commit_i & !fault),
      .id_i,
      .context_i    (m_context_i),
      .entry_i,
      .active_then_i(active_then_q[23:18]),
      .fault_o      (fault),
      .launch_o     (launch),
      .exit_o       (exits),
      .w_launch_o   (w_launch),
      .w_entry_o    (w_entry),
      .active_o     (active),
      .stop_all_i
  );

  logic stopped;
  logic [2:0] stopped_context;
  logic free, fetch, d_first, d_last, consumes, sans_waits;
  logic [19:2] fetch_address;
  logic [31:0] read_pc;
  logic [6:0] passing;
  isa_pkg::control_t d_control;
  stage_pkg::turn_t turn;
  stage_pkg::issued_t d;
  stage_pkg::squash_t squash;
  stage_pkg::launch_t launched;
  stage_pkg::debug_write_t debug_write;
  logic d_valid;
  logic [2:0] d_context;
  assign d_valid = d.valid;
  assign d_context = d.context_id;
  assign squash.valid = squash_i;
  assign squash.supervisor = squash_supervisor_i;
  assign squash.pc = squash_pc_i;
  assign launched.workers = w_launch;
  assign launched.entry = w_entry;
  always_comb begin
    debug_write = '0;
    debug_write.start = start_i;
    debug_write.pc = write_pc_i;
    debug_write.context_id = debug_context_i;
    debug_write.data = debug_wdata_i;
  end
  issue u_issue (
      .clk_i,
      .rst_ni,
      .reset_context_i      (watched),  // the last cycle of reset is its own
      .slot_i               (slot_q),
      .active_i             (active),
      .held_i,
      .stop_i,
      .supervisor_waits_i,
      .supervisor_free_o    (free),
      .many_syncs_i,
      .sans_waits_o         (sans_waits),
      .turn_o               (turn),
      .stops_worker_i,
      .stops_supervisor_i,
      .stopped_o            (stopped),
      .stopped_context_o    (stopped_context),
      .fetch_o              (fetch),
      .fetch_address_o      (fetch_address),
      .fetch_word_i,
      .d_o                  (d),
      .d_control_o          (d_control),
      .d_slots_i,
      .d_first_o            (d_first),
      .d_last_o             (d_last),
      .passing_o            (passing),
      .consumes_o           (consumes),
      .m_next_i,
      .m_context_i,
      .m_next_pc_i,
      .squash_i             (squash),
      .w_launch_i           (launched),
      .debug_write_i        (debug_write),
      .read_context_i       (watched),
      .read_pc_o            (read_pc)
  );

  // What the surroundings promise.
  logic [4:0] launched_q;  // in the last five cycles
  always_ff @(posedge clk_i) begin
    if (!rst_ni) launched_q <= 5'd0;
    else launched_q <= {launched_q[3:0], launch != 6'd0};
  end
  always_comb begin
    if (launched_q != 5'd0) assume (launch == 6'd0);
    if (exits) assume (m_context_i >= 3'd1 && m_context_i <= 3'd6);
    assume (debug_context_i != 3'd7 && m_context_i != 3'd7);
    assume (!system_i || m_context_i == 3'd0 || id_i == isa_pkg::EXIT);
  end

  // The pc of the watched worker, kept apart from the RTL.
  logic [31:0] pc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pc_q <= 32'd0;
    else if (write_pc_i && !start_i && debug_context_i == watched) pc_q <= debug_wdata_i;
    else if (w_launch[watched-3'd1]) pc_q <= w_entry;
    else if (m_next_i && m_context_i == watched) pc_q <= m_next_pc_i;
  end

  logic [5:0] active_q, launch_q, launch2_q, exit_q, exit2_q;
  logic [2:0] slot_before_q;
  logic stop_q, squash_q, stop_all_q, hold_q, stopped_q;
  logic [31:0] watched_pc_q;
  always_ff @(posedge clk_i) begin
    active_q <= active;
    slot_before_q <= slot_q;
    stop_q <= stop_i;
    squash_q <= squash_i | start_i;
    stop_all_q <= stop_all_i;
    hold_q <= (held_i[slot_q+3'd1] & !passing[slot_q+3'd1]) | stopped;
    stopped_q <= stopped;
    watched_pc_q <= pc_q;
    launch_q <= launch;
    launch2_q <= stop_all_i ? 6'd0 : launch_q;
    exit_q <= exits ? 6'd1 << (m_context_i - 3'd1) : 6'd0;
    exit2_q <= exit_q;
    if (!rst_ni) begin
      exit_q <= 6'd0;
      exit2_q <= 6'd0;
      launch_q <= 6'd0;
      launch2_q <= 6'd0;
    end
  end

  logic owned;  // the slot of the last cycle
  assign owned = active_q[slot_before_q];
  logic running_q;  // the last cycle was one of operation
  initial running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= rst_ni;

  always_comb begin
    assert (slot_q <= 3'd5);
    if (rst_ni) assert (read_pc == pc_q);
    if (running_q) begin
      // The owner has it; nobody else does.
      if (d_valid && d_context != 3'd0) assert (owned && d_context == slot_before_q + 3'd1);
      if (d_valid && d_context == 3'd0) assert (!owned);
      if (stopped_q) assert (!d_valid);  // a breakpoint gives the slot to nobody
      if (owned && !stop_q && !squash_q && !hold_q) assert (d_valid);
      if (d_valid && d_context == watched) assert (d.pc == watched_pc_q);
      // A worker goes on until its own exit, and starts by a launch only.
      for (int w = 0; w < 6; w++) begin
        if (active_q[w] && !stop_all_q && !exit2_q[w]) assert (active[w]);
        if (!active_q[w] && active[w]) assert (launch2_q[w]);
      end
    end
    if (rst_ni) begin
      if (active[slot_q]) assert (!free);
      if (stopped) assert (!fetch && stopped_context == (active[slot_q] ? slot_q + 3'd1 : 3'd0));
      if (active[slot_q] && !stop_i && slot_q + 3'd1 == watched && !(held_i[watched] && !passing[watched]) && !stopped) begin
        assert (fetch == tile_pkg::executable(pc_q));
        if (fetch) assert (fetch_address == pc_q[19:2]);
      end
      assert ((launch & active) == 6'd0);
    end
  end
endmodule
