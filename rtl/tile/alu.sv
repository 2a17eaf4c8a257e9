// X1: integer arithmetic and logic. Combinational; b_i is the second register or the immediate.
module alu (
    input  logic [8:0] id_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [31:0] pc_i,
    output logic [31:0] result_o
);
  function automatic logic [31:0] leading_zeros(input logic [31:0] x);
    logic [31:0] v;
    logic [4:0] n;
    v = x;
    n = 5'd0;
    if (v[31:16] == 16'd0) begin
      n[4] = 1'b1;
      v = {v[15:0], 16'd0};
    end
    if (v[31:24] == 8'd0) begin
      n[3] = 1'b1;
      v = {v[23:0], 8'd0};
    end
    if (v[31:28] == 4'd0) begin
      n[2] = 1'b1;
      v = {v[27:0], 4'd0};
    end
    if (v[31:30] == 2'd0) begin
      n[1] = 1'b1;
      v = {v[29:0], 2'd0};
    end
    n[0] = !v[31];
    leading_zeros = x == 32'd0 ? 32'd32 : {27'd0, n};
  endfunction

  function automatic logic [31:0] reversed(input logic [31:0] x);
    for (int i = 0; i < 32; i++) reversed[i] = x[31-i];
  endfunction

  function automatic logic [31:0] ones(input logic [31:0] x);
    logic [31:0] pairs, fours, eights;
    pairs = x - ((x >> 1) & 32'h5555_5555);
    fours = (pairs & 32'h3333_3333) + ((pairs >> 2) & 32'h3333_3333);
    eights = (fours + (fours >> 4)) & 32'h0f0f_0f0f;
    ones = (eights * 32'h0101_0101) >> 24;
  endfunction

  function automatic logic [7:0] reversed8(input logic [7:0] x);
    for (int i = 0; i < 8; i++) reversed8[i] = x[7-i];
  endfunction

  logic [31:0] below_sign;  // 0 where a bit below the top equals it
  assign below_sign = {a_i[30:0] ^ {31{a_i[31]}}, 1'b1};

  logic [4:0] by;
  logic less, less_unsigned;
  assign by = b_i[4:0];
  assign less = $signed(a_i) < $signed(b_i);
  assign less_unsigned = a_i < b_i;

  always_comb begin
    case (id_i)
      isa_pkg::LUI: result_o = b_i;
      isa_pkg::AUIPC: result_o = pc_i + b_i;
      isa_pkg::ADDI, isa_pkg::ADD: result_o = a_i + b_i;
      isa_pkg::SUB: result_o = a_i - b_i;
      isa_pkg::SLTI, isa_pkg::SLT: result_o = {31'd0, less};
      isa_pkg::SLTIU, isa_pkg::SLTU: result_o = {31'd0, less_unsigned};
      isa_pkg::XORI, isa_pkg::XOR: result_o = a_i ^ b_i;
      isa_pkg::ORI, isa_pkg::OR: result_o = a_i | b_i;
      isa_pkg::ANDI, isa_pkg::AND: result_o = a_i & b_i;
      isa_pkg::SLLI, isa_pkg::SLL: result_o = a_i << by;
      isa_pkg::SRLI, isa_pkg::SRL: result_o = a_i >> by;
      isa_pkg::SRAI, isa_pkg::SRA: result_o = $signed(a_i) >>> by;
      isa_pkg::SH1ADD: result_o = {a_i[30:0], 1'b0} + b_i;
      isa_pkg::SH2ADD: result_o = {a_i[29:0], 2'b0} + b_i;
      isa_pkg::SH3ADD: result_o = {a_i[28:0], 3'b0} + b_i;
      isa_pkg::ANDN: result_o = a_i & ~b_i;
      isa_pkg::ORN: result_o = a_i | ~b_i;
      isa_pkg::XNOR: result_o = ~(a_i ^ b_i);
      isa_pkg::CLZ: result_o = leading_zeros(a_i);
      isa_pkg::CTZ: result_o = leading_zeros(reversed(a_i));
      isa_pkg::CPOP: result_o = ones(a_i);
      isa_pkg::SEXT_B: result_o = {{24{a_i[7]}}, a_i[7:0]};
      isa_pkg::SEXT_H: result_o = {{16{a_i[15]}}, a_i[15:0]};
      isa_pkg::ZEXT_H: result_o = {16'd0, a_i[15:0]};
      isa_pkg::MIN: result_o = less ? a_i : b_i;
      isa_pkg::MINU: result_o = less_unsigned ? a_i : b_i;
      isa_pkg::MAX: result_o = less ? b_i : a_i;
      isa_pkg::MAXU: result_o = less_unsigned ? b_i : a_i;
      isa_pkg::ROL: result_o = (a_i << by) | (a_i >> (6'd32 - {1'b0, by}));
      isa_pkg::ROR, isa_pkg::RORI: result_o = (a_i >> by) | (a_i << (6'd32 - {1'b0, by}));
      isa_pkg::ORC_B:
      result_o = {
        {8{a_i[31:24] != 8'd0}}, {8{a_i[23:16] != 8'd0}}, {8{a_i[15:8] != 8'd0}}, {8{a_i[7:0] != 8'd0}}
      };
      isa_pkg::REV8: result_o = {a_i[7:0], a_i[15:8], a_i[23:16], a_i[31:24]};
      isa_pkg::SHUF8X8LO: result_o = {b_i[15:8], a_i[15:8], b_i[7:0], a_i[7:0]};
      isa_pkg::SHUF8X8HI: result_o = {b_i[31:24], a_i[31:24], b_i[23:16], a_i[23:16]};
      isa_pkg::SORT8X8LO: result_o = {b_i[23:16], b_i[7:0], a_i[23:16], a_i[7:0]};
      isa_pkg::SORT8X8HI: result_o = {b_i[31:24], b_i[15:8], a_i[31:24], a_i[15:8]};
      isa_pkg::ROLL8L: result_o = {b_i[23:0], a_i[31:24]};
      isa_pkg::ROLL8R: result_o = {b_i[7:0], a_i[31:8]};
      isa_pkg::BITREV8:
      result_o = {reversed8(a_i[31:24]), reversed8(a_i[23:16]), reversed8(a_i[15:8]), reversed8(a_i[7:0])};
      isa_pkg::SWAP8: result_o = {a_i[23:16], a_i[31:24], a_i[7:0], a_i[15:8]};
      isa_pkg::SORT8: result_o = {a_i[31:24], a_i[15:8], a_i[23:16], a_i[7:0]};
      isa_pkg::CMS: result_o = leading_zeros(below_sign);
      isa_pkg::BITREV: result_o = reversed(a_i);
      default: result_o = 32'd0;
    endcase
  end
endmodule
