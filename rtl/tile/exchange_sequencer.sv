// Executes the list of send and receive events of an exchange phase (exchange.md, Event lists).
//
// An event is on the memory's output in the cycle after its read and may execute right then; elapsed_q counts the cycles
// since the earliest one. A send reads its first word in the cycle it executes. A word that is received is asked for by the
// selection a cycle after its event, and comes its latency behind that: so long its place is kept.
//
// In a paired transfer (exchange.md, Paired transfers) a double word comes in two halves a cycle apart, one on the tile's
// port, one on that of the other tile of its pair: the half that comes first is held for a cycle.
module exchange_sequencer (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  stop_i,            // excepted
  input  logic                  clear_i,           // the debugger starts the tile
  input  words_pkg::tile_site_t      site_i,
  // M: xarm.
  input  logic                  system_i,          // M holds a legal system instruction
  input  logic                  commit_i,
  input  logic [8:0]            id_i,
  input  logic [31:0]           list_i,            // rs1
  output logic                  fault_o,           // config exception of xarm
  input  logic                  start_i,           // acknowledgement of zone 2
  input  logic                  worker_active_i,
  // Memory ports.
  output logic                  event_o,
  output logic [19:0]           event_address_o,
  input  logic [63:0]           event_rdata_i,
  output logic                  send_o,
  output logic [19:0]           send_address_o,
  output logic                  send_double_o,     // the double word that holds it
  input  logic [31:0]           send_word_i,
  input  logic [31:0]           send_high_i,       // of the double word of which send_word_i is the low one
  output logic                  receive_o,
  output logic                  receive_double_o,  // both words
  output logic [19:0]           receive_address_o,
  output logic [63:0]           receive_data_o,    // a word: on both halves
  // Faults of the cycle. The receive fault is of cause exchange.
  output logic                  receive_fault_o,
  output logic                  config_fault_o,
  output logic [31:0]           config_address_o,
  output logic                  running_o,
  output logic [19:0]           armed_event_o,     // next event to be read while armed, else 0
  output logic                  busy_o,            // something happens that no input causes
  input  stage_pkg::port_word_t exchange_i,
  input  stage_pkg::port_word_t pair_i,
  output stage_pkg::port_word_t exchange_o,
  output stage_pkg::port_word_t pair_o,
  output logic [10:0]           exchange_select_o,
  output logic                  paired_o
);
  logic upper;  // it is the upper one of its pair: high words are on its port
  assign upper = (site_i.tile_id & words_pkg::UPPER_OF_PAIR) != '0;
  logic arm_q, armed_q, fetch_first_q, running_q, last_done_q, fresh_q;
  logic [19:0] list_q;
  logic [63:0] event_q;
  words_pkg::exchange_event_t present;
  logic [11:0] elapsed_q;
  logic [13:0] send_left_q, receive_left_q;
  logic [19:0] send_next_q, receive_next_q;
  logic selects_q, sent_q, port_valid_q, send_pair_q, sent_pair_q, port_pair_q, paired_q;
  logic [1:0] receive_pair_q;
  logic [10:0] source_q;
  logic [31:0] port_data_q, pair_data_q;

  assign fault_o = system_i && id_i == isa_pkg::XARM
                   && (list_i[2:0] != 3'd0 || !tile_pkg::in_memory(list_i) || armed_q || running_q);

  // The event at hand.
  logic transfers, execute, bad;  // bad: it overlaps another or does not fit the pair
  logic [19:0] address;
  always_comb begin
    present = 64'd0;
    execute = 1'b0;
    transfers = 1'b0;
    bad = 1'b0;
    if (running_q & !stop_i) begin
      present = fresh_q ? event_rdata_i : event_q;
      execute = !last_done_q & (elapsed_q == present.delay);
      transfers = execute && present.count != 14'd0;
      if (present.is_receive ? receive_left_q != 14'd0 : send_left_q != 14'd0) bad = transfers;
      if (present.pair != words_pkg::PAIR_NONE
          && (!site_i.in_pair || (!present.is_receive && present.pair != 2'd1)
              || (present.word_address[0] && !(present.is_receive && present.pair == words_pkg::PAIR_LENDS)))) bad = transfers;
    end
    address = {present.word_address, 2'b00};
  end

  // Who is early asks a cycle behind its selections, for when the other's half is there: it takes a cycle more.
  logic start_send, start_receive, send_active, send_pair, receive_active, asks, selects, next_event;
  logic [1:0] receive_pair;
  logic [19:0] receive_address;
  logic [13:0] send_left, receive_left;  // after this cycle
  always_comb begin
    start_send = 1'b0;
    start_receive = 1'b0;
    send_active = 1'b0;
    receive_active = 1'b0;
    send_left = send_left_q;
    send_pair = send_pair_q;
    receive_left = receive_left_q;
    receive_pair = receive_pair_q;
    send_address_o = send_next_q;
    receive_address = receive_next_q;
    asks = 1'b0;
    selects = 1'b0;
    next_event = 1'b0;
    if (running_q & !stop_i) begin
      start_send = transfers & !present.is_receive & !bad;
      start_receive = transfers & present.is_receive & !bad;
      send_active = start_send | (send_left_q != 14'd0);
      receive_active = start_receive | (receive_left_q != 14'd0);
      if (start_send) begin
        send_left = present.count;
        send_pair = present.pair != 2'd0;
        send_address_o = address;
      end
      send_left = send_left - {13'd0, send_active};
      if (start_receive) begin
        receive_left = present.count;
        receive_pair = present.pair;
        receive_address = address;
      end
      if (!(start_receive & receive_pair == words_pkg::PAIR_EARLY)) begin
        asks = receive_active & receive_pair != words_pkg::PAIR_LENDS;
        receive_left = receive_left - {13'd0, receive_active};
      end
      selects = receive_active & !(receive_left == 14'd0 & receive_pair == words_pkg::PAIR_EARLY);
      next_event = execute & !present.last & !bad;
    end
  end

  // Words that were asked for and have not come, by the cycle, mod 64, of asking.
  logic [63:0] asked_q, asked;  // asked: after this cycle
  logic [21:0] places_q[0:63];  // part in a pair, address
  logic [5:0] now_q, landing;
  logic lands;
  logic [19:0] place;
  logic [1:0] place_pair;
  assign landing = now_q - 6'd1 - site_i.select_latency;
  always_comb begin
    asked = asked_q;
    lands = 1'b0;
    place = 20'd0;
    place_pair = words_pkg::PAIR_NONE;
    if (running_q & !stop_i) begin
      lands = asked_q[landing];
      if (lands) {place_pair, place} = places_q[landing];
      asked[landing] = 1'b0;
      asked[now_q] = asks;
    end
  end

  // What lands: a word, or the two halves of a double word, of which one was on its port in the cycle before.
  logic own_valid_q, other_valid_q, landing_valid;
  logic [31:0] own_data_q, other_data_q, own, other;
  always_comb begin
    own = exchange_i.data;
    other = pair_i.data;
    landing_valid = exchange_i.valid;
    receive_double_o = place_pair != words_pkg::PAIR_NONE;
    receive_data_o = {own, own};
    if (receive_double_o) begin
      if (place_pair == words_pkg::PAIR_EARLY) begin
        own = own_data_q;
        landing_valid = own_valid_q & pair_i.valid;
      end else begin
        other = other_data_q;
        landing_valid = exchange_i.valid & other_valid_q;
      end
      receive_data_o = upper ? {own, other} : {other, own};
    end
  end

  // Memory accesses, and those outside memory.
  logic event_wanted, event_outside, send_outside, receive_outside;
  always_comb begin
    event_wanted = next_event | (fetch_first_q & !stop_i);
    event_outside = 1'b0;
    send_outside = 1'b0;
    receive_outside = 1'b0;
    if (event_wanted) event_outside = !tile_pkg::in_memory({12'd0, list_q});
    if (send_active) send_outside = !tile_pkg::in_memory({12'd0, send_address_o});
    if (lands) receive_outside = !tile_pkg::in_memory({12'd0, place});
    event_o = event_wanted & !event_outside;
    send_o = send_active & !send_outside;
  end
  assign event_address_o   = list_q;
  assign receive_address_o = place;
  assign send_double_o = send_pair;
  assign receive_o = lands & !receive_outside & landing_valid;
  assign receive_fault_o = lands & !receive_outside & (!landing_valid | worker_active_i);

  always_comb begin
    config_fault_o = event_outside | bad | send_outside | receive_outside;
    config_address_o = {12'd0, place};
    if (config_fault_o) begin
      if (bad) config_address_o = {12'd0, address};
      else if (event_outside) config_address_o = {12'd0, list_q};
      else if (send_outside) config_address_o = {12'd0, send_address_o};
    end
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
      if (send_active) send_next_q <= send_address_o + (send_pair ? 20'd8 : 20'd4);
      if (start_send) send_pair_q <= send_pair;
      if (receive_active) receive_next_q <= receive_address + (!asks ? 20'd0 : receive_pair != words_pkg::PAIR_NONE ? 20'd8 : 20'd4);
      if (start_receive) begin
        source_q <= present.source;
        receive_pair_q <= receive_pair;
      end
      if (asks) places_q[now_q] <= {receive_pair, receive_address};
      now_q <= now_q + 6'd1;
      asked_q <= stop_i ? 64'd0 : asked;
    end
    if (paired_q) begin
      own_valid_q <= exchange_i.valid;
      own_data_q <= exchange_i.data;
      other_valid_q <= pair_i.valid;
      other_data_q <= pair_i.data;
    end
    // From its event on, to the end of the phase: until then halves may come.
    if (!running_q | stop_i) paired_q <= 1'b0;
    else if (start_receive & (receive_pair == words_pkg::PAIR_EARLY | receive_pair == words_pkg::PAIR_LATE)) paired_q <= 1'b1;
    selects_q <= selects;
    sent_q <= send_o;
    sent_pair_q <= send_o & send_pair;
    port_valid_q <= sent_q;
    port_pair_q <= sent_q & sent_pair_q;
    if (sent_q) port_data_q <= sent_pair_q & upper ? send_high_i : send_word_i;
    if (sent_q & sent_pair_q) pair_data_q <= upper ? send_word_i : send_high_i;
    // An exception ends a phase that runs; a list that is armed stays.
    if (!rst_ni | clear_i | (stop_i & running_q)) begin
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
      sent_pair_q <= 1'b0;
      port_valid_q <= 1'b0;
      port_pair_q <= 1'b0;
      paired_q <= 1'b0;
    end
  end

  assign running_o = running_q;
  assign armed_event_o = arm_q | armed_q ? list_q : 20'd0;
  assign busy_o = running_q | fetch_first_q | selects_q | sent_q | port_valid_q;
  logic shows, shows_pair;
  assign shows                 = port_valid_q & !stop_i;
  assign shows_pair            = port_pair_q & !stop_i;
  assign exchange_o.valid      = shows;
  assign exchange_o.data       = shows ? port_data_q : 32'd0;
  assign exchange_select_o     = selects_q & !stop_i ? source_q : words_pkg::NO_TILE;
  assign pair_o.valid = shows_pair;
  assign pair_o.data  = shows_pair ? pair_data_q : 32'd0;
  assign paired_o     = paired_q & running_q & !stop_i;
  logic unused;
  assign unused = &{1'b0, present.reserved59};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      nothing_goes_on_behind_an_exception : assert (!stop_i || !(event_o || send_o || receive_o || exchange_o.valid || pair_o.valid));
      armed_or_running : assert (!(armed_q && running_q));
      a_place_is_kept_for_one_word : assert (!(asks && running_q) || !asked_q[now_q] || landing == now_q);
      events_are_of_the_memory : assert (!event_o || tile_pkg::in_memory({12'd0, event_address_o}));
      sends_are_of_the_memory : assert (!send_o || tile_pkg::in_memory({12'd0, send_address_o}));
      receives_are_of_the_memory : assert (!receive_o || tile_pkg::in_memory({12'd0, receive_address_o}));
      paired_only_where_there_is_a_pair : assert (!paired_q || site_i.in_pair);
    end
  end
`endif
endmodule
