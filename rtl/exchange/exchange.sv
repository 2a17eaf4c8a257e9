// The exchange of a chip: a delay line from every tile and a multiplexer in front of every tile, without state of its own
// beyond the words on the way. A word on the port of tile s in cycle y reaches tile d, if that selects s, in cycle
// y + L(s, d) (docs/reference/exchange.md): L - 1 registers of the line and the multiplexer's.
module exchange (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [machine_pkg::TILES*33-1:0]  words_i,    // by source tile; valid, data
  input  logic [machine_pkg::TILES*11-1:0]  selects_i,  // by destination tile
  output logic [machine_pkg::TILES*33-1:0]  words_o     // by destination tile
);
  localparam int Tiles = machine_pkg::TILES;

  logic [Tiles*Tiles*33-1:0] heard;  // by destination, then source

  for (genvar s = 0; s < Tiles; s++) begin : g_source
    localparam int Depth = machine_pkg::longest_latency(s) - 1;
    logic [Depth*33-1:0] taps;
    exchange_delay #(
      .Depth(Depth)
    ) u_delay (
      .clk_i,
      .rst_ni,
      .word_i(words_i[s*33+:33]),
      .taps_o(taps)
    );
    for (genvar d = 0; d < Tiles; d++) begin : g_tap
      assign heard[(d*Tiles+s)*33+:33] = taps[(machine_pkg::latency(s, d)-2)*33+:33];
    end
  end

  for (genvar d = 0; d < Tiles; d++) begin : g_destination
    exchange_mux u_mux (
      .clk_i,
      .rst_ni,
      .words_i (heard[d*Tiles*33+:Tiles*33]),
      .select_i(selects_i[d*11+:11]),
      .word_o  (words_o[d*33+:33])
    );
  end
endmodule
