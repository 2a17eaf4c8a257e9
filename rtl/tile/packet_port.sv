// Packets to and from the chip edge (edge.md, Packets; link.md): sends the words of an hsend after its grant, writes the payload
// of read responses and of packets of other chips to memory.
module packet_port (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   stop_i,          // excepted
  input  logic                   clear_i,         // the debugger starts the tile
  // M: hsend.
  input  logic                   system_i,        // M holds a legal system instruction
  input  logic                   commit_i,
  input  logic [8:0]             id_i,
  input  logic [31:0]            address_i,       // rs1
  input  logic [31:0]            words_i,         // rs2
  input  logic                   external_phase_i,
  output logic                   fault_o,         // operand exception
  output logic                   sent_o,          // no hsend is under way
  output logic                   busy_o,          // something happens that no input causes, or a packet comes in
  output logic                   requests_o,
  // Memory ports.
  output logic                   out_o,
  output logic [19:0]            out_address_o,
  input  logic [31:0]            out_word_i,
  output logic                   in_o,
  output logic [19:0]            in_address_o,
  output logic                   config_fault_o,  // packet in outside memory
  output logic [31:0]            config_address_o,
  output logic                   counts_o,        // a payload word: xcount
  input  logic [10:0]            tile_id_i,
  input  logic                   grant_i,
  input  stage_pkg::packet_word_t packet_i,
  output stage_pkg::packet_out_t packet_o
);
  logic [32:0] end_address;
  always_comb begin
    fault_o = 1'b0;
    end_address = 33'd0;
    if (system_i && id_i == isa_pkg::HSEND) begin
      end_address = {1'b0, address_i} + {21'd0, words_i[9:0], 2'b00};
      fault_o = words_i < words_pkg::LEAST_PACKET_WORDS || words_i > words_pkg::MOST_PACKET_WORDS || address_i[1:0] != 2'b00
                || !tile_pkg::in_memory(address_i) || end_address > {1'b0, memory_pkg::END} || !external_phase_i;
    end
  end

  // Out.
  logic begin_q, request_q, read_q, read_last_q, port_valid_q, port_last_q;
  logic [31:0] port_data_q;
  logic [8:0] words_q, left_q;
  logic [19:0] address_q;
  assign out_o = left_q != 9'd0 && !stop_i;
  assign out_address_o = address_q;
  always_ff @(posedge clk_i) begin
    begin_q <= commit_i & (id_i == isa_pkg::HSEND);
    if (commit_i && id_i == isa_pkg::HSEND) begin
      words_q <= words_i[8:0];
      address_q <= address_i[19:0];
    end else if (out_o) address_q <= address_q + 20'd4;
    if (begin_q) request_q <= 1'b1;
    else if (request_q & grant_i & !stop_i) begin
      request_q <= 1'b0;
      left_q <= words_q;
    end else if (out_o) left_q <= left_q - 9'd1;
    read_q <= out_o;
    read_last_q <= left_q == 9'd1;
    port_valid_q <= read_q;
    if (read_q) begin
      port_last_q <= read_last_q;
      port_data_q <= out_word_i;
    end
    if (!rst_ni | clear_i) begin
      begin_q <= 1'b0;
      request_q <= 1'b0;
    end
    if (!rst_ni | clear_i | stop_i) begin  // an exception ends the packet, and not a request
      left_q <= 9'd0;
      read_q <= 1'b0;
      port_valid_q <= 1'b0;
    end
  end
  assign sent_o = !request_q && left_q == 9'd0;
  assign requests_o = request_q;
  assign packet_o.requests = request_q & !stop_i;
  logic shows;
  assign shows          = port_valid_q & !stop_i;
  assign packet_o.valid = shows;
  assign packet_o.last  = shows & port_last_q;
  assign packet_o.data  = shows ? port_data_q : 32'd0;

  // In: word 0, then the tile address, then the payload.
  logic [10:0] expected_q;
  logic addressed_q;  // the address word has come
  logic [31:0] target_q;
  logic mine, follows, outside;
  words_pkg::packet_header_t header;
  assign header = packet_i.data;
  assign mine = (header.kind == words_pkg::PACKET_RESPONSE || header.kind == words_pkg::PACKET_WRITE_TILE) && header.tile == tile_id_i;
  assign follows = packet_i.valid & !packet_i.first & !stop_i & (expected_q != 11'd0);
  assign counts_o = follows & addressed_q;
  assign outside = counts_o && !tile_pkg::in_memory(target_q);
  assign in_o = counts_o & !outside;
  assign in_address_o = target_q[19:0];
  assign config_fault_o = outside;
  assign config_address_o = target_q;
  always_ff @(posedge clk_i) begin
    if (packet_i.valid & packet_i.first & !stop_i) begin
      expected_q <= mine ? {1'b0, header.words} + 11'd1 : 11'd0;
      addressed_q <= 1'b0;
    end else if (follows) begin
      expected_q <= expected_q - 11'd1;
      addressed_q <= 1'b1;
      target_q <= addressed_q ? target_q + 32'd4 : {packet_i.data[31:2], 2'b00};
    end
    if (!rst_ni | clear_i | stop_i) expected_q <= 11'd0;
  end

  logic unused;
  assign unused = &{1'b0, header.reserved16, header.chip};
  logic comes;  // a word of a packet for this tile
  assign comes = packet_i.valid & (packet_i.first ? mine : expected_q != 11'd0);
  assign busy_o = left_q != 9'd0 || read_q || port_valid_q || expected_q != 11'd0 || comes;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_hsend_at_a_time : assert (!begin_q || !request_q && left_q == 9'd0);
      words_are_those_of_a_packet : assert (left_q <= words_pkg::MOST_PACKET_WORDS[8:0]);
      nothing_is_sent_behind_an_exception : assert (!stop_i || !(packet_o.requests || packet_o.valid || out_o || in_o));
      words_sent_are_of_the_memory : assert (!out_o || tile_pkg::in_memory({12'd0, out_address_o}));
      words_written_are_expected : assert (!in_o || addressed_q && expected_q != 11'd0);
    end
  end
`endif
endmodule
