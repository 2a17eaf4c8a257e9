// Whether the packet that is first in a block is for another chip (docs/reference/link.md), and so leaves by the links and not to the host: by its
// first word, then by what that was.
module packet_sort (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [33:0] word_i,  // the block's: last, bad, data
  input  logic        take_i,  // it leaves
  output logic        link_o
);
  words_pkg::packet_header_t header;
  logic inside_q, link_q;  // the first word has left; what it was
  assign header = word_i[31:0];
  assign link_o = inside_q ? link_q : header.kind == words_pkg::PACKET_WRITE_TILE;
  always_ff @(posedge clk_i) begin
    link_q <= link_o;
    if (!rst_ni) inside_q <= 1'b0;
    else if (take_i) inside_q <= !word_i[33];
  end

  logic unused;
  assign unused = ^{word_i[32], header.reserved16, header.chip, header.tile, header.words};
endmodule
