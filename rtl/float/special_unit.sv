// Special functions of a tile: exp, exp2, ln, log2, tanh, sigmoid, reciprocal, square root, reciprocal square root and
// the Gaussian draw, on f32 and packed f16. docs/reference/special.md defines the results to the bit.
//
// An instruction passes X1 every six cycles: valid_i is high on every pass, start_i on the first, last_i on the last.
// Two lanes, nine stages long: what enters in X1 of a pass leaves in M of the next one. One or two lanes of operands
// enter in the first of two passes; f16v4 has three, its lanes 0 and 1 enter in the first, wait for six cycles at the
// end, and leave together with lanes 2 and 3, which enter in the second. f32 sigmoid uses lane 1 for a factor. Result
// and flags are combinational in M, two cycles after the last pass; in other cycles the outputs mean nothing.
module special_unit (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,  // the clock runs always (clock_gate)
    input  logic        wake_i,     // X1 may hold a pass of this unit in the next cycle
    input  logic        valid_i,    // X1 holds a pass of an instruction of this unit
    input  logic        start_i,
    input  logic        last_i,
    input  logic [ 8:0] id_i,       // isa_pkg
    input  logic [63:0] a_i,        // the register as it is, on every pass
    input  logic [63:0] random_i,   // on every pass
    output logic [63:0] result_o,
    output logic [ 4:0] flags_o     // NV DZ OF UF NX, bit numbers fp_pkg::FLAG_*
);
  // How the results of the lanes make a register.
  localparam logic [1:0] SCALAR = 2'd0;  // f32, boxed
  localparam logic [1:0] PAIR32 = 2'd1;  // f32v2
  localparam logic [1:0] PAIR16 = 2'd2;  // f16v2, boxed
  localparam logic [1:0] QUAD16 = 2'd3;  // f16v4, with what waits

  // Stages 1 to 8 of the lanes. All state is on the gated clock, and nothing but the gate looks at the inputs in a
  // cycle in which no operand enters, so that an idle unit costs a simulation next to nothing.
  logic enters, gclk;
  logic [7:0] busy_0_q, busy_1_q;
  assign enters = valid_i & (start_i | !last_i);
  unit_clock u_clock (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .opens_i(wake_i | enters | (busy_0_q[6:0] != 7'd0) | !rst_ni),
      .works_i(enters | (busy_0_q != 8'd0)),
      .gclk_o (gclk)
  );

  // Stage 0 (X1): what the lanes shall do.
  logic [3:0] function_0_q, function_1_q;
  logic f16_q;
  logic [31:0] x_0_q, x_1_q;
  logic [15:0] shapes_q;  // of the stages 8 to 1, two bits each
  (* simulation_speed *)
  always_ff @(posedge gclk) begin : decode
    logic [3:0] computes;
    logic [1:0] shape;
    logic [31:0] scalar;
    busy_0_q <= {busy_0_q[6:0], enters};
    busy_1_q <= {busy_1_q[6:0], 1'b0};
    shapes_q <= {shapes_q[13:0], SCALAR};
    if (enters) begin
      case (id_i)
        isa_pkg::F16V2EXP, isa_pkg::F16V2EXP2, isa_pkg::F16V2LN, isa_pkg::F16V2LOG2, isa_pkg::F16V2TANH,
        isa_pkg::F16V2SIGM, isa_pkg::F16V2OOX, isa_pkg::F16V2SQRT, isa_pkg::F16V2OORX, isa_pkg::F16V2GRAND:
        shape = PAIR16;
        isa_pkg::F32V2GRAND: shape = PAIR32;
        isa_pkg::F32EXP, isa_pkg::F32EXP2, isa_pkg::F32LN, isa_pkg::F32LOG2, isa_pkg::F32TANH, isa_pkg::F32SIGM,
        isa_pkg::F32OOX, isa_pkg::F32OORX:
        shape = SCALAR;
        default: shape = QUAD16;
      endcase
      case (id_i)
        isa_pkg::F32EXP2, isa_pkg::F16V2EXP2, isa_pkg::F16V4EXP2: computes = special_plan::EXP2;
        isa_pkg::F32LN, isa_pkg::F16V2LN, isa_pkg::F16V4LN: computes = special_plan::LN;
        isa_pkg::F32LOG2, isa_pkg::F16V2LOG2, isa_pkg::F16V4LOG2: computes = special_plan::LOG2;
        isa_pkg::F32TANH, isa_pkg::F16V2TANH, isa_pkg::F16V4TANH: computes = special_plan::TANH;
        isa_pkg::F32SIGM, isa_pkg::F16V2SIGM, isa_pkg::F16V4SIGM: computes = special_plan::SIGMOID;
        isa_pkg::F32OOX, isa_pkg::F16V2OOX, isa_pkg::F16V4OOX: computes = special_plan::RECIPROCAL;
        isa_pkg::F16V2SQRT, isa_pkg::F16V4SQRT: computes = special_plan::SQRT;
        isa_pkg::F32OORX, isa_pkg::F16V2OORX, isa_pkg::F16V4OORX: computes = special_plan::RECIPROCAL_SQRT;
        isa_pkg::F32V2GRAND, isa_pkg::F16V2GRAND: computes = special_plan::GAUSS;
        default: computes = special_plan::EXP;
      endcase
      busy_1_q[0] <= shape != SCALAR || computes == special_plan::SIGMOID;
      shapes_q[1:0] <= shape;
      f16_q <= shape[1];
      function_0_q <= shape == SCALAR && computes == special_plan::SIGMOID ? special_plan::SIGMOID_TAIL : computes;
      function_1_q <= computes;
      if (computes == special_plan::GAUSS) begin
        x_0_q <= random_i[31:0];
        x_1_q <= random_i[63:32];
      end else if (shape == SCALAR) begin
        scalar = a_i[63:32] == 32'hffff_ffff ? a_i[31:0] : fp_format::canonical_nan(1'b0);
        x_0_q <= scalar;
        x_1_q <= scalar;
      end else if (start_i) begin
        x_0_q <= {16'b0, a_i[15:0]};
        x_1_q <= {16'b0, a_i[31:16]};
      end else begin
        x_0_q <= {16'b0, a_i[47:32]};
        x_1_q <= {16'b0, a_i[63:48]};
      end
    end
    if (!rst_ni) begin
      busy_0_q <= 8'd0;
      busy_1_q <= 8'd0;
    end
  end

  logic [31:0] value_0, value_1, result_0, result_1;
  logic [4:0] flags_0, flags_1;
  special_lane u_lane_0 (
      .clk_i     (gclk),
      .stage_i   (busy_0_q),
      .function_i(function_0_q),
      .f16_i     (f16_q),
      .x_i       (x_0_q),
      .other_i   (value_1),
      .value_o   (value_0),
      .result_o  (result_0),
      .flags_o   (flags_0)
  );
  special_lane u_lane_1 (
      .clk_i     (gclk),
      .stage_i   (busy_1_q),
      .function_i(function_1_q),
      .f16_i     (f16_q),
      .x_i       (x_1_q),
      .other_i   (value_0),
      .value_o   (value_1),
      .result_o  (result_1),
      .flags_o   (flags_1)
  );

  // Flags and two f16 of the six cycles past.
  logic [36:0] wait_1_q, wait_2_q, wait_3_q, wait_4_q, wait_5_q, waited_q;
  always_ff @(posedge gclk) begin
    wait_1_q <= {flags_1 | flags_0, result_1[15:0], result_0[15:0]};
    wait_2_q <= wait_1_q;
    wait_3_q <= wait_2_q;
    wait_4_q <= wait_3_q;
    wait_5_q <= wait_4_q;
    waited_q <= wait_5_q;
  end

  always_comb begin
    result_o = 64'd0;
    flags_o = flags_0;
    if (busy_0_q[7]) begin
      case (shapes_q[15:14])
        SCALAR: result_o = {32'hffff_ffff, result_0};
        PAIR32: result_o = {result_1, result_0};
        PAIR16: begin
          result_o = {32'hffff_ffff, result_1[15:0], result_0[15:0]};
          flags_o = flags_1 | flags_0;
        end
        default: begin
          result_o = {result_1[15:0], result_0[15:0], waited_q[31:0]};
          flags_o = flags_1 | flags_0 | waited_q[36:32];
        end
      endcase
    end
  end
endmodule
