// X1: the next pc. Combinational; any instruction that is no branch or jump goes on at pc + 4.
module branch (
    input  logic        branch_i,      // the unit is UNIT_BRANCH
    input  logic [8:0] id_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [31:0] pc_i,
    input  logic [31:0] immediate_i,
    output logic [31:0] next_pc_o
);
  logic taken;
  logic [31:0] target;
  always_comb begin
    taken = 1'b0;
    target = pc_i + immediate_i;
    if (branch_i) begin
      case (id_i)
        isa_pkg::BEQ: taken = a_i == b_i;
        isa_pkg::BNE: taken = a_i != b_i;
        isa_pkg::BLT: taken = $signed(a_i) < $signed(b_i);
        isa_pkg::BGE: taken = $signed(a_i) >= $signed(b_i);
        isa_pkg::BLTU: taken = a_i < b_i;
        isa_pkg::BGEU: taken = a_i >= b_i;
        isa_pkg::JALR: begin
          taken = 1'b1;
          target = (a_i + immediate_i) & 32'hffff_fffe;
        end
        default: taken = 1'b1;  // JAL
      endcase
    end
    next_pc_o = taken ? target : pc_i + 32'd4;
  end
endmodule
