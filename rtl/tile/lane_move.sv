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

  function automatic logic [20:0] address(input logic [62:0] triple, input logic [4:0] n);
    case (n)
      5'd0: address = triple[20:0];
      5'd1: address = triple[41:21];
      5'd2: address = triple[62:42];
      default: address = 21'd0;
    endcase
  endfunction

  function automatic logic [63:0] moved(input logic [8:0] id, input logic [63:0] a, input logic [63:0] b,
                                        input logic [7:0] n);
    logic [5:0] lane;
    lane = {n[6:5], 4'd0};
    case (id)
      isa_pkg::AND64: moved = a & b;
      isa_pkg::OR64: moved = a | b;
      isa_pkg::XOR64: moved = a ^ b;
      isa_pkg::ANDC64: moved = a & ~b;
      isa_pkg::NOT64: moved = ~a;
      isa_pkg::SORT4X16LO: moved = {32'hffff_ffff, b[15:0], a[15:0]};
      isa_pkg::SORT4X16HI: moved = {32'hffff_ffff, b[31:16], a[31:16]};
      isa_pkg::SORT4X32LO, isa_pkg::FMVP_D_X: moved = {b[31:0], a[31:0]};
      isa_pkg::SORT4X32HI: moved = {b[63:32], a[63:32]};
      isa_pkg::ROLL16: moved = {32'hffff_ffff, b[15:0], a[31:16]};
      isa_pkg::ROLL32: moved = {b[31:0], a[63:32]};
      isa_pkg::F16V4SHUF: moved = {half(a, n[7:6]), half(a, n[5:4]), half(a, n[3:2]), half(a, n[1:0])};
      isa_pkg::F16V4EXTRACT: moved = {48'hffff_ffff_ffff, half(a, n[1:0])};
      isa_pkg::F32V2EXTRACT: moved = {32'hffff_ffff, n[0] ? a[63:32] : a[31:0]};
      isa_pkg::F16V4INSERT: moved = (a & ~(64'hffff << lane)) | ({48'd0, b[15:0]} << lane);
      isa_pkg::F32V2INSERT: moved = n[5] ? {b[31:0], a[31:0]} : {a[63:32], b[31:0]};
      isa_pkg::FMVH_X_D: moved = {32'd0, a[63:32]};
      isa_pkg::TAPACK: moved = {22'd0, b[23:3], a[23:3]};
      isa_pkg::TASET2: moved = {1'b0, b[23:3], a[41:0]};
      default: moved = {40'd0, address(a[62:0], n[4:0]), 3'd0};  // TAGET
    endcase
  endfunction

  always_comb begin
    result_o = 64'd0;
    if (valid_i) result_o = moved(id_i, a_i, b_i, number_i);
  end
endmodule
