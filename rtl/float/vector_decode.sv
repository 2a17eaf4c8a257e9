// What an instruction of unit Packed does with its operands, lanes and result: the decoder of vector_unit,
// combinational.
//
// Widths and counts are given as powers of two: a lane of the operands has 8 << width bits, lanes computing are
// 1 << lanes. The result has as many lanes; bits above them are ones.
module vector_decode (
    input  logic       valid_i,
    input  logic [8:0] id_i,            // isa_pkg ids
    output logic       fma_o,           // the unit of a lane that computes
    output logic       compare_o,
    output logic       convert_o,
    output logic       narrow_o,
    output logic [4:0] op_o,            // fp_pkg::OP_*, of the first three
    output logic [1:0] width_o,
    output logic [1:0] result_width_o,
    output logic [1:0] lanes_o,
    output logic       broadcast_o,     // lane 0 of rs1 for all lanes
    output logic       absolute_o,      // signs of both operands cleared
    output logic       swap_o,          // rs2 is the first operand
    output logic       same_o,          // rs1 is both operands
    output logic       neighbours_o,    // both operands are from rs1: lanes 2i and 2i + 1
    output logic       clamp_o,
    output logic       mask_o,          // a comparison: all ones or zeros
    output logic       invert_o,        // and inverted
    output logic       high_o,          // lanes from the upper half of rs1
    output logic       two_sources_o,   // lanes 2 and 3 from rs2
    output logic       fraction_o,      // an unsigned integer becomes a number in (-1/2, 1/2)
    output logic       to_f8_o,
    output logic       quiet_o          // raises no flags
);
  always_comb begin
    fma_o = 1'b0;
    compare_o = 1'b0;
    convert_o = 1'b0;
    narrow_o = 1'b0;
    op_o = 5'd0;
    width_o = 2'd2;
    lanes_o = 2'd1;
    broadcast_o = 1'b0;
    absolute_o = 1'b0;
    swap_o = 1'b0;
    same_o = 1'b0;
    neighbours_o = 1'b0;
    clamp_o = 1'b0;
    mask_o = 1'b0;
    invert_o = 1'b0;
    high_o = 1'b0;
    two_sources_o = 1'b0;
    fraction_o = 1'b0;
    to_f8_o = 1'b0;
    quiet_o = 1'b0;
    result_width_o = 2'd2;
    if (valid_i) begin
      // The operands' shape, two f32 unless named here.
      case (id_i)
        isa_pkg::F16V2ADD, isa_pkg::F16V2SUB, isa_pkg::F16V2MUL, isa_pkg::F16V2MIN, isa_pkg::F16V2MAX,
        isa_pkg::F16V2ABSADD, isa_pkg::F16V2ABSMAX, isa_pkg::F16V2CLAMP, isa_pkg::F16V2CMPEQ,
        isa_pkg::F16V2CMPNE, isa_pkg::F16V2CMPLT, isa_pkg::F16V2CMPLE, isa_pkg::F16V2CMPGT,
        isa_pkg::F16V2CMPGE, isa_pkg::F16V2ADDB, isa_pkg::F16V2MULB, isa_pkg::F16V2CLASS, isa_pkg::F16V2SUM,
        isa_pkg::F16V2ABS, isa_pkg::F16V2NEG, isa_pkg::F16V2MAXC, isa_pkg::F16V2FMA, isa_pkg::F16V2FMS,
        isa_pkg::F16V2FNMA, isa_pkg::F16V2FMAB, isa_pkg::F16V2SUFROMUI, isa_pkg::F16V2TOF32,
        isa_pkg::F16V2TOF32HI, isa_pkg::F16V2TOF8:
          width_o = 2'd1;
        isa_pkg::F16V4ADD, isa_pkg::F16V4SUB, isa_pkg::F16V4MUL, isa_pkg::F16V4MIN, isa_pkg::F16V4MAX,
        isa_pkg::F16V4ABSADD, isa_pkg::F16V4ABSMAX, isa_pkg::F16V4CLAMP, isa_pkg::F16V4CMPEQ,
        isa_pkg::F16V4CMPNE, isa_pkg::F16V4CMPLT, isa_pkg::F16V4CMPLE, isa_pkg::F16V4CMPGT,
        isa_pkg::F16V4CMPGE, isa_pkg::F16V4ADDB, isa_pkg::F16V4MULB, isa_pkg::F16V4CLASS, isa_pkg::F16V4SUM,
        isa_pkg::F16V4ABS, isa_pkg::F16V4NEG, isa_pkg::F16V4MAXC, isa_pkg::F16V4FMA, isa_pkg::F16V4FMS,
        isa_pkg::F16V4FNMA, isa_pkg::F16V4FMAB, isa_pkg::F16V4SUFROMUI, isa_pkg::F16V4TOF8: begin
          width_o = 2'd1;
          lanes_o = 2'd2;
        end
        isa_pkg::F8V2TOF16: width_o = 2'd0;
        isa_pkg::F8V4TOF16: begin
          width_o = 2'd0;
          lanes_o = 2'd2;
        end
        isa_pkg::F32V4TOF16: begin
          lanes_o = 2'd2;
          two_sources_o = 1'b1;
        end
        default: ;
      endcase
      result_width_o = width_o;

      case (id_i)
        isa_pkg::F32V2ADD, isa_pkg::F16V2ADD, isa_pkg::F16V4ADD: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FADD;
        end
        isa_pkg::F32V2SUB, isa_pkg::F16V2SUB, isa_pkg::F16V4SUB: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FSUB;
        end
        isa_pkg::F32V2MUL, isa_pkg::F16V2MUL, isa_pkg::F16V4MUL: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FMUL;
        end
        isa_pkg::F32V2ADDB, isa_pkg::F16V2ADDB, isa_pkg::F16V4ADDB: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FADD;
          broadcast_o = 1'b1;
        end
        isa_pkg::F32V2MULB, isa_pkg::F16V2MULB, isa_pkg::F16V4MULB: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FMUL;
          broadcast_o = 1'b1;
        end
        isa_pkg::F32V2ABSADD, isa_pkg::F16V2ABSADD, isa_pkg::F16V4ABSADD: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FADD;
          absolute_o = 1'b1;
        end
        isa_pkg::F32V2FMA, isa_pkg::F16V2FMA, isa_pkg::F16V4FMA: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FMADD;
        end
        isa_pkg::F32V2FMAB, isa_pkg::F16V2FMAB, isa_pkg::F16V4FMAB: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FMADD;
          broadcast_o = 1'b1;
        end
        isa_pkg::F32V2FMS, isa_pkg::F16V2FMS, isa_pkg::F16V4FMS: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FMSUB;
        end
        isa_pkg::F32V2FNMA, isa_pkg::F16V2FNMA, isa_pkg::F16V4FNMA: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FNMSUB;
        end
        isa_pkg::F32V2SUM, isa_pkg::F16V2SUM, isa_pkg::F16V4SUM: begin
          fma_o = 1'b1;
          op_o = fp_pkg::OP_FADD;
          neighbours_o = 1'b1;
          lanes_o = lanes_o - 2'd1;
          result_width_o = 2'd2;
        end
        isa_pkg::F32V2MIN, isa_pkg::F16V2MIN, isa_pkg::F16V4MIN: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FMIN;
        end
        isa_pkg::F32V2MAX, isa_pkg::F16V2MAX, isa_pkg::F16V4MAX: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FMAX;
        end
        isa_pkg::F32V2ABSMAX, isa_pkg::F16V2ABSMAX, isa_pkg::F16V4ABSMAX: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FMAX;
          absolute_o = 1'b1;
        end
        isa_pkg::F32V2CLAMP, isa_pkg::F16V2CLAMP, isa_pkg::F16V4CLAMP: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FMAX;
          clamp_o = 1'b1;
        end
        isa_pkg::F32V2MAXC, isa_pkg::F16V2MAXC, isa_pkg::F16V4MAXC: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FMAX;
          neighbours_o = 1'b1;
          lanes_o = lanes_o - 2'd1;
        end
        isa_pkg::F32V2CMPEQ, isa_pkg::F16V2CMPEQ, isa_pkg::F16V4CMPEQ: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FEQ;
          mask_o = 1'b1;
        end
        isa_pkg::F32V2CMPNE, isa_pkg::F16V2CMPNE, isa_pkg::F16V4CMPNE: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FEQ;
          mask_o = 1'b1;
          invert_o = 1'b1;
        end
        isa_pkg::F32V2CMPLT, isa_pkg::F16V2CMPLT, isa_pkg::F16V4CMPLT: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FLT;
          mask_o = 1'b1;
        end
        isa_pkg::F32V2CMPLE, isa_pkg::F16V2CMPLE, isa_pkg::F16V4CMPLE: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FLE;
          mask_o = 1'b1;
        end
        isa_pkg::F32V2CMPGT, isa_pkg::F16V2CMPGT, isa_pkg::F16V4CMPGT: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FLT;
          mask_o = 1'b1;
          swap_o = 1'b1;
        end
        isa_pkg::F32V2CMPGE, isa_pkg::F16V2CMPGE, isa_pkg::F16V4CMPGE: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FLE;
          mask_o = 1'b1;
          swap_o = 1'b1;
        end
        isa_pkg::F32V2CLASS, isa_pkg::F16V2CLASS, isa_pkg::F16V4CLASS: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FCLASS;
          quiet_o = 1'b1;
        end
        isa_pkg::F32V2ABS, isa_pkg::F16V2ABS, isa_pkg::F16V4ABS: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FSGNJX;
          same_o = 1'b1;
        end
        isa_pkg::F32V2NEG, isa_pkg::F16V2NEG, isa_pkg::F16V4NEG: begin
          compare_o = 1'b1;
          op_o = fp_pkg::OP_FSGNJN;
          same_o = 1'b1;
        end
        isa_pkg::F16V2TOF32: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_S_H;
          result_width_o = 2'd2;
        end
        isa_pkg::F16V2TOF32HI: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_S_H;
          high_o = 1'b1;
          result_width_o = 2'd2;
        end
        isa_pkg::F32V2TOI32: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_W_F;
        end
        isa_pkg::F32V2TOUI32: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_WU_F;
        end
        isa_pkg::F32V2FROMI32: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_F_W;
        end
        isa_pkg::F32V2FROMUI32: begin
          convert_o = 1'b1;
          op_o = fp_pkg::OP_FCVT_F_WU;
        end
        isa_pkg::F32V2TOF16, isa_pkg::F32V4TOF16, isa_pkg::F8V2TOF16, isa_pkg::F8V4TOF16: begin
          narrow_o = 1'b1;
          result_width_o = 2'd1;
        end
        isa_pkg::F16V2TOF8, isa_pkg::F16V4TOF8: begin
          narrow_o = 1'b1;
          to_f8_o = 1'b1;
          result_width_o = 2'd0;
        end
        isa_pkg::F32V2SUFROMUI, isa_pkg::F16V2SUFROMUI, isa_pkg::F16V4SUFROMUI: begin
          narrow_o = 1'b1;
          fraction_o = 1'b1;
          quiet_o = 1'b1;
        end
        default: ;
      endcase
    end
  end
endmodule
