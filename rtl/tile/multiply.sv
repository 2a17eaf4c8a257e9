// X1, X2: integer multiplication. The operands are held only when there is work; the result is combinational in X2.
module multiply (
    input  logic        clk_i,
    input  logic        valid_i,    // X1 holds a multiplication
    input  logic [8:0] id_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic        x2_valid_i, // X2 holds one
    output logic [31:0] result_o
);
  logic [32:0] a_q, b_q;
  logic high_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      a_q <= {a_i[31] & (id_i != isa_pkg::MULHU), a_i};
      b_q <= {b_i[31] & (id_i == isa_pkg::MULH), b_i};
      high_q <= id_i != isa_pkg::MUL;
    end
  end

  logic signed [63:0] product;
  always_comb begin
    product = 64'd0;
    if (x2_valid_i) product = $signed({{31{a_q[32]}}, a_q}) * $signed({{31{b_q[32]}}, b_q});
  end
  assign result_o = high_q ? product[63:32] : product[31:0];
endmodule
