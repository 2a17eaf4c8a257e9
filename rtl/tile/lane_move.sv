// X1: bits and lanes of float registers, address triples (arithmetic.md, Bits and lanes). Combinational. Results of two
// 16-bit lanes are boxed with ones.
module lane_move (
    input  logic        valid_i,   // X1 holds one
    input  logic [ 8:0] id_i,
    input  logic [63:0] a_i,       // raw float register, or integer in the low half
    input  logic [63:0] b_i,
    input  logic [ 7:0] number_i,  // bits 27:20 of the instruction
    output logic [63:0] result_o
);
  function automatic logic [15:0] half(input logic [63:0] x, input logic [1:0] n);
    half = x[16*n+:16];
  endfunction

  logic [1:0] lane16;
  logic lane32;
  logic [63:0] keep, moved;
  logic [20:0] address;
  always_comb begin
    result_o = 64'd0;
    lane16 = number_i[1:0];
    lane32 = number_i[0];
    keep = 64'd0;
    moved = 64'd0;
    address = 21'd0;
    if (valid_i) begin
      case (id_i)
        isa_pkg::AND64: result_o = a_i & b_i;
        isa_pkg::OR64: result_o = a_i | b_i;
        isa_pkg::XOR64: result_o = a_i ^ b_i;
        isa_pkg::ANDC64: result_o = a_i & ~b_i;
        isa_pkg::NOT64: result_o = ~a_i;
        isa_pkg::SORT4X16LO: result_o = {32'hffff_ffff, b_i[15:0], a_i[15:0]};
        isa_pkg::SORT4X16HI: result_o = {32'hffff_ffff, b_i[31:16], a_i[31:16]};
        isa_pkg::SORT4X32LO, isa_pkg::FMVP_D_X: result_o = {b_i[31:0], a_i[31:0]};
        isa_pkg::SORT4X32HI: result_o = {b_i[63:32], a_i[63:32]};
        isa_pkg::ROLL16: result_o = {32'hffff_ffff, b_i[15:0], a_i[31:16]};
        isa_pkg::ROLL32: result_o = {b_i[31:0], a_i[63:32]};
        isa_pkg::F16V4SHUF:
        result_o = {half(a_i, number_i[7:6]), half(a_i, number_i[5:4]), half(a_i, number_i[3:2]), half(a_i, number_i[1:0])};
        isa_pkg::F16V4EXTRACT: result_o = {48'hffff_ffff_ffff, half(a_i, lane16)};
        isa_pkg::F32V2EXTRACT: result_o = {32'hffff_ffff, lane32 ? a_i[63:32] : a_i[31:0]};
        isa_pkg::F16V4INSERT: begin
          lane16 = number_i[6:5];
          keep = ~(64'hffff << {lane16, 4'd0});
          moved = {48'd0, b_i[15:0]} << {lane16, 4'd0};
          result_o = (a_i & keep) | moved;
        end
        isa_pkg::F32V2INSERT: result_o = number_i[5] ? {b_i[31:0], a_i[31:0]} : {a_i[63:32], b_i[31:0]};
        isa_pkg::FMVH_X_D: result_o = {32'd0, a_i[63:32]};
        isa_pkg::TAPACK: result_o = {22'd0, b_i[23:3], a_i[23:3]};
        isa_pkg::TASET2: result_o = {1'b0, b_i[23:3], a_i[41:0]};
        isa_pkg::TAGET: begin
          case (number_i[4:0])
            5'd0: address = a_i[20:0];
            5'd1: address = a_i[41:21];
            5'd2: address = a_i[62:42];
            default: address = 21'd0;
          endcase
          result_o = {40'd0, address, 3'd0};
        end
        default: ;
      endcase
    end
  end
endmodule
