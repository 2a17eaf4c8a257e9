// Knows whether a read of host or remote memory is unanswered: counts reads that left the host port against responses that reached their tile.
// A read takes three cycles of the up path, so the count lasts for more than 2^48 cycles without any answer.
module packet_tracker (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        up_valid_i,   // packet word at the host port
  input  logic        up_last_i,
  input  logic        up_bad_i,     // with the last: there will be no response
  input  logic [31:0] up_data_i,
  input  logic        answered_i,   // last word of a response on the tile ports
  output logic        unanswered_o
);
  logic [47:0] reads_q;
  words_pkg::packet_header_t header;
  logic first_q, read_q, read_left;

  assign header    = up_data_i;
  assign read_left = up_valid_i && up_last_i && !up_bad_i && !first_q && read_q;

  assign unanswered_o = read_left || reads_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q <= '0;
      first_q <= 1'b1;
      read_q  <= 1'b0;
    end else begin
      if (read_left != answered_i) reads_q <= read_left ? reads_q + 1'b1 : reads_q - 1'b1;
      if (up_valid_i) begin
        first_q <= up_last_i;
        if (first_q) read_q <= header.kind == words_pkg::PACKET_READ_HOST || header.kind == words_pkg::PACKET_READ_REMOTE;
      end
    end
  end

  logic unused_header;
  assign unused_header = ^{header.reserved16, header.chip, header.tile, header.words};

`ifndef SYNTHESIS
  // Credits of the host: as many answers as reads.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      no_answer_without_a_read : assert (!answered_i || reads_q != '0);
      reads_do_not_overflow : assert (!read_left || reads_q != '1);
    end
  end
`endif
endmodule
