// Packed arithmetic of a tile: unit Packed of the instruction table, on four lanes of which two also compute f32.
//
// Inputs are taken in pipeline stage X1, result and flags are combinational in M, two cycles later; one operation may
// start in every cycle. Operands are registers as they are, rm_i is the resolved rounding mode (0 to 4). Outside the
// cycle in which an operation is in M the outputs mean nothing. What the instructions do: docs/reference/arithmetic.md.
module vector_unit (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,        // the clock runs always (clock_gate)
    input  logic        wake_i,           // X1 may hold an operation of this unit in the next cycle
    input  logic        valid_i,          // X1 holds an operation of this unit
    input  logic [ 8:0] id_i,             // isa_pkg ids
    input  logic [ 2:0] rm_i,             // fp_pkg::RM_*
    input  logic [63:0] a_i,              // rs1, rs2, rs3
    input  logic [63:0] b_i,
    input  logic [63:0] c_i,
    input  logic [63:0] random_i,
    input  logic        stochastic_i,     // f32 is rounded to f16 stochastically
    input  logic [ 1:0] half_overflow_i,  // what an overflowing f16 becomes: xfpctl[5:4]
    input  logic [13:0] f8_i,             // CSR xf8
    output logic [63:0] result_o,
    output logic [ 4:0] flags_o           // NV DZ OF UF NX, bit numbers fp_pkg::FLAG_*
);
  logic valid_x2_q, gclk;
  always_ff @(posedge gclk) begin
    if (!rst_ni) valid_x2_q <= 1'b0;
    else valid_x2_q <= valid_i;
  end

  unit_clock u_clock (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .opens_i(wake_i | valid_i | !rst_ni),
      .works_i(valid_i | valid_x2_q),
      .gclk_o (gclk)
  );

  logic fma, compare, convert, narrow;
  logic [4:0] op;
  logic [1:0] width, result_width, lanes;
  logic broadcast, absolute, swap, same, neighbours, clamp, mask, invert, high, two_sources;
  logic fraction, to_f8, quiet;
  logic [27:0] plan;
  vector_decode u_decode (
      .valid_i,
      .id_i,
      .plan_o(plan)
  );
  assign {fma, compare, convert, narrow, op, width, result_width, lanes, broadcast, absolute, swap, same, neighbours,
          clamp, mask, invert, high, two_sources, fraction, to_f8, quiet} = plan;

  // X1: operands of the lanes, in the low bits.
  logic [63:0] first, second;
  logic [31:0] a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3;
  logic [3:0] active, fma_at, compare_at, convert_at, narrow_at;  // a bit per lane
  always_comb begin
    first = 64'd0;
    second = 64'd0;
    {a0, a1, a2, a3} = 128'd0;
    {b0, b1, b2, b3} = 128'd0;
    {c0, c1, c2, c3} = 128'd0;
    active = 4'd0;
    fma_at = 4'd0;
    compare_at = 4'd0;
    convert_at = 4'd0;
    narrow_at = 4'd0;
    if (valid_i) begin
      active = {lanes[1], lanes[1], lanes != 2'd0, 1'b1};
      fma_at = {4{fma}} & active;
      compare_at = {4{compare}} & active;
      convert_at = {4{convert}} & active;
      narrow_at = {4{narrow}} & active;
      first = swap ? b_i : a_i;
      second = swap || same ? a_i : b_i;
      if (high) first = {32'b0, a_i[63:32]};
      if (absolute) begin
        first = first & (width[1] ? 64'h7fff_ffff_7fff_ffff : 64'h7fff_7fff_7fff_7fff);
        second = second & (width[1] ? 64'h7fff_ffff_7fff_ffff : 64'h7fff_7fff_7fff_7fff);
      end
      case (width)
        2'd0: begin
          a0 = {24'b0, first[7:0]};
          a1 = {24'b0, first[15:8]};
          a2 = {24'b0, first[23:16]};
          a3 = {24'b0, first[31:24]};
        end
        2'd1: begin
          a0 = {16'b0, first[15:0]};
          a1 = {16'b0, first[31:16]};
          a2 = {16'b0, first[47:32]};
          a3 = {16'b0, first[63:48]};
          b0 = {16'b0, second[15:0]};
          b1 = {16'b0, second[31:16]};
          b2 = {16'b0, second[47:32]};
          b3 = {16'b0, second[63:48]};
          c0 = {16'b0, c_i[15:0]};
          c1 = {16'b0, c_i[31:16]};
          c2 = {16'b0, c_i[47:32]};
          c3 = {16'b0, c_i[63:48]};
        end
        default: begin
          a0 = first[31:0];
          a1 = first[63:32];
          b0 = second[31:0];
          b1 = second[63:32];
          c0 = c_i[31:0];
          c1 = c_i[63:32];
        end
      endcase
      if (neighbours) begin
        b0 = a1;
        a1 = a2;
        b1 = a3;
      end
      if (broadcast) begin
        a1 = a0;
        a2 = a0;
        a3 = a0;
      end
      if (clamp) begin
        c0 = b1;
        c1 = b1;
        c2 = b1;
        c3 = b1;
        b1 = b0;
        b2 = b0;
        b3 = b0;
      end
      if (two_sources) begin
        a2 = b_i[31:0];
        a3 = b_i[63:32];
      end
    end
  end

  // What M needs to know of the operation.
  logic [1:0] width_x2_q, lanes_x2_q, half_overflow_x2_q, width_m_q, lanes_m_q, half_overflow_m_q;
  logic mask_x2_q, invert_x2_q, quiet_x2_q, mask_m_q, invert_m_q, quiet_m_q;
  always_ff @(posedge gclk) begin
    if (valid_i) begin
      width_x2_q <= result_width;
      lanes_x2_q <= lanes;
      half_overflow_x2_q <= half_overflow_i;
      mask_x2_q <= mask;
      invert_x2_q <= invert;
      quiet_x2_q <= quiet;
    end
    width_m_q <= width_x2_q;
    lanes_m_q <= lanes_x2_q;
    half_overflow_m_q <= half_overflow_x2_q;
    mask_m_q <= mask_x2_q;
    invert_m_q <= invert_x2_q;
    quiet_m_q <= quiet_x2_q;
  end

  logic f8_unused;
  assign f8_unused = ^f8_i[7:1];

  wire [31:0] a_at[0:3];
  wire [31:0] b_at[0:3];
  wire [31:0] c_at[0:3];
  wire [31:0] result_at[0:3];
  wire [4:0] flags_at[0:3];
  assign a_at[0] = a0;
  assign a_at[1] = a1;
  assign a_at[2] = a2;
  assign a_at[3] = a3;
  assign b_at[0] = b0;
  assign b_at[1] = b1;
  assign b_at[2] = b2;
  assign b_at[3] = b3;
  assign c_at[0] = c0;
  assign c_at[1] = c1;
  assign c_at[2] = c2;
  assign c_at[3] = c3;

  for (genvar k = 0; k < 4; k++) begin : g_lane
    vector_lane #(
        .Wide(k < 2)
    ) u_lane (
        .clk_i            (gclk),
        .fma_i            (fma_at[k]),
        .compare_i        (compare_at[k]),
        .convert_i        (convert_at[k]),
        .narrow_i         (narrow_at[k]),
        .op_i             (op),
        .fmt_i            (!width[1]),
        .result_fmt_i     (!result_width[1]),
        .rm_i,
        .clamp_i          (clamp),
        .width_i          (width),
        .fraction_i       (fraction),
        .to_f8_i          (to_f8),
        .f8_e5_i          (f8_i[0]),
        .scale_i          (f8_i[13:8]),
        .stochastic_i,
        .random_i         (random_i[16*k+:16]),
        .a_i              (a_at[k]),
        .b_i              (b_at[k]),
        .c_i              (c_at[k]),
        .half_overflow_m_i(half_overflow_m_q),
        .result_o         (result_at[k]),
        .flags_o          (flags_at[k])
    );
  end

  // M: the lanes side by side, ones above them.
  logic [31:0] r0, r1;
  logic [15:0] r2, r3;
  always_comb begin
    r0 = result_at[0];
    r1 = result_at[1];
    r2 = result_at[2][15:0];
    r3 = result_at[3][15:0];
    if (mask_m_q) begin
      r0 = {32{r0[0] ^ invert_m_q}};
      r1 = {32{r1[0] ^ invert_m_q}};
      r2 = {16{r2[0] ^ invert_m_q}};
      r3 = {16{r3[0] ^ invert_m_q}};
    end
    case ({
      width_m_q, lanes_m_q
    })
      {2'd0, 2'd1} : result_o = {48'hffff_ffff_ffff, r1[7:0], r0[7:0]};
      {2'd0, 2'd2} : result_o = {32'hffff_ffff, r3[7:0], r2[7:0], r1[7:0], r0[7:0]};
      {2'd1, 2'd0} : result_o = {48'hffff_ffff_ffff, r0[15:0]};
      {2'd1, 2'd1} : result_o = {32'hffff_ffff, r1[15:0], r0[15:0]};
      {2'd1, 2'd2} : result_o = {r3[15:0], r2[15:0], r1[15:0], r0[15:0]};
      {2'd2, 2'd0} : result_o = {32'hffff_ffff, r0};
      default: result_o = {r1, r0};
    endcase
    flags_o = quiet_m_q ? 5'd0 : flags_at[0] | flags_at[1] | flags_at[2] | flags_at[3];
  end
endmodule
