// A wire of Depth registers, 1 or more, for a pulse and what travels with it, or for a selection. out_o follows in_i by Depth
// cycles; after a reset every bit of it is Idle.
module sync_pipe #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Width = 1,
  parameter logic Idle = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);
  logic [Depth*Width-1:0] line_q;

  if (Depth == 1) begin : g_one
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= {Depth*Width{Idle}};
      else line_q <= in_i;
    end
  end else begin : g_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) line_q <= {Depth*Width{Idle}};
      else line_q <= {line_q[(Depth-1)*Width-1:0], in_i};
    end
  end

  assign out_o = line_q[(Depth-1)*Width+:Width];
endmodule
