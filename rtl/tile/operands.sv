// D|X1: what the instruction works on. Integer operands stand in the low 32 bits; scalar float operands of the FPU are
// unboxed (a value that is not boxed reads as the canonical NaN), those of moves and stores are the raw 64 bits.
module operands (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       squash_i,
    input  logic       valid_i,
    input  logic [8:0] id_i,
    input  logic [4:0] unit_i,
    input  logic       reads_x2_i,
    input  logic [ 2:0] reads_f_i,      // bit 2: first operand, 1: second, 0: third
    input  logic [ 1:0] rounding_i,     // where the mode is, see isa_pkg::control_t
    input  logic       illegal_i,      // by decode; a bad rounding mode is found here
    input  logic [31:0] word_i,
    input  logic [31:0] immediate_i,
    input  logic [ 2:0] frm_i,          // of the context
    input  logic       first_i,
    input  logic       last_i,
    input  logic [31:0] x1_i,
    input  logic [31:0] x2_i,
    input  logic [63:0] f1_i,
    input  logic [63:0] f2_i,
    input  logic [63:0] f3_i,
    output logic [63:0] a_o,
    output logic [63:0] b_o,            // second operand: register or immediate
    output logic [63:0] c_o,
    output logic [31:0] immediate_o,
    output logic       illegal_o,
    output logic       fpu_o,          // X1 holds work of the FPU, the divide ring, the integer divide ring
    output logic       fdivide_o,
    output logic       divide_o,
    output logic       packed_o,       // of the units Packed, Special, Amp, Random
    output logic       special_o,
    output logic       amp_o,
    output logic       random_o,
    output logic       stream_o,       // several accesses or an updated address: Stream, Weights, paced steps of Amp
    output logic       first_o,
    output logic       last_o,
    output logic [ 4:0] fp_op_o,
    output logic       fp_format_o,    // fp_pkg::FMT_*, of the operands; of the result where they are integers
    output logic [ 2:0] rm_o
);
  logic is_float;
  assign is_float = valid_i & (unit_i >= isa_pkg::UNIT_FMA) & (unit_i <= isa_pkg::UNIT_FCONVERT);

  function automatic logic [31:0] unbox(input logic f16, input logic [63:0] x);
    if (f16) unbox = &x[63:16] ? {16'd0, x[15:0]} : 32'h0000_7e00;
    else unbox = &x[63:32] ? x[31:0] : 32'h7fc0_0000;
  endfunction

  logic [4:0] op;
  logic f16_source, f16_result;
  float_operation u_operation (
      .id_i        (is_float ? id_i : isa_pkg::ILLEGAL),
      .f16_i       (word_i[26]),
      .op_o        (op),
      .f16_source_o(f16_source),
      .f16_result_o(f16_result)
  );

  logic [63:0] a, b;
  logic [63:0] c;
  logic [2:0] rm;
  logic bad_rounding;
  always_comb begin
    a = reads_f_i[2] ? f1_i : {32'd0, x1_i};
    if (reads_f_i[1]) b = f2_i;
    else b = {32'd0, reads_x2_i ? x2_i : immediate_i};
    c = f3_i;
    rm = 3'd0;
    bad_rounding = 1'b0;
    if (is_float) begin
      if (reads_f_i[2]) a = {32'd0, unbox(f16_source, f1_i)};
      if (reads_f_i[1]) b = {32'd0, unbox(f16_source, f2_i)};
      c = {32'd0, unbox(f16_source, f3_i)};
    end
    if (rounding_i != 2'd0) begin
      case (rounding_i)
        2'd1: rm = word_i[14:12];
        2'd2: rm = 3'd7;
        default: rm = word_i[27:25];
      endcase
      if (rm == 3'd7) rm = frm_i;
      bad_rounding = rm > 3'd4;
    end
  end

  logic [7:0] work, work_q;  // stream, random, amp, special, packed, divide, fdivide, fpu
  always_comb begin
    work = 8'd0;
    if (valid_i & !illegal_i & !bad_rounding) begin
      case (unit_i)
        isa_pkg::UNIT_FMA, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT: work = 8'h01;
        isa_pkg::UNIT_FDIVIDE: work = 8'h02;
        isa_pkg::UNIT_DIVIDE: work = 8'h04;
        isa_pkg::UNIT_PACKED: work = 8'h08;
        isa_pkg::UNIT_SPECIAL: work = 8'h10;
        isa_pkg::UNIT_AMP: work = word_i[14:12] == 3'd5 ? 8'ha0 : 8'h20;  // paced, or not
        isa_pkg::UNIT_RANDOM: work = 8'h40;
        isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS: work = 8'h80;
        default: ;
      endcase
    end
  end

  logic [63:0] a_q, b_q, c_q;
  logic [31:0] immediate_q;
  logic [4:0] fp_op_q;
  logic [2:0] rm_q;
  logic illegal_q, first_q, last_q, fp_format_q;
  always_ff @(posedge clk_i) begin
    a_q <= a;
    b_q <= b;
    immediate_q <= immediate_i;
    illegal_q <= illegal_i | bad_rounding;
    first_q <= first_i;
    last_q <= last_i;
    if (reads_f_i[0]) c_q <= c;
    rm_q <= rm;
    if (is_float) begin
      fp_op_q <= op;
      fp_format_q <= reads_f_i[2] ? f16_source : f16_result;
    end
    work_q <= rst_ni & !squash_i ? work : 8'd0;
  end
  assign a_o = a_q;
  assign b_o = b_q;
  assign c_o = c_q;
  assign immediate_o = immediate_q;
  assign illegal_o = illegal_q;
  assign {stream_o, random_o, amp_o, special_o, packed_o, divide_o, fdivide_o, fpu_o} = work_q;
  assign first_o = first_q;
  assign last_o = last_q;
  assign fp_op_o = fp_op_q;
  assign fp_format_o = fp_format_q;
  assign rm_o = rm_q;

  // Fields of other formats.
  logic unused;
  assign unused = &{1'b0, word_i[31:28], word_i[24:15], word_i[11:0]};
endmodule
