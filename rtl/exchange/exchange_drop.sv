// From a tile's selection to what it hears: the selection goes up to the base of the column, a register a row, to the
// multiplexer there, and the word comes down as it went. Behind the multiplexer lie the registers by which lanes differ; the
// selection passes what is left of them before it, so that a word that a tile selects in cycle y is on its input in cycle
// y + 10 + 2 * Row, wherever it comes from; the last register of its way is the tile's own. Exit: exchange_pkg::exit_depth().
module exchange_drop #(
  parameter int Row = 0,
  parameter int Exit = 1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [machine_pkg::EXCHANGE_WORDS-1:0]     valid_i,
  input  logic [machine_pkg::EXCHANGE_WORDS*32-1:0]  data_i,
  input  logic [machine_pkg::EXCHANGE_SIDES-1:0]     sides_back_i,
  input  logic [10:0]                        select_i,
  output logic                               valid_o,
  output logic [31:0]                        data_o
);
  logic [10:0] select, outward_select, back_select;
  logic [1:0]  valid;
  logic [63:0] data;
  logic        outward_valid, back_valid;
  logic [31:0] outward_data, back_data;

  sync_pipe #(
    .Depth(Row + 1),
    .Width(11),
    .Idle (1'b1)  // no tile
  ) u_select (
    .clk_i,
    .rst_ni,
    .in_i (select_i),
    .out_o(select)
  );
  sync_pipe #(
    .Depth(exchange_pkg::SPREAD - Exit),
    .Width(11),
    .Idle (1'b1)  // no tile
  ) u_outward_select (
    .clk_i,
    .rst_ni,
    .in_i (select),
    .out_o(outward_select)
  );
  sync_pipe #(
    .Depth(Exit),
    .Width(11),
    .Idle (1'b1)  // no tile
  ) u_back_select (
    .clk_i,
    .rst_ni,
    .in_i (select),
    .out_o(back_select)
  );

  exchange_mux u_mux (
    .clk_i,
    .rst_ni,
    .valid_i,
    .data_i,
    .sides_back_i,
    .outward_i(outward_select),
    .back_i   (back_select),
    .valid_o  (valid),
    .data_o   (data)
  );

  exchange_wire #(
    .Depth(Exit)
  ) u_outward (
    .clk_i,
    .rst_ni,
    .valid_i(valid[0]),
    .data_i (data[31:0]),
    .valid_o(outward_valid),
    .data_o (outward_data)
  );
  exchange_wire #(
    .Depth(exchange_pkg::SPREAD - Exit)
  ) u_back (
    .clk_i,
    .rst_ni,
    .valid_i(valid[1]),
    .data_i (data[63:32]),
    .valid_o(back_valid),
    .data_o (back_data)
  );
  exchange_wire #(
    .Depth(Row)
  ) u_down (
    .clk_i,
    .rst_ni,
    .valid_i(outward_valid | back_valid),
    .data_i (outward_data | back_data),
    .valid_o,
    .data_o
  );

`ifndef SYNTHESIS
  // Promises of docs/reference/exchange.md, Structure.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      selection_is_a_tile_or_none : assert ({21'd0, select_i} < machine_pkg::TILES || select_i == words_pkg::NO_TILE);
      one_word_comes_down : assert (!(outward_valid && back_valid));
    end
  end
`endif
endmodule
