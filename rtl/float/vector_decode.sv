// What an instruction of unit Packed does with its operands, lanes and result: the decoder of vector_unit,
// combinational.
//
// Widths and counts are given as powers of two: a lane of the operands has 8 << width bits, lanes computing are
// 1 << lanes. The result has as many lanes; bits above them are ones.
//
// The plan is one word, in the order of its parts below, so that an idle unit costs a simulation one store.
(* simulation_speed *)
module vector_decode (
    input  logic        valid_i,
    input  logic [ 8:0] id_i,     // isa_pkg ids
    output logic [27:0] plan_o
);
  function automatic logic [27:0] plan_of(input logic [8:0] id);
    logic fma;  // the unit of a lane that computes
    logic compare;
    logic convert;
    logic narrow;
    logic [4:0] op;  // fp_pkg::OP_*, of the first three
    logic [1:0] width;  // of the operands' lanes
    logic [1:0] result_width;
    logic [1:0] lanes;
    logic broadcast;  // lane 0 of rs1 for all lanes
    logic absolute;  // signs of both operands cleared
    logic swap;  // rs2 is the first operand
    logic same;  // rs1 is both operands
    logic neighbours;  // both operands are from rs1: lanes 2i and 2i + 1
    logic clamp;
    logic mask;  // a comparison: all ones or zeros
    logic invert;  // and inverted
    logic high;  // lanes from the upper half of rs1
    logic two_sources;  // lanes 2 and 3 from rs2
    logic fraction;  // an unsigned integer becomes a number in (-1/2, 1/2)
    logic to_f8;
    logic quiet;  // raises no flags
    fma = 1'b0;
    compare = 1'b0;
    convert = 1'b0;
    narrow = 1'b0;
    op = 5'd0;
    width = 2'd2;
    result_width = 2'd2;
    lanes = 2'd1;
    broadcast = 1'b0;
    absolute = 1'b0;
    swap = 1'b0;
    same = 1'b0;
    neighbours = 1'b0;
    clamp = 1'b0;
    mask = 1'b0;
    invert = 1'b0;
    high = 1'b0;
    two_sources = 1'b0;
    fraction = 1'b0;
    to_f8 = 1'b0;
    quiet = 1'b0;
    // The operands' shape, two f32 unless named here.
    case (id)
      isa_pkg::F16V2ADD, isa_pkg::F16V2SUB, isa_pkg::F16V2MUL, isa_pkg::F16V2MIN, isa_pkg::F16V2MAX,
      isa_pkg::F16V2ABSADD, isa_pkg::F16V2ABSMAX, isa_pkg::F16V2CLAMP, isa_pkg::F16V2CMPEQ,
      isa_pkg::F16V2CMPNE, isa_pkg::F16V2CMPLT, isa_pkg::F16V2CMPLE, isa_pkg::F16V2CMPGT,
      isa_pkg::F16V2CMPGE, isa_pkg::F16V2ADDB, isa_pkg::F16V2MULB, isa_pkg::F16V2CLASS, isa_pkg::F16V2SUM,
      isa_pkg::F16V2ABS, isa_pkg::F16V2NEG, isa_pkg::F16V2MAXC, isa_pkg::F16V2FMA, isa_pkg::F16V2FMS,
      isa_pkg::F16V2FNMA, isa_pkg::F16V2FMAB, isa_pkg::F16V2SUFROMUI, isa_pkg::F16V2TOF32,
      isa_pkg::F16V2TOF32HI, isa_pkg::F16V2TOF8:
        width = 2'd1;
      isa_pkg::F16V4ADD, isa_pkg::F16V4SUB, isa_pkg::F16V4MUL, isa_pkg::F16V4MIN, isa_pkg::F16V4MAX,
      isa_pkg::F16V4ABSADD, isa_pkg::F16V4ABSMAX, isa_pkg::F16V4CLAMP, isa_pkg::F16V4CMPEQ,
      isa_pkg::F16V4CMPNE, isa_pkg::F16V4CMPLT, isa_pkg::F16V4CMPLE, isa_pkg::F16V4CMPGT,
      isa_pkg::F16V4CMPGE, isa_pkg::F16V4ADDB, isa_pkg::F16V4MULB, isa_pkg::F16V4CLASS, isa_pkg::F16V4SUM,
      isa_pkg::F16V4ABS, isa_pkg::F16V4NEG, isa_pkg::F16V4MAXC, isa_pkg::F16V4FMA, isa_pkg::F16V4FMS,
      isa_pkg::F16V4FNMA, isa_pkg::F16V4FMAB, isa_pkg::F16V4SUFROMUI, isa_pkg::F16V4TOF8: begin
        width = 2'd1;
        lanes = 2'd2;
      end
      isa_pkg::F8V2TOF16: width = 2'd0;
      isa_pkg::F8V4TOF16: begin
        width = 2'd0;
        lanes = 2'd2;
      end
      isa_pkg::F32V4TOF16: begin
        lanes = 2'd2;
        two_sources = 1'b1;
      end
      default: ;
    endcase
    result_width = width;

    case (id)
      isa_pkg::F32V2ADD, isa_pkg::F16V2ADD, isa_pkg::F16V4ADD: begin
        fma = 1'b1;
        op = fp_pkg::OP_FADD;
      end
      isa_pkg::F32V2SUB, isa_pkg::F16V2SUB, isa_pkg::F16V4SUB: begin
        fma = 1'b1;
        op = fp_pkg::OP_FSUB;
      end
      isa_pkg::F32V2MUL, isa_pkg::F16V2MUL, isa_pkg::F16V4MUL: begin
        fma = 1'b1;
        op = fp_pkg::OP_FMUL;
      end
      isa_pkg::F32V2ADDB, isa_pkg::F16V2ADDB, isa_pkg::F16V4ADDB: begin
        fma = 1'b1;
        op = fp_pkg::OP_FADD;
        broadcast = 1'b1;
      end
      isa_pkg::F32V2MULB, isa_pkg::F16V2MULB, isa_pkg::F16V4MULB: begin
        fma = 1'b1;
        op = fp_pkg::OP_FMUL;
        broadcast = 1'b1;
      end
      isa_pkg::F32V2ABSADD, isa_pkg::F16V2ABSADD, isa_pkg::F16V4ABSADD: begin
        fma = 1'b1;
        op = fp_pkg::OP_FADD;
        absolute = 1'b1;
      end
      isa_pkg::F32V2FMA, isa_pkg::F16V2FMA, isa_pkg::F16V4FMA: begin
        fma = 1'b1;
        op = fp_pkg::OP_FMADD;
      end
      isa_pkg::F32V2FMAB, isa_pkg::F16V2FMAB, isa_pkg::F16V4FMAB: begin
        fma = 1'b1;
        op = fp_pkg::OP_FMADD;
        broadcast = 1'b1;
      end
      isa_pkg::F32V2FMS, isa_pkg::F16V2FMS, isa_pkg::F16V4FMS: begin
        fma = 1'b1;
        op = fp_pkg::OP_FMSUB;
      end
      isa_pkg::F32V2FNMA, isa_pkg::F16V2FNMA, isa_pkg::F16V4FNMA: begin
        fma = 1'b1;
        op = fp_pkg::OP_FNMSUB;
      end
      isa_pkg::F32V2SUM, isa_pkg::F16V2SUM, isa_pkg::F16V4SUM: begin
        fma = 1'b1;
        op = fp_pkg::OP_FADD;
        neighbours = 1'b1;
        lanes = lanes - 2'd1;
        result_width = 2'd2;
      end
      isa_pkg::F32V2MIN, isa_pkg::F16V2MIN, isa_pkg::F16V4MIN: begin
        compare = 1'b1;
        op = fp_pkg::OP_FMIN;
      end
      isa_pkg::F32V2MAX, isa_pkg::F16V2MAX, isa_pkg::F16V4MAX: begin
        compare = 1'b1;
        op = fp_pkg::OP_FMAX;
      end
      isa_pkg::F32V2ABSMAX, isa_pkg::F16V2ABSMAX, isa_pkg::F16V4ABSMAX: begin
        compare = 1'b1;
        op = fp_pkg::OP_FMAX;
        absolute = 1'b1;
      end
      isa_pkg::F32V2CLAMP, isa_pkg::F16V2CLAMP, isa_pkg::F16V4CLAMP: begin
        compare = 1'b1;
        op = fp_pkg::OP_FMAX;
        clamp = 1'b1;
      end
      isa_pkg::F32V2MAXC, isa_pkg::F16V2MAXC, isa_pkg::F16V4MAXC: begin
        compare = 1'b1;
        op = fp_pkg::OP_FMAX;
        neighbours = 1'b1;
        lanes = lanes - 2'd1;
      end
      isa_pkg::F32V2CMPEQ, isa_pkg::F16V2CMPEQ, isa_pkg::F16V4CMPEQ: begin
        compare = 1'b1;
        op = fp_pkg::OP_FEQ;
        mask = 1'b1;
      end
      isa_pkg::F32V2CMPNE, isa_pkg::F16V2CMPNE, isa_pkg::F16V4CMPNE: begin
        compare = 1'b1;
        op = fp_pkg::OP_FEQ;
        mask = 1'b1;
        invert = 1'b1;
      end
      isa_pkg::F32V2CMPLT, isa_pkg::F16V2CMPLT, isa_pkg::F16V4CMPLT: begin
        compare = 1'b1;
        op = fp_pkg::OP_FLT;
        mask = 1'b1;
      end
      isa_pkg::F32V2CMPLE, isa_pkg::F16V2CMPLE, isa_pkg::F16V4CMPLE: begin
        compare = 1'b1;
        op = fp_pkg::OP_FLE;
        mask = 1'b1;
      end
      isa_pkg::F32V2CMPGT, isa_pkg::F16V2CMPGT, isa_pkg::F16V4CMPGT: begin
        compare = 1'b1;
        op = fp_pkg::OP_FLT;
        mask = 1'b1;
        swap = 1'b1;
      end
      isa_pkg::F32V2CMPGE, isa_pkg::F16V2CMPGE, isa_pkg::F16V4CMPGE: begin
        compare = 1'b1;
        op = fp_pkg::OP_FLE;
        mask = 1'b1;
        swap = 1'b1;
      end
      isa_pkg::F32V2CLASS, isa_pkg::F16V2CLASS, isa_pkg::F16V4CLASS: begin
        compare = 1'b1;
        op = fp_pkg::OP_FCLASS;
        quiet = 1'b1;
      end
      isa_pkg::F32V2ABS, isa_pkg::F16V2ABS, isa_pkg::F16V4ABS: begin
        compare = 1'b1;
        op = fp_pkg::OP_FSGNJX;
        same = 1'b1;
      end
      isa_pkg::F32V2NEG, isa_pkg::F16V2NEG, isa_pkg::F16V4NEG: begin
        compare = 1'b1;
        op = fp_pkg::OP_FSGNJN;
        same = 1'b1;
      end
      isa_pkg::F16V2TOF32: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_S_H;
        result_width = 2'd2;
      end
      isa_pkg::F16V2TOF32HI: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_S_H;
        high = 1'b1;
        result_width = 2'd2;
      end
      isa_pkg::F32V2TOI32: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_W_F;
      end
      isa_pkg::F32V2TOUI32: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_WU_F;
      end
      isa_pkg::F32V2FROMI32: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_F_W;
      end
      isa_pkg::F32V2FROMUI32: begin
        convert = 1'b1;
        op = fp_pkg::OP_FCVT_F_WU;
      end
      isa_pkg::F32V2TOF16, isa_pkg::F32V4TOF16, isa_pkg::F8V2TOF16, isa_pkg::F8V4TOF16: begin
        narrow = 1'b1;
        result_width = 2'd1;
      end
      isa_pkg::F16V2TOF8, isa_pkg::F16V4TOF8: begin
        narrow = 1'b1;
        to_f8 = 1'b1;
        result_width = 2'd0;
      end
      isa_pkg::F32V2SUFROMUI, isa_pkg::F16V2SUFROMUI, isa_pkg::F16V4SUFROMUI: begin
        narrow = 1'b1;
        fraction = 1'b1;
        quiet = 1'b1;
      end
      default: ;
    endcase
    plan_of = {
      fma,
      compare,
      convert,
      narrow,
      op,
      width,
      result_width,
      lanes,
      broadcast,
      absolute,
      swap,
      same,
      neighbours,
      clamp,
      mask,
      invert,
      high,
      two_sources,
      fraction,
      to_f8,
      quiet
    };
  endfunction

  always_comb begin
    plan_o = 28'd0;
    if (valid_i) plan_o = plan_of(id_i);
  end
endmodule
