// The multiplexer in front of one tile: listens to the source that the tile selects. The selection of a cycle decides
// what the tile's input holds in the next one. A selection that names no tile gives an invalid word.
module exchange_mux (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [machine_pkg::TILES*33-1:0]  words_i,   // by source; valid, data
  input  logic [10:0]                       select_i,
  output logic [32:0]                       word_o
);
  localparam int Tiles = machine_pkg::TILES;

  logic [32:0] word_d, word_q;

  always_comb begin
    word_d = '0;
    for (int s = 0; s < Tiles; s++)
      if (select_i == 11'(s)) word_d = words_i[s*33+:33];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_q <= '0;
    else word_q <= word_d;
  end

  assign word_o = word_q;
endmodule
