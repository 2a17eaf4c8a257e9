// Knows whether a host read is unanswered: counts reads that left the host port against responses that reached their tile.
// A malformed read gets no response and does not count (docs/reference/edge.md).
module packet_tracker (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        up_valid_i,   // packet word at the host port
  input  logic        up_last_i,
  input  logic [31:0] up_data_i,
  input  logic        answered_i,   // last word of a response on the tile ports
  output logic        unanswered_o
);
  logic [11:0] reads_d, reads_q;
  words_pkg::packet_header_t header_q;
  logic [1:0]  length_q;  // words before this one, at most 3
  logic        read_left;

  assign read_left = up_valid_i && up_last_i && length_q == 2'd2 && header_q.kind == words_pkg::PACKET_READ_HOST
      && header_q.words != '0 && header_q.words <= words_pkg::MOST_PAYLOAD_WORDS
      && {21'd0, header_q.tile} < machine_pkg::TILES;

  assign reads_d      = reads_q + {11'd0, read_left};
  assign unanswered_o = reads_d != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q  <= '0;
      header_q <= '0;
      length_q <= '0;
    end else begin
      reads_q <= reads_d - {11'd0, answered_i};
      if (up_valid_i) begin
        if (up_last_i) length_q <= '0;
        else if (length_q != 2'd3) length_q <= length_q + 1'b1;
        if (length_q == '0) header_q <= up_data_i;
      end
    end
  end

  logic unused_header;
  assign unused_header = ^header_q.reserved10;
endmodule
