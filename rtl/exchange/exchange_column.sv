// A column's tiles at their end of the exchange: what each of them selects, of all that the column hears. Tiles stand by row,
// then by lane. Far: whether the column is in the far half.
module exchange_column #(
  parameter logic Far = 1'b0
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  // By side, row and lane of that side.
  input  logic [machine_pkg::EXCHANGE_WORDS-1:0]              valid_i,
  input  logic [machine_pkg::EXCHANGE_WORDS*32-1:0]           data_i,
  input  logic [machine_pkg::EXCHANGE_SIDES-1:0]              sides_back_i,  // whose words come back
  input  logic [machine_pkg::ROWS*machine_pkg::LANES*11-1:0]  selects_i,
  output logic [machine_pkg::ROWS*machine_pkg::LANES-1:0]     valid_o,
  output logic [machine_pkg::ROWS*machine_pkg::LANES*32-1:0]  data_o
);
  localparam int Rows = machine_pkg::ROWS;
  localparam int Lanes = machine_pkg::LANES;

  for (genvar t = 0; t < Rows * Lanes; t++) begin : g_tile
    exchange_drop #(
      .Row (t / Lanes),
      .Exit(exchange_pkg::exit_depth(t % Lanes, Far))
    ) u_drop (
      .clk_i,
      .rst_ni,
      .valid_i,
      .data_i,
      .sides_back_i,
      .select_i(selects_i[t*11+:11]),
      .valid_o (valid_o[t]),
      .data_o  (data_o[t*32+:32])
    );
  end
endmodule
