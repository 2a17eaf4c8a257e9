// D|X1: what the instruction works on. Integer operands stand in the low 32 bits; scalar float operands of the FPU are
// unboxed (a value that is not boxed reads as the canonical NaN), those of moves and stores are the raw 64 bits.
module operands (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  squash_i,
  input  stage_pkg::issued_t    d_i,
  input  isa_pkg::control_t     control_i,
  input  stage_pkg::decoded_t   decoded_i,   // a bad rounding mode is found here
  input  logic [2:0]            frm_i,       // of the context
  input  logic                  first_i,     // which pass
  input  logic                  last_i,
  input  stage_pkg::registers_t registers_i,
  output stage_pkg::operands_t  x1_o,
  output stage_pkg::work_t      x1_work_o,
  output stage_pkg::wake_t      d_wake_o      // units that may have work in X1
);
  logic is_float;
  assign is_float = d_i.valid & (control_i.unit >= isa_pkg::UNIT_FMA) & (control_i.unit <= isa_pkg::UNIT_FCONVERT);

  function automatic logic [31:0] unbox(input logic f16, input logic [63:0] x);
    if (f16) unbox = &x[63:16] ? {16'd0, x[15:0]} : 32'h0000_7e00;
    else unbox = &x[63:32] ? x[31:0] : 32'h7fc0_0000;
  endfunction

  logic [4:0] op;
  logic f16_source, f16_result;
  float_operation u_operation (
    .id_i        (is_float ? control_i.id : isa_pkg::ILLEGAL),
    .f16_i       (d_i.word[26]),
    .op_o        (op),
    .f16_source_o(f16_source),
    .f16_result_o(f16_result)
  );

  logic [63:0] a, b, c;
  logic [2:0] rm;
  logic bad_rounding;
  always_comb begin
    a = control_i.reads_f1 ? registers_i.f1 : {32'd0, registers_i.x1};
    if (control_i.reads_f2) b = registers_i.f2;
    else b = {32'd0, control_i.reads_x2 ? registers_i.x2 : decoded_i.immediate};
    c = registers_i.f3;
    rm = 3'd0;
    bad_rounding = 1'b0;
    if (is_float) begin
      if (control_i.reads_f1) a = {32'd0, unbox(f16_source, registers_i.f1)};
      if (control_i.reads_f2) b = {32'd0, unbox(f16_source, registers_i.f2)};
      c = {32'd0, unbox(f16_source, registers_i.f3)};
    end
    if (control_i.rounding != 2'd0) begin
      case (control_i.rounding)
        2'd1: rm = d_i.word[14:12];
        2'd2: rm = 3'd7;
        default: rm = d_i.word[27:25];
      endcase
      if (rm == 3'd7) rm = frm_i;
      bad_rounding = rm > 3'd4;
    end
  end

  // Known before it is whether the instruction is legal or squashed.
  always_comb begin
    d_wake_o = '0;
    if (d_i.valid) begin
      d_wake_o.fpu = control_i.unit == isa_pkg::UNIT_FMA || control_i.unit == isa_pkg::UNIT_FCOMPARE || control_i.unit == isa_pkg::UNIT_FCONVERT;
      d_wake_o.fdivide = control_i.unit == isa_pkg::UNIT_FDIVIDE;
      d_wake_o.divide = control_i.unit == isa_pkg::UNIT_DIVIDE;
      d_wake_o.lanes = control_i.unit == isa_pkg::UNIT_PACKED;
      d_wake_o.special = control_i.unit == isa_pkg::UNIT_SPECIAL;
      d_wake_o.amp = control_i.unit == isa_pkg::UNIT_AMP;
    end
  end

  stage_pkg::operands_t x1_q;
  stage_pkg::work_t work, x1_work_q;
  always_comb begin
    work = '0;
    work.illegal = decoded_i.illegal | bad_rounding;
    work.first = first_i;
    work.last = last_i;
    work.rm = rm;
    work.fp_op = is_float ? op : x1_work_q.fp_op;
    work.fp_format = !is_float ? x1_work_q.fp_format : control_i.reads_f1 ? f16_source : f16_result;
    if (d_i.valid & !work.illegal & rst_ni & !squash_i) begin
      case (control_i.unit)
        isa_pkg::UNIT_FMA, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT: work.fpu = 1'b1;
        isa_pkg::UNIT_FDIVIDE: work.fdivide = 1'b1;
        isa_pkg::UNIT_DIVIDE: work.divide = 1'b1;
        isa_pkg::UNIT_PACKED: work.lanes = 1'b1;
        isa_pkg::UNIT_SPECIAL: work.special = 1'b1;
        isa_pkg::UNIT_AMP: begin
          work.amp = 1'b1;
          work.stream = d_i.word[14:12] == 3'd5;  // paced
        end
        isa_pkg::UNIT_RANDOM: work.random = 1'b1;
        isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS: work.stream = 1'b1;
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    x1_q.a <= a;
    x1_q.b <= b;
    if (control_i.reads_f3) x1_q.c <= c;
    x1_q.immediate <= decoded_i.immediate;
    x1_work_q <= work;
  end
  assign x1_work_o = x1_work_q;
  assign x1_o = x1_q;

  // What others need of all this.
  logic unused;
  assign unused = ^{d_i, control_i, decoded_i};

`ifndef SYNTHESIS
  logic [6:0] units;
  logic squashed_q;
  assign units = {x1_work_q.random, x1_work_q.amp, x1_work_q.special, x1_work_q.lanes, x1_work_q.divide, x1_work_q.fdivide, x1_work_q.fpu};
  always_ff @(posedge clk_i) squashed_q <= squash_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_unit_has_the_work : assert ((units & (units - 7'd1)) == 7'd0);
      no_work_of_an_illegal_instruction : assert (!x1_work_q.illegal || units == 7'd0 && !x1_work_q.stream);
      rounding_mode_is_one : assert (!x1_work_q.fpu || x1_work_q.rm <= 3'd4);
      squash_leaves_no_work : assert (!squashed_q || units == 7'd0);
    end
  end
`endif
endmodule
