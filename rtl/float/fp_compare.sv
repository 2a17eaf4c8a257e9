// Comparison, minimum, maximum, sign injection and classification, f32 and f16. No operation here rounds.
//
// Operands are held through X1|X2, compared in X2 and the answer held through X2|M, both on fpu's gated clock.
module fp_compare (
    input  logic        clk_i,     // gated
    input  logic        valid_i,
    input  logic [ 4:0] op_i,      // fp_pkg::OP_FSGNJ to OP_FCLASS
    input  logic        fmt_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    output logic        valid_o,   // M holds an operation of this unit
    output logic [31:0] result_o,
    output logic        invalid_o
);
  // An f16 is kept in the upper half, so that sign and magnitude stand at the same place in both formats.
  logic [31:0] a_q, b_q;
  logic [4:0] op_q;
  logic fmt_q, valid_x2_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      a_q <= fmt_i ? {a_i[15:0], 16'b0} : a_i;
      b_q <= fmt_i ? {b_i[15:0], 16'b0} : b_i;
      op_q <= op_i;
      fmt_q <= fmt_i;
    end
    valid_x2_q <= valid_i;
  end

  // X2
  logic [31:0] result_q;
  logic invalid_q, valid_m_q;
  always_ff @(posedge clk_i) begin : answer
    logic [30:0] infinity;
    logic a_full, a_empty, a_inf, a_nan, a_snan, b_nan, b_snan, a_zero, b_zero, a_quiet;
    logic either_nan, either_snan, equal, less, less_total, take_a, is_number;
    logic [31:0] number, result;  // the number's f16 in the upper half
    if (valid_x2_q) begin
      infinity = fmt_q ? 31'h7c00_0000 : 31'h7f80_0000;
      a_quiet = fmt_q ? a_q[25] : a_q[22];
      a_inf = a_q[30:0] == infinity;
      a_nan = a_q[30:0] > infinity;
      b_nan = b_q[30:0] > infinity;
      a_snan = a_nan & !a_quiet;
      b_snan = b_nan & !(fmt_q ? b_q[25] : b_q[22]);
      a_zero = a_q[30:0] == 31'd0;
      b_zero = b_q[30:0] == 31'd0;
      a_full = a_inf | a_nan;
      a_empty = fmt_q ? a_q[30:26] == 5'd0 : a_q[30:23] == 8'd0;
      either_nan = a_nan | b_nan;
      either_snan = a_snan | b_snan;
      equal = !either_nan & ((a_q == b_q) | (a_zero & b_zero));
      // In the total order -0 is below +0.
      if (a_q[31] != b_q[31]) less_total = a_q[31];
      else if (a_q[31]) less_total = a_q[30:0] > b_q[30:0];
      else less_total = a_q[30:0] < b_q[30:0];
      less = !either_nan & !equal & less_total;

      number = a_q;
      is_number = 1'b1;
      result = 32'd0;
      invalid_q <= 1'b0;
      take_a = b_nan | (!a_nan & (less_total == (op_q == fp_pkg::OP_FMIN)));
      case (op_q)
        fp_pkg::OP_FSGNJ: number[31] = b_q[31];
        fp_pkg::OP_FSGNJN: number[31] = !b_q[31];
        fp_pkg::OP_FSGNJX: number[31] = a_q[31] ^ b_q[31];
        fp_pkg::OP_FMIN, fp_pkg::OP_FMAX: begin
          if (a_nan & b_nan) number = fmt_q ? 32'h7e00_0000 : 32'h7fc0_0000;
          else number = take_a ? a_q : b_q;
          invalid_q <= either_snan;
        end
        fp_pkg::OP_FEQ: begin
          is_number = 1'b0;
          result = {31'b0, equal};
          invalid_q <= either_snan;
        end
        fp_pkg::OP_FLT: begin
          is_number = 1'b0;
          result = {31'b0, less};
          invalid_q <= either_nan;
        end
        fp_pkg::OP_FLE: begin
          is_number = 1'b0;
          result = {31'b0, less | equal};
          invalid_q <= either_nan;
        end
        default: begin  // FCLASS
          is_number = 1'b0;
          result[0] = a_inf & a_q[31];
          result[1] = !a_full & !a_empty & a_q[31];
          result[2] = a_empty & !a_zero & a_q[31];
          result[3] = a_zero & a_q[31];
          result[4] = a_zero & !a_q[31];
          result[5] = a_empty & !a_zero & !a_q[31];
          result[6] = !a_full & !a_empty & !a_q[31];
          result[7] = a_inf & !a_q[31];
          result[8] = a_snan;
          result[9] = a_nan & a_quiet;
        end
      endcase
      if (is_number) result = fmt_q ? {16'b0, number[31:16]} : number;
      result_q <= result;
    end
    valid_m_q <= valid_x2_q;
  end

  assign valid_o = valid_m_q;
  assign result_o = result_q;
  assign invalid_o = invalid_q;
endmodule
