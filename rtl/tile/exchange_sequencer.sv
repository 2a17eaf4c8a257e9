// Executes the list of send and receive events of an exchange phase (exchange.md, Event lists).
//
// An event is on the memory's output in the cycle after its read and may execute right then; elapsed_q counts the cycles
// since the earliest one. A send reads its first word in the cycle it executes. A word that is received is asked for by the
// selection a cycle after its event, and comes select_latency_i cycles behind that: so long its place is kept.
module exchange_sequencer (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        stop_i,            // excepted
    input  logic        clear_i,           // the debugger starts the tile
    input  logic [5:0] select_latency_i,  // cycles from a selection to the first word of whom it selects
    // M: xarm.
    input  logic        system_i,          // M holds a legal system instruction
    input  logic        commit_i,
    input  logic [8:0] id_i,
    input  logic [31:0] list_i,            // rs1
    output logic        fault_o,           // config exception of xarm
    input  logic        start_i,           // acknowledgement of zone 2
    input  logic        worker_active_i,
    // Memory ports.
    output logic        event_o,
    output logic [19:0] event_address_o,
    input  logic [63:0] event_rdata_i,
    output logic        send_o,
    output logic [19:0] send_address_o,
    input  logic [31:0] send_word_i,
    output logic        receive_o,
    output logic [19:0] receive_address_o,
    // Faults of the cycle. The receive fault is of cause exchange.
    output logic        receive_fault_o,
    output logic        config_fault_o,
    output logic [31:0] config_address_o,
    output logic        running_o,
    output logic [19:0] armed_event_o,     // next event to be read while armed, else 0
    output logic        busy_o,            // something happens that no input causes
    // Exchange.
    input  logic        exchange_valid_i,
    output logic        exchange_valid_o,
    output logic [31:0] exchange_data_o,
    output logic [10:0] exchange_select_o
);
  logic arm_q, armed_q, fetch_first_q, running_q, last_done_q, fresh_q;
  logic [19:0] list_q;
  logic [63:0] event_q;
  words_pkg::exchange_event_t present;
  logic [11:0] elapsed_q;
  logic [13:0] send_left_q, receive_left_q;
  logic [19:0] send_next_q, receive_next_q;
  logic selects_q, sent_q, port_valid_q;
  logic [10:0] source_q;
  logic [31:0] port_data_q;

  assign fault_o = system_i && id_i == isa_pkg::XARM
                   && (list_i[2:0] != 3'd0 || !tile_pkg::in_memory(list_i) || armed_q || running_q);

  // The event at hand.
  logic transfers, execute, overlaps;
  logic [19:0] address;
  always_comb begin
    present = 64'd0;
    execute = 1'b0;
    if (running_q & !stop_i) begin
      present = fresh_q ? event_rdata_i : event_q;
      execute = !last_done_q & (elapsed_q == present.delay);
    end
    address = {present.word_address, 2'b00};
    transfers = execute && present.count != 14'd0;
    overlaps = transfers && (present.is_receive ? receive_left_q != 14'd0 : send_left_q != 14'd0);
  end

  logic start_send, start_receive, send_active, receive_active, next_event;
  logic [19:0] receive_address;
  logic [13:0] send_left, receive_left;  // after this cycle
  always_comb begin
    start_send = transfers & !present.is_receive & !overlaps;
    start_receive = transfers & present.is_receive & !overlaps;
    send_active = start_send | (send_left_q != 14'd0 & !stop_i);
    receive_active = start_receive | (receive_left_q != 14'd0 & !stop_i);
    send_left = start_send ? present.count - 14'd1 : send_left_q - {13'd0, send_active};
    receive_left = start_receive ? present.count - 14'd1 : receive_left_q - {13'd0, receive_active};
    send_address_o = start_send ? address : send_next_q;
    receive_address = start_receive ? address : receive_next_q;
    next_event = execute & !present.last & !overlaps;
  end

  // Words that were asked for and have not come, by the cycle, mod 64, of asking.
  logic [63:0] asked_q, asked;  // asked: after this cycle
  logic [19:0] places_q[0:63];
  logic [5:0] now_q, landing;
  logic lands;
  logic [19:0] place;
  assign landing = now_q - 6'd1 - select_latency_i;
  always_comb begin
    asked = asked_q;
    lands = 1'b0;
    place = 20'd0;
    if (running_q & !stop_i) begin
      lands = asked_q[landing];
      if (lands) place = places_q[landing];
      asked[landing] = 1'b0;
      asked[now_q] = receive_active;
    end
  end

  // Memory accesses, and those outside memory.
  logic event_wanted, event_outside, send_outside, receive_outside;
  always_comb begin
    event_wanted = next_event | (fetch_first_q & !stop_i);
    event_outside = event_wanted & !tile_pkg::in_memory({12'd0, list_q});
    event_o = event_wanted & !event_outside;
    event_address_o = list_q;
    send_outside = send_active & !tile_pkg::in_memory({12'd0, send_address_o});
    send_o = send_active & !send_outside;
    receive_outside = lands & !tile_pkg::in_memory({12'd0, place});
    receive_address_o = place;
  end
  assign receive_o = lands & !receive_outside & exchange_valid_i;
  assign receive_fault_o = lands & !receive_outside & (!exchange_valid_i | worker_active_i);

  always_comb begin
    config_fault_o = event_outside | overlaps | send_outside | receive_outside;
    config_address_o = {12'd0, place};
    if (overlaps) config_address_o = {12'd0, address};
    else if (event_outside) config_address_o = {12'd0, list_q};
    else if (send_outside) config_address_o = {12'd0, send_address_o};
  end

  always_ff @(posedge clk_i) begin
    arm_q <= commit_i & (id_i == isa_pkg::XARM);
    if (commit_i && id_i == isa_pkg::XARM) list_q <= list_i[19:0];
    else if (event_o) list_q <= list_q + 20'd8;
    if (arm_q) begin
      armed_q <= 1'b1;
      fetch_first_q <= 1'b1;
      last_done_q <= 1'b0;
    end else begin
      if (!stop_i) fetch_first_q <= 1'b0;
      if (execute & present.last) last_done_q <= 1'b1;
    end
    fresh_q <= event_o;
    if (fresh_q) event_q <= event_rdata_i;
    if (start_i & armed_q) begin
      armed_q <= 1'b0;
      running_q <= 1'b1;
      elapsed_q <= 12'd0;
    end else if (running_q & !stop_i) begin
      elapsed_q <= execute ? 12'd0 : elapsed_q + 12'd1;
      // Idle from the cycle after the last event, the last send read and the last receive write.
      if ((last_done_q | (execute & present.last)) && send_left == 14'd0 && receive_left == 14'd0 && asked == 64'd0)
        running_q <= 1'b0;
    end
    if (running_q) begin
      send_left_q <= send_left;
      receive_left_q <= receive_left;
      if (send_active) send_next_q <= send_address_o + 20'd4;
      if (receive_active) receive_next_q <= receive_address + 20'd4;
      if (start_receive) source_q <= present.source;
      if (receive_active) places_q[now_q] <= receive_address;
      now_q <= now_q + 6'd1;
      asked_q <= stop_i ? 64'd0 : asked;
    end
    selects_q <= receive_active;
    sent_q <= send_o;
    port_valid_q <= sent_q;
    if (sent_q) port_data_q <= send_word_i;
    if (!rst_ni | clear_i) begin
      arm_q <= 1'b0;
      armed_q <= 1'b0;
      fetch_first_q <= 1'b0;
      running_q <= 1'b0;
      last_done_q <= 1'b0;
      fresh_q <= 1'b0;
      send_left_q <= 14'd0;
      receive_left_q <= 14'd0;
      now_q <= 6'd0;
      asked_q <= 64'd0;
      selects_q <= 1'b0;
      sent_q <= 1'b0;
      port_valid_q <= 1'b0;
    end
  end

  assign running_o = running_q;
  assign armed_event_o = arm_q | armed_q ? list_q : 20'd0;
  assign busy_o = running_q | fetch_first_q | sent_q | port_valid_q;
  assign exchange_valid_o = port_valid_q & !stop_i;
  assign exchange_data_o = exchange_valid_o ? port_data_q : 32'd0;
  assign exchange_select_o = selects_q & !stop_i ? source_q : words_pkg::NO_TILE;
  logic unused;
  assign unused = &{1'b0, present.reserved2, present.reserved59};
endmodule
