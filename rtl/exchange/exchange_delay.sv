// The wires that carry one tile's exchange port across the chip: a line of registers, tapped where other tiles listen.
// Tap k holds the word of k + 1 cycles ago. Depth: registers in the line, 1 or more.
module exchange_delay #(
  parameter int unsigned Depth = 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [32:0]         word_i,  // valid, data
  output logic [Depth*33-1:0] taps_o
);
  logic [Depth*33-1:0] line_q;

  if (Depth == 1) begin : g_one
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= '0;
      else line_q <= word_i;
    end
  end else begin : g_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= '0;
      else line_q <= {line_q[(Depth-1)*33-1:0], word_i};
    end
  end

  assign taps_o = line_q;
endmodule
