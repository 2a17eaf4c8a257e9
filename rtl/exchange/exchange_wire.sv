// Words side by side on a way of Depth registers, 0 or more.
module exchange_wire #(
  parameter int Depth = 1,
  parameter int Words = 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [Words-1:0]    valid_i,
  input  logic [Words*32-1:0] data_i,
  output logic [Words-1:0]    valid_o,
  output logic [Words*32-1:0] data_o
);
  if (Depth == 0) begin : g_none
    logic unused;
    assign unused  = clk_i ^ rst_ni;
    assign valid_o = valid_i;
    assign data_o  = data_i;
  end else begin : g_line
    logic [Depth*Words-1:0]    valid_q;
    logic [Depth*Words*32-1:0] data_q;
    if (Depth == 1) begin : g_one
      always_ff @(posedge clk_i) begin
        data_q <= data_i;
        if (!rst_ni) valid_q <= '0;
        else valid_q <= valid_i;
      end
    end else begin : g_more
      always_ff @(posedge clk_i) begin
        data_q <= {data_q[(Depth-1)*Words*32-1:0], data_i};
        if (!rst_ni) valid_q <= '0;
        else valid_q <= {valid_q[(Depth-1)*Words-1:0], valid_i};
      end
    end
    assign valid_o = valid_q[(Depth-1)*Words+:Words];
    assign data_o  = data_q[(Depth-1)*Words*32+:Words*32];
  end
endmodule
