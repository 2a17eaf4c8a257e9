// X1 and X2 and what they bring to M and W: the units that compute, the address of a load or store, and the result of
// each stage. A unit of several cycles gives its result in M.
module execute (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    test_en_i,           // clocks of units run always
  input  logic                    squash_i,
  input  stage_pkg::wake_t        d_wake_i,
  // X1.
  input  stage_pkg::instruction_t x1_i,
  input  stage_pkg::work_t        x1_work_i,
  input  stage_pkg::operands_t    x1_operands_i,
  input  stage_pkg::latches_t     x1_latches_i,        // of arithmetic.sv
  // X2.
  input  stage_pkg::instruction_t x2_i,
  // M.
  input  stage_pkg::instruction_t m_i,
  input  logic                    m_commits_i,
  output logic                    m_watched_o,         // its accesses are watched
  input  logic [31:0]             m_csr_i,
  input  logic [63:0]             m_arithmetic_i,      // of arithmetic.sv
  input  logic [4:0]              m_arithmetic_flags_i,
  input  logic [1:0]              m_clash_access_i,
  output logic [31:0]             m_clash_address_o,
  output stage_pkg::executed_t    m_o,
  output memory_pkg::accesses_t    m_accesses_o,
  // W.
  input  stage_pkg::instruction_t w_i,
  input  logic [63:0]             w_rdata_i,           // of the memory
  output logic [63:0]             w_result_o,
  output logic [63:0]             w_base_o,            // the updated rs1
  output logic [16:0]             w_write_word_o,      // of a store, in units of 8 bytes
  // Debugger: watchpoints.
  input  stage_pkg::debug_write_t debug_write_i,
  input  logic [2:0]              read_context_i,
  output logic [31:0]             read_watchpoint_o
);
  // X1.
  logic [31:0] alu_result, x1_next_pc;
  logic [63:0] move_result, lane_result, x1_result;
  alu u_alu (
      .id_i    (x1_i.id),
      .a_i     (x1_operands_i.a[31:0]),
      .b_i     (x1_operands_i.b[31:0]),
      .pc_i    (x1_i.pc),
      .result_o(alu_result)
  );
  branch u_branch (
      .branch_i   (x1_i.unit == isa_pkg::UNIT_BRANCH),
      .id_i       (x1_i.id),
      .a_i        (x1_operands_i.a[31:0]),
      .b_i        (x1_operands_i.b[31:0]),
      .pc_i       (x1_i.pc),
      .immediate_i(x1_operands_i.immediate),
      .next_pc_o  (x1_next_pc)
  );
  float_move u_move (
      .id_i    (x1_i.unit == isa_pkg::UNIT_FMOVE ? x1_i.id : isa_pkg::ILLEGAL),
      .a_i     (x1_operands_i.a),
      .b_sign_i(x1_operands_i.b[63]),
      .result_o(move_result)
  );
  lane_move u_lanes (
      .valid_i (x1_i.unit == isa_pkg::UNIT_LANE),
      .id_i    (x1_i.id),
      .a_i     (x1_operands_i.a),
      .b_i     (x1_operands_i.b),
      .number_i(x1_i.word[27:20]),
      .result_o(lane_result)
  );
  stage_pkg::addresses_t x2_addresses;
  stream_address u_address (
      .clk_i,
      .x1_i,
      .x1_work_i,
      .x1_operands_i,
      .x1_strides_i(x1_latches_i.strides),
      .x2_o        (x2_addresses)
  );
  always_comb begin
    case (x1_i.unit)
      isa_pkg::UNIT_ALU: x1_result = {32'd0, alu_result};
      isa_pkg::UNIT_BRANCH: x1_result = {32'd0, x1_i.pc + 32'd4};
      isa_pkg::UNIT_LOAD, isa_pkg::UNIT_STORE: x1_result = {32'd0, x1_operands_i.a[31:0] + x1_operands_i.immediate};
      isa_pkg::UNIT_FMOVE: x1_result = move_result;
      isa_pkg::UNIT_LANE: x1_result = lane_result;
      isa_pkg::UNIT_RANDOM: x1_result = x1_latches_i.drawn;
      isa_pkg::UNIT_REPEAT:
      x1_result = x1_i.id == isa_pkg::RPTI ? {52'd0, x1_i.word[31:20]} : x1_operands_i.a;  // the count
      default: x1_result = x1_operands_i.a;
    endcase
  end

  // X2.
  logic [63:0] x2_result_q, x2_b_q;
  logic [31:0] x2_next_pc_q, product;
  logic [63:0] w_load, w_result_q;
  always_ff @(posedge clk_i) begin
    x2_result_q <= x1_result;
    x2_b_q <= x1_work_i.stream && x1_i.unit == isa_pkg::UNIT_AMP ? x1_latches_i.partial : x1_operands_i.b;
    x2_next_pc_q <= x1_next_pc;
  end
  multiply u_multiply (
      .clk_i,
      .valid_i   (x1_i.valid && x1_i.unit == isa_pkg::UNIT_MULTIPLY),
      .id_i      (x1_i.id),
      .a_i       (x1_operands_i.a[31:0]),
      .b_i       (x1_operands_i.b[31:0]),
      .x2_valid_i(x2_i.unit == isa_pkg::UNIT_MULTIPLY),
      .result_o  (product)
  );
  logic w_loads;
  stage_pkg::places_t m_places;
  assign w_loads = w_i.unit == isa_pkg::UNIT_LOAD || w_i.unit == isa_pkg::UNIT_STREAM;
  memory_access u_memory_access (
      .clk_i,
      .x2_i,
      .x2_addresses_i(x2_addresses),
      .x2_address_i  (x2_result_q[31:0]),
      .x2_data_i     (x2_b_q),
      .squash_i,
      .m_o           (m_accesses_o),
      .m_places_o    (m_places),
      .m_clash_access_i,
      .m_clash_address_o,
      .w_i,
      .w_loads_i     (w_loads),
      .w_lane_i      (w_result_q[2:0]),
      .w_rdata_i,
      .w_write_word_o,
      .w_load_o      (w_load)
  );

  // M.
  watchpoint u_watchpoint (
      .clk_i,
      .rst_ni,
      .m_context_i    (m_i.context_id),
      .m_commits_i,
      .m_accesses_i   (m_accesses_o),
      .m_places_i     (m_places),
      .m_watched_o,
      .debug_write_i,
      .debug_context_i(read_context_i),
      .debug_o        (read_watchpoint_o)
  );
  logic [63:0] m_result_q, m_base_q, w_base_q, m_result;
  logic [31:0] m_next_pc_q, m_operand;
  logic m_stream_q;
  logic [4:0] m_flags;
  always_ff @(posedge clk_i) begin
    m_result_q <= x2_i.unit == isa_pkg::UNIT_MULTIPLY ? {32'd0, product} : x2_result_q;
    m_next_pc_q <= x2_next_pc_q;
    m_stream_q <= x2_addresses.valid;
    if (x2_addresses.valid) m_base_q <= x2_addresses.base;
  end
  always_comb begin
    case (m_i.unit)
      isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS, isa_pkg::UNIT_AMP: m_operand = m_places.address;
      default: m_operand = m_result_q[31:0];
    endcase
  end
  assign m_o.operand       = m_operand;
  assign m_o.next_pc       = m_next_pc_q;
  assign m_o.address_fault = m_places.fault;

  logic [31:0] fpu_result, fpu_integer, fdivide_result, divide_result;
  logic [4:0] fpu_flags, fdivide_flags;
  fpu u_fpu (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .wake_i   (d_wake_i.fpu),
      .valid_i  (x1_work_i.fpu),
      .op_i     (x1_work_i.fp_op),
      .fmt_i    (x1_work_i.fp_format),
      .rm_i     (x1_work_i.rm),
      .a_i      (x1_operands_i.a[31:0]),
      .b_i      (x1_operands_i.b[31:0]),
      .c_i      (x1_operands_i.c[31:0]),
      .result_o (fpu_result),
      .integer_o(fpu_integer),
      .flags_o  (fpu_flags)
  );
  fp_divsqrt u_fp_divsqrt (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .wake_i  (d_wake_i.fdivide),
      .valid_i (x1_work_i.fdivide),
      .start_i (x1_work_i.first),
      .last_i  (x1_work_i.last),
      .op_i    (x1_work_i.fp_op),
      .fmt_i   (x1_work_i.fp_format),
      .rm_i    (x1_work_i.rm),
      .a_i     (x1_operands_i.a[31:0]),
      .b_i     (x1_operands_i.b[31:0]),
      .result_o(fdivide_result),
      .flags_o (fdivide_flags)
  );
  int_divide u_int_divide (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .wake_i  (d_wake_i.divide),
      .valid_i (x1_work_i.divide),
      .start_i (x1_work_i.first),
      .last_i  (x1_work_i.last),
      .op_i    (divide_op(x1_i.id)),
      .a_i     (x1_operands_i.a[31:0]),
      .b_i     (x1_operands_i.b[31:0]),
      .result_o(divide_result)
  );
  function automatic logic [1:0] divide_op(input logic [8:0] id);
    case (id)
      isa_pkg::DIV: divide_op = fp_pkg::DIVIDE_DIV;
      isa_pkg::DIVU: divide_op = fp_pkg::DIVIDE_DIVU;
      isa_pkg::REM: divide_op = fp_pkg::DIVIDE_REM;
      default: divide_op = fp_pkg::DIVIDE_REMU;
    endcase
  endfunction

  always_comb begin
    m_result = m_result_q;
    m_flags = 5'd0;
    case (m_i.unit)
      isa_pkg::UNIT_DIVIDE: m_result = {32'd0, divide_result};
      isa_pkg::UNIT_CSR: m_result = {32'd0, m_csr_i};
      isa_pkg::UNIT_FMA, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT, isa_pkg::UNIT_FDIVIDE: begin
        m_flags = m_i.unit == isa_pkg::UNIT_FDIVIDE ? fdivide_flags : fpu_flags;
        m_result[31:0] = m_i.unit == isa_pkg::UNIT_FDIVIDE ? fdivide_result : fpu_result;
        m_result[63:32] = m_i.writes_x ? 32'd0 : 32'hffff_ffff;
        if (m_i.word[26] & !m_i.writes_x) m_result[31:16] = 16'hffff;
      end
      isa_pkg::UNIT_PACKED, isa_pkg::UNIT_SPECIAL, isa_pkg::UNIT_AMP: begin
        m_result = m_arithmetic_i;
        m_flags = m_arithmetic_flags_i;
      end
      default: ;
    endcase
  end
  // What goes to an integer register, without the rounding of results that never do.
  logic [31:0] m_integer;
  always_comb begin
    case (m_i.unit)
      isa_pkg::UNIT_DIVIDE: m_integer = divide_result;
      isa_pkg::UNIT_CSR: m_integer = m_csr_i;
      isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT: m_integer = fpu_integer;
      default: m_integer = m_result_q[31:0];
    endcase
  end
  assign m_o.result = m_integer;
  assign m_o.flags  = m_flags;

  // W.
  always_ff @(posedge clk_i) begin
    w_result_q <= m_result;
    if (m_stream_q) w_base_q <= m_base_q;
  end
  assign w_base_o = w_base_q;
  assign w_result_o = w_loads ? w_load : w_result_q;

  // What others need of all this.
  logic unused;
  assign unused = ^{d_wake_i, x1_i, x1_work_i, x1_operands_i, x2_i, m_i, w_i};
endmodule
