// Weights and lanes of units 0 to 3 of the matrix engine for the accumulator instructions, which take both factors from
// their operands (rs1 being the inputs of all units). Combinational, in X2; nothing moves without valid_i.
module amp_lone (
    input  logic        valid_i,
    input  logic [ 8:0] id_i,
    input  logic [63:0] b_i,       // rs2
    input  logic [31:0] tas_i,
    output logic [63:0] w_0_o,
    output logic [63:0] w_1_o,
    output logic [63:0] w_2_o,
    output logic [63:0] w_3_o,
    output logic [ 7:0] lanes_0_o,  // as in amp_unit
    output logic [ 7:0] lanes_1_o,
    output logic [ 7:0] lanes_2_o,
    output logic [ 7:0] lanes_3_o
);
  logic [63:0] w;
  always_comb begin
    w = 64'd0;
    lanes_0_o = 8'd0;
    lanes_1_o = 8'd0;
    lanes_2_o = 8'd0;
    lanes_3_o = 8'd0;
    if (valid_i) begin
      w = b_i;
      lanes_0_o = 8'h0f;
      lanes_1_o = 8'hf0;
      case (id_i)
        isa_pkg::F32V2ACC: w = {2{32'h3f80_0000}};
        isa_pkg::F32V2AXPY: w = {2{tas_i}};
        isa_pkg::F32V2AOP: begin
          lanes_1_o = 8'h0f;
          lanes_2_o = 8'hf0;
          lanes_3_o = 8'hf0;
        end
        isa_pkg::F16V2CMAC, isa_pkg::F16V4CMAC: begin
          lanes_0_o = 8'h03;
          lanes_1_o = 8'h0c;
        end
        isa_pkg::F16V4ACC: begin
          w = {4{16'h3c00}};
          lanes_0_o = 8'h01;
          lanes_1_o = 8'h02;
          lanes_2_o = 8'h04;
          lanes_3_o = 8'h08;
        end
        default: ;
      endcase
    end
    w_0_o = w;
    w_1_o = w;
    w_2_o = w;
    w_3_o = w;
    if (valid_i && id_i == isa_pkg::F32V2AOP) begin
      w_0_o = {2{b_i[31:0]}};
      w_1_o = {2{b_i[63:32]}};
      w_2_o = w_0_o;
      w_3_o = w_1_o;
    end
  end
endmodule
