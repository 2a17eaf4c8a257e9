// Takes the blocks' packets to one port of the chip, one after the other, a word a cycle: of those whose packet is first in its
// block, the one that has been so for longest, of several the lowest (docs/reference/edge.md). Which block has waited longer than
// which is a matrix of bits. A packet's words are there without a gap once its first is.
module port_turns (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [machine_pkg::BLOCKS-1:0]    valid_i,
  input  logic [machine_pkg::BLOCKS*34-1:0] word_i,   // by block: last, bad, data
  output logic [machine_pkg::BLOCKS-1:0]    take_o,
  output logic                              valid_o,  // of the port, a register behind the blocks
  output logic [33:0]                       word_o
);
  localparam int Blocks = machine_pkg::BLOCKS;

  // waits: a packet is first in its block and not under way. Row b of `longer`: which blocks have waited longer than b.
  logic [Blocks-1:0]        waits, waits_q, first, goes_q;
  logic [Blocks*Blocks-1:0] longer, longer_q;
  logic [33:0]              word;
  assign waits = valid_i & ~goes_q;
  always_comb begin
    for (int b = 0; b < Blocks; b++) begin
      for (int c = 0; c < Blocks; c++) begin
        if (waits_q[b]) longer[b*Blocks+c] = waits_q[c] && longer_q[b*Blocks+c];
        else longer[b*Blocks+c] = waits_q[c] || c < b;
      end
      first[b] = waits[b] && (longer[b*Blocks+:Blocks] & waits) == '0;
    end
  end
  assign take_o = goes_q == '0 ? first : goes_q & valid_i;

  always_comb begin
    word = '0;
    for (int b = 0; b < Blocks; b++) word |= word_i[b*34+:34] & {34{take_o[b]}};
  end

  always_ff @(posedge clk_i) begin
    longer_q <= longer;
    word_o   <= word;
    if (!rst_ni) begin
      waits_q <= '0;
      goes_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      waits_q <= waits & ~take_o;
      goes_q  <= word[33] ? '0 : goes_q | take_o;
      valid_o <= take_o != '0;
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_block_is_taken : assert ((take_o & (take_o - Blocks'(1))) == '0);
      port_does_not_rest_while_a_block_waits : assert (waits == '0 || take_o != '0);
    end
  end
`endif
endmodule
