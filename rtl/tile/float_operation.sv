// Which operation of the FPU (or of the divide ring) an instruction is. Combinational; f16 flags: source operands,
// result.
module float_operation (
    input  logic [8:0] id_i,
    input  logic       f16_i,         // format field of the instruction
    output logic [4:0] op_o,          // fp_pkg::OP_*
    output logic       f16_source_o,
    output logic       f16_result_o
);
  always_comb begin
    f16_source_o = f16_i;
    f16_result_o = f16_i;
    case (id_i)
      isa_pkg::FADD_S, isa_pkg::FADD_H: op_o = fp_pkg::OP_FADD;
      isa_pkg::FSUB_S, isa_pkg::FSUB_H: op_o = fp_pkg::OP_FSUB;
      isa_pkg::FMUL_S, isa_pkg::FMUL_H: op_o = fp_pkg::OP_FMUL;
      isa_pkg::FMADD_S, isa_pkg::FMADD_H: op_o = fp_pkg::OP_FMADD;
      isa_pkg::FMSUB_S, isa_pkg::FMSUB_H: op_o = fp_pkg::OP_FMSUB;
      isa_pkg::FNMSUB_S, isa_pkg::FNMSUB_H: op_o = fp_pkg::OP_FNMSUB;
      isa_pkg::FNMADD_S, isa_pkg::FNMADD_H: op_o = fp_pkg::OP_FNMADD;
      isa_pkg::FDIV_S, isa_pkg::FDIV_H: op_o = fp_pkg::OP_FDIV;
      isa_pkg::FSQRT_S, isa_pkg::FSQRT_H: op_o = fp_pkg::OP_FSQRT;
      isa_pkg::FSGNJ_S, isa_pkg::FSGNJ_H: op_o = fp_pkg::OP_FSGNJ;
      isa_pkg::FSGNJN_S, isa_pkg::FSGNJN_H: op_o = fp_pkg::OP_FSGNJN;
      isa_pkg::FSGNJX_S, isa_pkg::FSGNJX_H: op_o = fp_pkg::OP_FSGNJX;
      isa_pkg::FMIN_S, isa_pkg::FMIN_H: op_o = fp_pkg::OP_FMIN;
      isa_pkg::FMAX_S, isa_pkg::FMAX_H: op_o = fp_pkg::OP_FMAX;
      isa_pkg::FEQ_S, isa_pkg::FEQ_H: op_o = fp_pkg::OP_FEQ;
      isa_pkg::FLT_S, isa_pkg::FLT_H: op_o = fp_pkg::OP_FLT;
      isa_pkg::FLE_S, isa_pkg::FLE_H: op_o = fp_pkg::OP_FLE;
      isa_pkg::FCLASS_S, isa_pkg::FCLASS_H: op_o = fp_pkg::OP_FCLASS;
      isa_pkg::FCVT_W_S, isa_pkg::FCVT_W_H: op_o = fp_pkg::OP_FCVT_W_F;
      isa_pkg::FCVT_WU_S, isa_pkg::FCVT_WU_H: op_o = fp_pkg::OP_FCVT_WU_F;
      isa_pkg::FCVT_S_W, isa_pkg::FCVT_H_W: op_o = fp_pkg::OP_FCVT_F_W;
      isa_pkg::FCVT_S_WU, isa_pkg::FCVT_H_WU: op_o = fp_pkg::OP_FCVT_F_WU;
      isa_pkg::FCVT_S_H: begin
        op_o = fp_pkg::OP_FCVT_S_H;
        f16_source_o = 1'b1;
      end
      isa_pkg::FCVT_H_S: begin
        op_o = fp_pkg::OP_FCVT_H_S;
        f16_source_o = 1'b0;
      end
      default: op_o = fp_pkg::OP_FADD;
    endcase
  end
endmodule
