// Conversions f16 <-> f32 and f16, f32 <-> 32-bit integers, signed and unsigned, saturating as RISC-V says.
//
//   X1  unpack into a sign and a 64-bit magnitude with its leading bit's exponent
//   X2  one shift: right, to a fixed point (32 integer bits) or to the smallest f16 exponent; else left, to normalise
//   M   round to an integer and saturate; a float is rounded by fpu
//
// All registers are on a gated clock; the logic of X1 and X2 stands in their clocked blocks, under valid, so that an
// idle unit costs neither power nor simulation time.
module fp_convert (
    input  logic               clk_i,           // gated
    input  logic               valid_i,
    input  logic        [ 4:0] op_i,            // fp_pkg::OP_FCVT_*
    input  logic               fmt_i,           // the format that is not an integer; ignored between floats
    input  logic        [ 2:0] rm_i,
    input  logic        [31:0] a_i,
    output logic               valid_o,         // M holds an operation of this unit
    output logic               f16_o,           // a result to be rounded, as fp_round takes it
    output logic        [ 2:0] rm_o,
    output logic               sign_o,
    output logic signed [ 9:0] exponent_o,
    output logic        [26:0] significand_o,
    output logic               special_o,       // the result is an integer, NaN or infinity instead:
    output logic        [31:0] special_result_o,
    output logic        [ 4:0] special_flags_o
);
  // X1. The value is magnitude / 2^31 * 2^exponent.
  logic [31:0] magnitude_q;
  logic signed [9:0] exponent_x2_q;
  logic sign_x2_q, f16_x2_q, to_int_x2_q, is_unsigned_x2_q, nan_x2_q, snan_x2_q, inf_x2_q;
  logic [2:0] rm_x2_q;
  logic valid_x2_q;
  always_ff @(posedge clk_i) begin : read_operand
    logic a_nan, a_snan, a_inf, a_sign;
    logic signed [9:0] a_exponent;
    logic [23:0] a_significand;
    logic source_f16, negative;
    if (valid_i) begin
      source_f16 = op_i == fp_pkg::OP_FCVT_S_H || (fmt_i == fp_pkg::FMT_F16 && op_i != fp_pkg::OP_FCVT_H_S);
      {a_nan, a_snan, a_inf, a_sign, a_exponent, a_significand} = fp_format::unpack(source_f16, a_i);
      if (op_i == fp_pkg::OP_FCVT_F_W || op_i == fp_pkg::OP_FCVT_F_WU) begin
        negative = a_i[31] & (op_i == fp_pkg::OP_FCVT_F_W);
        a_nan = 1'b0;
        a_snan = 1'b0;
        a_inf = 1'b0;
        sign_x2_q <= negative;
        magnitude_q <= negative ? -a_i : a_i;
        exponent_x2_q <= 10'sd31;
      end else begin
        sign_x2_q <= a_sign;
        magnitude_q <= {a_significand, 8'b0};
        exponent_x2_q <= a_exponent;
      end
      f16_x2_q <= op_i == fp_pkg::OP_FCVT_H_S || (fmt_i == fp_pkg::FMT_F16 && op_i != fp_pkg::OP_FCVT_S_H);
      to_int_x2_q <= op_i == fp_pkg::OP_FCVT_W_F || op_i == fp_pkg::OP_FCVT_WU_F;
      is_unsigned_x2_q <= op_i == fp_pkg::OP_FCVT_WU_F;
      rm_x2_q <= rm_i;
      nan_x2_q <= a_nan;
      snan_x2_q <= a_snan;
      inf_x2_q <= a_inf;
    end
    valid_x2_q <= valid_i;
  end

  // X2
  logic [63:0] shifted_q;
  logic signed [9:0] exponent_m_q;
  logic sign_m_q, f16_m_q, to_int_m_q, is_unsigned_m_q, nan_m_q, snan_m_q, inf_m_q, too_large_m_q;
  logic [2:0] rm_m_q;
  logic valid_m_q;
  always_ff @(posedge clk_i) begin : align
    logic [63:0] wide;
    logic [6:0] zeros;
    logic signed [9:0] floor, below;
    if (valid_x2_q) begin
      wide = {magnitude_q, 32'b0};
      floor = to_int_x2_q ? 10'sd31 : fp_format::exponent_min(f16_x2_q);
      below = floor - exponent_x2_q;
      too_large_m_q <= to_int_x2_q & (below < 10'sd0);
      if (to_int_x2_q || below > 10'sd0) begin
        shifted_q <= fp_format::shift_right_sticky(wide, below);
        exponent_m_q <= floor;
      end else begin
        // No f32 subnormal and no integer is below the floor once normalised, but an f32 subnormal goes to f16 only.
        zeros = fp_format::leading_zeros(wide);
        shifted_q <= zeros[6] ? 64'd0 : wide << zeros[5:0];
        exponent_m_q <= exponent_x2_q - $signed({3'b0, zeros});
      end
      sign_m_q <= sign_x2_q;
      f16_m_q <= f16_x2_q;
      to_int_m_q <= to_int_x2_q;
      is_unsigned_m_q <= is_unsigned_x2_q;
      rm_m_q <= rm_x2_q;
      nan_m_q <= nan_x2_q;
      snan_m_q <= snan_x2_q;
      inf_m_q <= inf_x2_q;
    end
    valid_m_q <= valid_x2_q;
  end

  // M, to an integer
  logic [32:0] whole;
  logic half, rest, up, overflow, negative;
  logic [31:0] integer_result;
  always_comb begin
    half = 1'b0;
    rest = 1'b0;
    up = 1'b0;
    whole = 33'd0;
    negative = 1'b0;
    overflow = 1'b0;
    integer_result = 32'd0;
    if (valid_m_q && to_int_m_q) begin
      half = shifted_q[31];
      rest = shifted_q[30:0] != 31'd0;
      case (rm_m_q)
        fp_pkg::RM_RNE: up = half & (rest | shifted_q[32]);
        fp_pkg::RM_RDN: up = sign_m_q & (half | rest);
        fp_pkg::RM_RUP: up = !sign_m_q & (half | rest);
        fp_pkg::RM_RMM: up = half;
        default: up = 1'b0;
      endcase
      whole = {1'b0, shifted_q[63:32]} + {32'b0, up};
      negative = sign_m_q & !nan_m_q;
      if (nan_m_q || inf_m_q || too_large_m_q) overflow = 1'b1;
      else if (is_unsigned_m_q) overflow = sign_m_q ? whole != 33'd0 : whole[32];
      else overflow = sign_m_q ? whole > 33'h0_8000_0000 : whole > 33'h0_7fff_ffff;
      if (!overflow) integer_result = sign_m_q ? -whole[31:0] : whole[31:0];
      else if (is_unsigned_m_q) integer_result = negative ? 32'd0 : 32'hffff_ffff;
      else integer_result = negative ? 32'h8000_0000 : 32'h7fff_ffff;
    end
  end

  always_comb begin
    special_result_o = 32'd0;
    special_flags_o = 5'd0;
    if (to_int_m_q) begin
      special_result_o = integer_result;
      special_flags_o[fp_pkg::FLAG_NV] = overflow;
      special_flags_o[fp_pkg::FLAG_NX] = !overflow & (half | rest);
    end else if (nan_m_q) begin
      special_result_o = fp_format::canonical_nan(f16_m_q);
      special_flags_o[fp_pkg::FLAG_NV] = snan_m_q;
    end else begin
      special_result_o = fp_format::signed_infinity(f16_m_q, sign_m_q);
    end
  end

  assign valid_o = valid_m_q;
  assign f16_o = f16_m_q;
  assign rm_o = rm_m_q;
  assign sign_o = sign_m_q;
  assign exponent_o = exponent_m_q;
  assign significand_o = {shifted_q[63:38], shifted_q[37:0] != 38'd0};
  assign special_o = to_int_m_q | nan_m_q | inf_m_q;
endmodule
