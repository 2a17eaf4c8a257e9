// The packets that came by one layer of a channel, whole ones in slots of a memory. It offers one at a time, in each cycle another of the
// eldest whose way is open, until one is taken (docs/reference/link.md). One that ends bad is forgotten.
module link_queue (
  input  logic            clk_i,
  input  logic            rst_ni,
  // From the channel
  input  logic            valid_i,
  input  logic            last_i,
  input  logic            bad_i,     // with the last
  input  logic [31:0]     data_i,
  input  logic [machine_pkg::LINK_WAY_BITS+link_pkg::AIM_MARKS-1:0] aim_i,     // of the packet, with its first word
  input  logic [machine_pkg::LINK_WAYS*words_pkg::LINK_LAYERS-1:0]  open_i,  // a way may get a packet of a layer; ways down: of either
  // A packet, or the words of the one that goes
  output logic            offers_o,  // a packet that does not go yet
  output logic [machine_pkg::LINK_WAY_BITS+link_pkg::AIM_MARKS-1:0] aim_o,     // its
  output logic            last_o,
  output logic [31:0]     data_o,
  input  logic            take_i,    // the word goes
  output logic            credit_o   // a slot is free again, from the next cycle on
);
  localparam int Slots = 32'(machine_pkg::LINK_PACKETS);
  localparam int Words = 32'(words_pkg::MOST_LINK_WORDS) + 2;
  localparam int Looks = Slots < 32'(words_pkg::LINK_LOOKS) ? Slots : 32'(words_pkg::LINK_LOOKS);
  localparam int SlotBits = Slots < 2 ? 1 : $clog2(Slots);
  localparam int CountBits = $clog2(Slots + 1);
  localparam int WordBits = $clog2(Words);
  localparam int Depth = Slots * Words;
  localparam int Bits = $clog2(Depth);

  // Whole packets in the order in which they came: slot and aim of each.
  localparam int WayBits = 32'(machine_pkg::LINK_WAY_BITS);
  localparam int AimBits = WayBits + 32'(link_pkg::AIM_MARKS);
  localparam int EntryBits = SlotBits + AimBits;
  logic [Slots*EntryBits-1:0] order_q, order_d;
  logic [EntryBits-1:0] coming_q, coming, offered;
  logic [SlotBits-1:0]  going_q, going;  // the slot of the packet that goes
  logic [CountBits-1:0] count_q, count_d;
  logic [Slots-1:0]     used_q, used_d;
  logic [SlotBits-1:0]  look_q, look_d;
  logic [Looks-1:0]     fits;
  logic                 inside_q;    // a packet is coming
  logic                 goes_q, starts, ends, whole, forgotten;
  logic [WordBits-1:0]  written_q, read_q, read_d;
  logic [SlotBits-1:0]  free, slot_d;
  logic [Bits-1:0]      write_at, read_at;
  logic [32:0]          memory_q[Depth];
  logic [32:0]          word_q;

  always_comb begin
    free = '0;
    for (int s = Slots - 1; s >= 0; s--) if (!used_q[s]) free = SlotBits'(s);
  end
  assign coming    = inside_q ? coming_q : {free, aim_i};
  assign offered   = order_q[32'(look_q)*EntryBits+:EntryBits];
  assign write_at  = Bits'(32'(coming[AimBits+:SlotBits]) * 32'(Words) + (inside_q ? 32'(written_q) : 32'd0));
  assign whole     = valid_i && last_i && !bad_i;
  assign forgotten = valid_i && last_i && bad_i;

  assign offers_o = !goes_q && count_q != '0;
  assign aim_o    = offered[AimBits-1:0];
  assign {last_o, data_o} = word_q;
  assign starts   = take_i && !goes_q;
  assign ends     = take_i && last_o;
  assign going    = goes_q ? going_q : offered[AimBits+:SlotBits];

  // The packet that starts leaves the order, another one joins it.
  always_comb begin
    for (int s = 0; s < Slots; s++) begin
      order_d[s*EntryBits+:EntryBits] = order_q[s*EntryBits+:EntryBits];
      if (starts && s >= 32'(look_q) && s + 1 < Slots)
        order_d[s*EntryBits+:EntryBits] = order_q[(s+1<Slots?s+1:s)*EntryBits+:EntryBits];
      if (whole && 32'(count_q) == s + 32'(starts)) order_d[s*EntryBits+:EntryBits] = coming;
    end
  end
  assign count_d = count_q - CountBits'(starts) + CountBits'(whole);
  always_comb begin
    used_d = used_q;
    if (valid_i && !inside_q) used_d[free] = 1'b1;
    if (forgotten) used_d[coming[AimBits+:SlotBits]] = 1'b0;
    if (ends) used_d[going] = 1'b0;
  end
  assign credit_o = ends || forgotten;

  // The place of the next cycle: the next one in the circle whose packet is the first for its way and may go there; else the eldest.
  for (genvar k = 0; k < Looks; k++) begin : g_look
    logic               nowhere, layer;
    logic [WayBits-1:0] way;
    assign {nowhere, layer, way} = order_q[k*EntryBits+:AimBits];
    always_comb begin
      fits[k] = k < 32'(count_q) && !nowhere && open_i[32'(way)*32'(words_pkg::LINK_LAYERS)+32'(layer)];
      for (int s = 0; s < k; s++) if (order_q[s*EntryBits+:AimBits] == order_q[k*EntryBits+:AimBits]) fits[k] = 1'b0;
    end
  end
  always_comb begin
    look_d = '0;
    for (int k = Looks - 1; k >= 0; k--) if (fits[k]) look_d = SlotBits'(k);
    for (int k = Looks - 1; k >= 0; k--) if (fits[k] && k > 32'(look_q)) look_d = SlotBits'(k);
    if (starts || goes_q) look_d = '0;
  end

  // The word of the next cycle: the next one of the packet that goes, or the first of the one that is offered then.
  logic goes_on;
  assign goes_on = take_i ? !last_o : goes_q;
  assign slot_d  = goes_on ? going : order_d[32'(look_d)*EntryBits+AimBits+:SlotBits];
  assign read_d  = !goes_on ? '0 : take_i ? (goes_q ? read_q + 1'b1 : WordBits'(1)) : read_q;
  assign read_at = Bits'(32'(slot_d) * 32'(Words) + 32'(read_d));

  always_ff @(posedge clk_i) begin
    if (valid_i) memory_q[write_at] <= {last_i, data_i};
    word_q <= memory_q[read_at];
    read_q <= read_d;
    order_q <= order_d;
    if (valid_i && !inside_q) coming_q <= coming;
    going_q <= going;
    written_q <= !valid_i ? written_q : inside_q ? written_q + 1'b1 : WordBits'(1);
    if (!rst_ni) begin
      count_q  <= '0;
      used_q   <= '0;
      look_q   <= '0;
      inside_q <= 1'b0;
      goes_q   <= 1'b0;
    end else begin
      count_q  <= count_d;
      used_q   <= used_d;
      look_q   <= look_d;
      goes_q   <= goes_on;
      if (valid_i) inside_q <= !last_i;
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/link.md.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      a_slot_is_free_for_what_comes : assert (!valid_i || inside_q || used_q != '1);
      packet_fits_its_slot : assert (!valid_i || !inside_q || 32'(written_q) < 32'(Words));
      only_what_is_offered_is_taken : assert (!take_i || goes_q || offers_o);
      packet_goes_without_a_gap : assert (!goes_q || take_i);
    end
  end
`endif
endmodule
