// The way of a tile's selection to its multiplexer, Depth registers, 1 or more. Reset, it selects no tile.
module exchange_select #(
  parameter int Depth = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [10:0] select_i,
  output logic [10:0] select_o
);
  logic [Depth*11-1:0] line_q;

  if (Depth == 1) begin : g_one
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= '1;
      else line_q <= select_i;
    end
  end else begin : g_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= '1;
      else line_q <= {line_q[(Depth-1)*11-1:0], select_i};
    end
  end

  assign select_o = line_q[(Depth-1)*11+:11];
endmodule
