// The second half of clamp: the minimum of what fp_compare has found and the upper bound, combinational in M.
module vector_clamp (
    input  logic        clk_i,      // gated
    input  logic        valid_i,    // X1 holds a clamp
    input  logic        fmt_i,
    input  logic [31:0] high_i,     // X1
    input  logic [31:0] first_i,    // M: max(a, low), which is no signalling NaN
    output logic        valid_o,    // M holds a clamp
    output logic [31:0] result_o,
    output logic        invalid_o   // the bound is a signalling NaN
);
  // An f16 is kept in the upper half, as in fp_compare.
  logic [31:0] high_x2_q, high_m_q;
  logic fmt_x2_q, fmt_m_q, valid_x2_q, valid_m_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      high_x2_q <= fmt_i ? {high_i[15:0], 16'b0} : high_i;
      fmt_x2_q <= fmt_i;
    end
    if (valid_x2_q) begin
      high_m_q <= high_x2_q;
      fmt_m_q <= fmt_x2_q;
    end
    valid_x2_q <= valid_i;
    valid_m_q <= valid_x2_q;
  end

  logic [30:0] infinity;
  logic [31:0] first, number;
  logic first_nan, high_nan, less;
  always_comb begin
    infinity = 31'd0;
    first = 32'd0;
    number = 32'd0;
    first_nan = 1'b0;
    high_nan = 1'b0;
    less = 1'b0;
    result_o = 32'd0;
    invalid_o = 1'b0;
    if (valid_m_q) begin
      infinity = fmt_m_q ? 31'h7c00_0000 : 31'h7f80_0000;
      first = fmt_m_q ? {first_i[15:0], 16'b0} : first_i;
      first_nan = first[30:0] > infinity;
      high_nan = high_m_q[30:0] > infinity;
      // In the total order -0 is below +0.
      if (first[31] != high_m_q[31]) less = first[31];
      else if (first[31]) less = first[30:0] > high_m_q[30:0];
      else less = first[30:0] < high_m_q[30:0];
      // Two NaNs give the canonical one, which the first is already.
      number = high_nan || (!first_nan && less) ? first : high_m_q;
      result_o = fmt_m_q ? {16'b0, number[31:16]} : number;
      invalid_o = high_nan & !(fmt_m_q ? high_m_q[25] : high_m_q[22]);
    end
  end

  assign valid_o = valid_m_q;
endmodule
