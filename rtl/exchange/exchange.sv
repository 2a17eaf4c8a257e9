// The exchange of a chip (docs/reference/exchange.md, Structure): wires with a register wherever a word has gone a cycle's
// way, and a multiplexer for every tile, without state of its own beyond what is on the way. A word goes up its column to
// the base, along one of four trunks (to the near or far half of the chip, outwards from the edge or back) past every
// column that it reaches, and from the multiplexer of who selects it down to that tile. What a tile selects in cycle y is on
// its input in y + 10 + 2 * row and in the tile's register a cycle later, L(s, d) behind the cycle in which it was on the
// port of tile s.
//
// Tiles in a pair share their ports in paired transfers: each may send a second word by the port of
// the other, and gets what is on the other's input as well. Of two words on one port neither is valid.
module exchange (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [machine_pkg::TILES-1:0]     valid_i,    // by source tile
  input  logic [machine_pkg::TILES*32-1:0]  data_i,     // 0 where not valid, as pair_data_i
  input  logic [machine_pkg::TILES*11-1:0]  selects_i,  // by destination tile
  input  logic [machine_pkg::TILES-1:0]     pair_valid_i,  // by source tile: for the port of the other of its pair
  input  logic [machine_pkg::TILES*32-1:0]  pair_data_i,
  input  logic [machine_pkg::TILES-1:0]     paired_i,   // by destination tile: from the next cycle on gets what the other of its pair gets
  output logic [machine_pkg::TILES-1:0]     valid_o,    // by destination tile
  output logic [machine_pkg::TILES*32-1:0]  data_o,
  output logic [machine_pkg::TILES-1:0]     pair_valid_o,
  output logic [machine_pkg::TILES*32-1:0]  pair_data_o
);
  localparam int Rows = machine_pkg::ROWS;
  localparam int Columns = machine_pkg::COLUMNS;
  localparam int Lanes = machine_pkg::LANES;
  localparam int Half = Columns / 2;
  localparam int Sides = machine_pkg::EXCHANGE_SIDES;
  localparam int SideLanes = machine_pkg::EXCHANGE_SIDE_LANES;
  localparam int SideWords = machine_pkg::EXCHANGE_SIDE_WORDS;

  // The ports, with what the other tile of a pair sends by them, and what that one gets.
  logic [machine_pkg::TILES-1:0]    port_valid, paired_q;
  logic [machine_pkg::TILES*32-1:0] port_data;
  always_ff @(posedge clk_i) paired_q <= rst_ni ? paired_i : '0;
  for (genvar t = 0; t < machine_pkg::TILES; t++) begin : g_port
    if (machine_pkg::PAIRS != 0) begin : g_pair
      localparam int Other = t ^ {21'd0, words_pkg::UPPER_OF_PAIR};
      assign port_valid[t]           = valid_i[t] ^ pair_valid_i[Other];
      assign port_data[t*32+:32]     = data_i[t*32+:32] | pair_data_i[Other*32+:32];
      assign pair_valid_o[t]         = paired_q[t] && valid_o[Other];
      assign pair_data_o[t*32+:32]   = data_o[Other*32+:32] & {32{paired_q[t]}};
    end else begin : g_single
      assign port_valid[t]         = valid_i[t];
      assign port_data[t*32+:32]   = data_i[t*32+:32];
      assign pair_valid_o[t]       = 1'b0;
      assign pair_data_o[t*32+:32] = '0;
      logic unused;
      assign unused = &{1'b0, pair_valid_i[t], pair_data_i[t*32+:32], paired_q[t]};
    end
  end

  logic [Sides*SideWords-1:0]            based_valid;  // at the base of their column, behind the approach
  logic [Sides*SideWords*32-1:0]         based_data;
  logic [Columns*Sides*SideWords-1:0]    heard_valid;  // by destination column, then as above
  logic [Columns*Sides*SideWords*32-1:0] heard_data;

  for (genvar g = 0; g < Sides; g++) begin : g_side
    for (genvar r = 0; r < Rows; r++) begin : g_row
      logic [SideLanes-1:0]    valid;
      logic [SideLanes*32-1:0] data;
      for (genvar n = 0; n < SideLanes; n++) begin : g_lane
        localparam int Lane = 2 * n + g % 2;
        if (Lane < Lanes) begin : g_tile
          localparam int Tile = Lane + Lanes * (g / 2 + Columns * r);
          assign valid[n] = port_valid[Tile];
          assign data[n*32+:32] = port_data[Tile*32+:32];
        end else begin : g_none
          assign valid[n] = 1'b0;
          assign data[n*32+:32] = '0;
        end
      end
      exchange_wire #(
        .Depth(r + exchange_pkg::APPROACH),
        .Words(SideLanes)
      ) u_up (
        .clk_i,
        .rst_ni,
        .valid_i(valid),
        .data_i (data),
        .valid_o(based_valid[g*SideWords+r*SideLanes+:SideLanes]),
        .data_o (based_data[(g*SideWords+r*SideLanes)*32+:SideLanes*32])
      );
    end

    for (genvar h = 0; h < 2; h++) begin : g_half
      localparam int First = exchange_pkg::entry(g);
      for (genvar b = 0; b < 2; b++) begin : g_way
        localparam int Taps = b != 0 ? First : Half - First;
        if (Taps > 0) begin : g_line
          logic [Taps*SideWords-1:0]    valid;
          logic [Taps*SideWords*32-1:0] data;
          exchange_line #(
            .Entry(exchange_pkg::entry_depth(g, h != 0, b != 0)),
            .Step (exchange_pkg::step_depth(h != 0, b != 0)),
            .Taps (Taps),
            .Words(SideWords)
          ) u_line (
            .clk_i,
            .rst_ni,
            .valid_i(based_valid[g*SideWords+:SideWords]),
            .data_i (based_data[g*SideWords*32+:SideWords*32]),
            .valid_o(valid),
            .data_o (data)
          );
          for (genvar i = 0; i < Taps; i++) begin : g_tap
            localparam int Position = b != 0 ? First - 1 - i : First + i;
            localparam int Column = h != 0 ? Columns - 1 - Position : Position;
            assign heard_valid[(Column*Sides+g)*SideWords+:SideWords] = valid[i*SideWords+:SideWords];
            assign heard_data[(Column*Sides+g)*SideWords*32+:SideWords*32] = data[i*SideWords*32+:SideWords*32];
          end
        end
      end
    end
  end

  for (genvar c = 0; c < Columns; c++) begin : g_column
    logic [Sides-1:0] sides_back;
    for (genvar g = 0; g < Sides; g++) begin : g_back
      assign sides_back[g] = exchange_pkg::entry(g) > exchange_pkg::position(c);
    end
    logic [Rows*Lanes*11-1:0] selects;
    logic [Rows*Lanes-1:0]    valid;
    logic [Rows*Lanes*32-1:0] data;
    exchange_column #(
      .Far(exchange_pkg::is_far(c))
    ) u_column (
      .clk_i,
      .rst_ni,
      .valid_i     (heard_valid[c*Sides*SideWords+:Sides*SideWords]),
      .data_i      (heard_data[c*Sides*SideWords*32+:Sides*SideWords*32]),
      .sides_back_i(sides_back),
      .selects_i   (selects),
      .valid_o     (valid),
      .data_o      (data)
    );
    for (genvar r = 0; r < Rows; r++) begin : g_row
      localparam int First = Lanes * (c + Columns * r);  // tile
      assign selects[r*Lanes*11+:Lanes*11] = selects_i[First*11+:Lanes*11];
      assign valid_o[First+:Lanes]         = valid[r*Lanes+:Lanes];
      assign data_o[First*32+:Lanes*32]    = data[r*Lanes*32+:Lanes*32];
    end
  end
endmodule
