// X1: moves between and within register files that do no arithmetic and look at no boxing. Combinational.
module float_move (
    input  logic [8:0] id_i,
    input  logic [63:0] a_i,       // raw float register, or integer in the low half
    input  logic        b_sign_i,  // bit 63 of the second operand
    output logic [63:0] result_o
);
  always_comb begin
    case (id_i)
      isa_pkg::FMV_X_W: result_o = {32'd0, a_i[31:0]};
      isa_pkg::FMV_X_H: result_o = {32'd0, {16{a_i[15]}}, a_i[15:0]};
      isa_pkg::FMV_W_X: result_o = {32'hffff_ffff, a_i[31:0]};
      isa_pkg::FMV_H_X: result_o = {48'hffff_ffff_ffff, a_i[15:0]};
      isa_pkg::FSGNJ_D: result_o = {b_sign_i, a_i[62:0]};
      isa_pkg::FSGNJN_D: result_o = {!b_sign_i, a_i[62:0]};
      isa_pkg::FSGNJX_D: result_o = {a_i[63] ^ b_sign_i, a_i[62:0]};
      default: result_o = 64'd0;  // FCVT_D_W of x0
    endcase
  end
endmodule
