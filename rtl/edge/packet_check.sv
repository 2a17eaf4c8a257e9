// What becomes of a packet, word by word as it comes from its tile (docs/reference/edge.md): one that no tile means to send is
// dropped from its first word on; one whose length contradicts word 0, or that breaks off, is bad with its last word, after which
// the host port forgets it. A packet that breaks off gets a word more, so that it has a last one.
module packet_check (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        due_i,      // a word of the packet has to come in this cycle
  input  logic        valid_i,    // it does
  input  logic        last_i,
  input  logic [31:0] data_i,
  output logic        over_o,     // with this cycle the packet ends
  output logic        dropped_o,  // and nothing of it has gone on
  output logic        valid_o,
  output logic        last_o,
  output logic        bad_o,
  output logic [31:0] data_o
);
  words_pkg::packet_header_t here, header, header_q;
  logic [8:0] words_q;     // before this one
  logic       dropped_q, first, sound, forwards, reads;

  assign here   = data_i;
  assign header = first ? here : header_q;
  assign first  = words_q == '0;
  always_comb begin
    case (header.kind)
      words_pkg::PACKET_WRITE_HOST, words_pkg::PACKET_WRITE_REMOTE: sound = header.words <= words_pkg::MOST_PAYLOAD_WORDS;
      words_pkg::PACKET_READ_HOST, words_pkg::PACKET_READ_REMOTE:
      sound = header.words != '0 && header.words <= words_pkg::MOST_PAYLOAD_WORDS
          && {21'd0, header.tile} < machine_pkg::TILES;
      words_pkg::PACKET_WRITE_TILE:
      sound = header.words != '0 && header.words <= words_pkg::MOST_LINK_WORDS
          && {21'd0, header.tile} < machine_pkg::TILES;
      default: sound = 1'b0;
    endcase
  end
  assign forwards = first ? valid_i && sound : !dropped_q;

  logic [10:0] length;  // that word 0 announces
  assign reads   = header.kind == words_pkg::PACKET_READ_HOST || header.kind == words_pkg::PACKET_READ_REMOTE;
  assign length  = reads ? 11'd3 : {1'b0, header.words} + 11'd2;
  assign over_o  = due_i && (!valid_i || last_i);
  assign valid_o = due_i && forwards;
  assign last_o  = valid_o && over_o;
  assign bad_o   = last_o && (!valid_i || {2'd0, words_q} + 11'd1 != length);
  assign data_o  = valid_o && valid_i ? data_i : '0;
  assign dropped_o = due_i && (!valid_i || last_i) && !forwards;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || over_o) begin
      words_q   <= '0;
      dropped_q <= 1'b0;
    end else if (due_i) begin
      words_q   <= words_q + 1'b1;
      dropped_q <= !forwards;
    end
    if (due_i && first) header_q <= data_i;
  end

  logic unused;
  assign unused = ^{header.reserved16, header.chip};

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  logic inside_q;  // a packet whose words go on
  always_ff @(posedge clk_i) begin
    inside_q <= rst_ni && (valid_o ? !last_o : inside_q && !over_o);
    if (rst_ni) begin
      packet_is_no_longer_than_a_tile_sends : assert (words_q < words_pkg::MOST_PACKET_WORDS[8:0]);
      packet_ends_only_when_due : assert (!over_o || due_i);
      last_word_ends_the_packet : assert (valid_o && last_o || !valid_o || !over_o);
      dropped_or_forwarded : assert (!dropped_o || !inside_q);
      bad_only_with_the_last : assert (!bad_o || last_o);
      packet_goes_on_without_a_gap : assert (!inside_q || valid_o);
      packet_starts_with_what_tiles_send : assert (!valid_o || inside_q || first);
    end
  end
`endif
endmodule
