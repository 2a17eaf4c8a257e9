// X1 and X2 and what they bring to M and W: the units that compute, the address of a load or store, and the result of
// each stage. A unit of several cycles gives its result in M.
module execute (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        squash_i,
    // X1.
    input  logic        x1_valid_i,
    input  logic [31:0] x1_pc_i,
    input  logic [31:0] x1_word_i,
    input  logic [8:0] x1_id_i,
    input  logic [4:0] x1_unit_i,
    input  logic [63:0] x1_a_i,
    input  logic [63:0] x1_b_i,
    input  logic [31:0] x1_c_i,
    input  logic [31:0] x1_immediate_i,
    input  logic        x1_fpu_i,           // work of the FPU, the divide ring, the integer divide ring
    input  logic        x1_fdivide_i,
    input  logic        x1_divide_i,
    input  logic        x1_stream_i,        // several accesses or an updated address
    input  logic [53:0] x1_strides_i,       // these from arithmetic.sv
    input  logic [63:0] x1_random_i,
    input  logic [63:0] x1_partial_i,
    input  logic        x1_first_i,         // which pass
    input  logic        x1_last_i,
    input  logic [ 4:0] x1_fp_op_i,
    input  logic        x1_format_i,
    input  logic [ 2:0] x1_rm_i,
    // X2.
    input  logic        x2_valid_i,
    input  logic        x2_illegal_i,
    input  logic [8:0] x2_id_i,
    input  logic [4:0] x2_unit_i,
    // M.
    input  logic [4:0] m_unit_i,
    input  logic [ 2:0] m_context_i,
    input  logic        m_commit_i,
    output logic        m_watched_o,        // its accesses are watched
    input  logic        m_f16_i,            // field of the instruction
    input  logic        m_writes_x_i,
    input  logic [31:0] m_csr_i,
    input  logic [63:0] m_arithmetic_i,     // of arithmetic.sv
    input  logic [ 4:0] m_arithmetic_flags_i,
    input  logic [ 1:0] m_clash_access_i,   // which access clashes: read, second read, write
    output logic [31:0] m_operand_o,        // rs1 of system instructions, data address of loads and stores
    output logic [31:0] m_next_pc_o,
    output logic [31:0] m_result_o,         // integer, of what is not a load
    output logic [ 4:0] m_flags_o,          // of float instructions
    output logic [31:0] m_clash_address_o,
    output logic        m_read_o,           // accesses to good addresses: read, second read, write
    output logic        m_read1_o,
    output logic        m_write_o,
    output logic        m_address_fault_o,
    output memory_pkg::element_t m_element_o,
    output memory_pkg::row_t m_row_o,
    output memory_pkg::element_t m_element1_o,
    output memory_pkg::row_t m_row1_o,
    output memory_pkg::element_t m_write_element_o,
    output memory_pkg::row_t m_write_row_o,
    output logic [63:0] m_wdata_o,          // store data in byte lanes; rs2 of system instructions
    output logic [ 7:0] m_strobe_o,
    // W.
    input  logic [8:0] w_id_i,
    input  logic [4:0] w_unit_i,
    input  logic [63:0] w_rdata_i,          // of the memory
    output logic [19:3] w_address_o,        // of a store
    output logic [63:0] w_base_o,           // the updated rs1
    output logic [63:0] w_result_o,
    // Debugger: watchpoints.
    input  logic [ 6:0] debug_chosen_i,
    input  logic        write_watchpoint_i,
    input  logic [24:0] debug_wdata_i,
    input  logic [ 2:0] read_context_i,
    output logic [31:0] read_watchpoint_o
);
  // X1.
  logic [31:0] alu_result, x1_next_pc;
  logic [63:0] move_result, lane_result, x1_result;
  alu u_alu (
      .id_i    (x1_id_i),
      .a_i     (x1_a_i[31:0]),
      .b_i     (x1_b_i[31:0]),
      .pc_i    (x1_pc_i),
      .result_o(alu_result)
  );
  branch u_branch (
      .branch_i   (x1_unit_i == isa_pkg::UNIT_BRANCH),
      .id_i       (x1_id_i),
      .a_i        (x1_a_i[31:0]),
      .b_i        (x1_b_i[31:0]),
      .pc_i       (x1_pc_i),
      .immediate_i(x1_immediate_i),
      .next_pc_o  (x1_next_pc)
  );
  float_move u_move (
      .id_i    (x1_unit_i == isa_pkg::UNIT_FMOVE ? x1_id_i : isa_pkg::ILLEGAL),
      .a_i     (x1_a_i),
      .b_sign_i(x1_b_i[63]),
      .result_o(move_result)
  );
  lane_move u_lanes (
      .valid_i (x1_unit_i == isa_pkg::UNIT_LANE),
      .id_i    (x1_id_i),
      .a_i     (x1_a_i),
      .b_i     (x1_b_i),
      .number_i(x1_word_i[27:20]),
      .result_o(lane_result)
  );
  logic x2_stream, x2_wide, x2_triple;
  logic [2:0] x2_uses;
  logic [31:0] x2_stream_address;
  logic [20:0] x2_word1, x2_word2;
  logic [63:0] x2_base;
  stream_address u_address (
      .clk_i,
      .valid_i    (x1_stream_i),
      .id_i       (x1_id_i),
      .word_i     (x1_word_i),
      .a_i        (x1_a_i),
      .immediate_i(x1_immediate_i),
      .strides_i  (x1_strides_i),
      .stream_o   (x2_stream),
      .wide_o     (x2_wide),
      .triple_o   (x2_triple),
      .uses_o     (x2_uses),
      .address_o  (x2_stream_address),
      .word1_o    (x2_word1),
      .word2_o    (x2_word2),
      .base_o     (x2_base)
  );
  always_comb begin
    case (x1_unit_i)
      isa_pkg::UNIT_ALU: x1_result = {32'd0, alu_result};
      isa_pkg::UNIT_BRANCH: x1_result = {32'd0, x1_pc_i + 32'd4};
      isa_pkg::UNIT_LOAD, isa_pkg::UNIT_STORE: x1_result = {32'd0, x1_a_i[31:0] + x1_immediate_i};
      isa_pkg::UNIT_FMOVE: x1_result = move_result;
      isa_pkg::UNIT_LANE: x1_result = lane_result;
      isa_pkg::UNIT_RANDOM: x1_result = x1_random_i;
      isa_pkg::UNIT_REPEAT:
      x1_result = x1_id_i == isa_pkg::RPTI ? {52'd0, x1_word_i[31:20]} : x1_a_i;  // the count
      default: x1_result = x1_a_i;
    endcase
  end

  // X2.
  logic [63:0] x2_result_q, x2_b_q;
  logic [31:0] x2_next_pc_q, product;
  logic x2_memory;
  logic [31:0] m_address;
  logic [19:3] m_address1, m_write_address;
  logic [1:0] m_read_words;
  logic [63:0] w_load, w_result_q;
  always_ff @(posedge clk_i) begin
    x2_result_q <= x1_result;
    x2_b_q <= x1_stream_i && x1_unit_i == isa_pkg::UNIT_AMP ? x1_partial_i : x1_b_i;
    x2_next_pc_q <= x1_next_pc;
  end
  multiply u_multiply (
      .clk_i,
      .valid_i   (x1_valid_i && x1_unit_i == isa_pkg::UNIT_MULTIPLY),
      .id_i      (x1_id_i),
      .a_i       (x1_a_i[31:0]),
      .b_i       (x1_b_i[31:0]),
      .x2_valid_i(x2_unit_i == isa_pkg::UNIT_MULTIPLY),
      .result_o  (product)
  );
  assign x2_memory = x2_valid_i & !x2_illegal_i &
      (x2_unit_i == isa_pkg::UNIT_LOAD || x2_unit_i == isa_pkg::UNIT_STORE || x2_stream);
  memory_access u_memory_access (
      .clk_i,
      .valid_i        (x2_memory),
      .squash_i,
      .wide_i         (x2_wide),
      .triple_i       (x2_triple),
      .uses_i         (x2_uses),
      .id_i           (x2_id_i),
      .address_i      (x2_stream ? x2_stream_address : x2_result_q[31:0]),
      .word1_i        (x2_word1),
      .word2_i        (x2_word2),
      .data_i         (x2_b_q),
      .fault_o        (m_address_fault_o),
      .address_o      (m_address),
      .read_o         (m_read_o),
      .read1_o        (m_read1_o),
      .write_o        (m_write_o),
      .read_words_o   (m_read_words),
      .address1_o     (m_address1),
      .write_address_m_o(m_write_address),
      .element_o      (m_element_o),
      .row_o          (m_row_o),
      .element1_o     (m_element1_o),
      .row1_o         (m_row1_o),
      .write_element_o(m_write_element_o),
      .write_row_o    (m_write_row_o),
      .wdata_o        (m_wdata_o),
      .strobe_o       (m_strobe_o),
      .clash_access_i (m_clash_access_i),
      .clash_address_o(m_clash_address_o),
      .write_address_o(w_address_o),
      .load_i         (w_unit_i == isa_pkg::UNIT_LOAD || w_unit_i == isa_pkg::UNIT_STREAM),
      .load_id_i      (w_id_i),
      .load_lane_i    (w_result_q[2:0]),
      .rdata_i        (w_rdata_i),
      .load_o         (w_load)
  );

  // M.
  watchpoint u_watchpoint (
      .clk_i,
      .rst_ni,
      .context_i      (m_context_i),
      .commit_i       (m_commit_i),
      .read_i         (m_read_o),
      .read1_i        (m_read1_o),
      .write_i        (m_write_o),
      .address_i      (m_address[19:3]),
      .address1_i     (m_address1),
      .write_address_i(m_write_address),
      .read_words_i   (m_read_words),
      .strobe_i       (m_strobe_o),
      .watched_o      (m_watched_o),
      .debug_chosen_i,
      .debug_write_i  (write_watchpoint_i),
      .debug_wdata_i,
      .debug_context_i(read_context_i),
      .debug_o        (read_watchpoint_o)
  );
  logic [63:0] m_result_q, m_base_q, w_base_q, m_result;
  logic [31:0] m_next_pc_q;
  logic m_stream_q;
  always_ff @(posedge clk_i) begin
    m_result_q <= x2_unit_i == isa_pkg::UNIT_MULTIPLY ? {32'd0, product} : x2_result_q;
    m_next_pc_q <= x2_next_pc_q;
    m_stream_q <= x2_stream;
    if (x2_stream) m_base_q <= x2_base;
  end
  always_comb begin
    case (m_unit_i)
      isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS, isa_pkg::UNIT_AMP: m_operand_o = m_address;
      default: m_operand_o = m_result_q[31:0];
    endcase
  end
  assign m_next_pc_o = m_next_pc_q;

  logic [31:0] fpu_result, fdivide_result, divide_result;
  logic [4:0] fpu_flags, fdivide_flags;
  fpu u_fpu (
      .clk_i,
      .rst_ni,
      .valid_i (x1_fpu_i),
      .op_i    (x1_fp_op_i),
      .fmt_i   (x1_format_i),
      .rm_i    (x1_rm_i),
      .a_i     (x1_a_i[31:0]),
      .b_i     (x1_b_i[31:0]),
      .c_i     (x1_c_i),
      .result_o(fpu_result),
      .flags_o (fpu_flags)
  );
  fp_divsqrt u_fp_divsqrt (
      .clk_i,
      .rst_ni,
      .valid_i (x1_fdivide_i),
      .start_i (x1_first_i),
      .last_i  (x1_last_i),
      .op_i    (x1_fp_op_i),
      .fmt_i   (x1_format_i),
      .rm_i    (x1_rm_i),
      .a_i     (x1_a_i[31:0]),
      .b_i     (x1_b_i[31:0]),
      .result_o(fdivide_result),
      .flags_o (fdivide_flags)
  );
  int_divide u_int_divide (
      .clk_i,
      .rst_ni,
      .valid_i (x1_divide_i),
      .start_i (x1_first_i),
      .last_i  (x1_last_i),
      .op_i    (divide_op(x1_id_i)),
      .a_i     (x1_a_i[31:0]),
      .b_i     (x1_b_i[31:0]),
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
    m_flags_o = 5'd0;
    case (m_unit_i)
      isa_pkg::UNIT_DIVIDE: m_result = {32'd0, divide_result};
      isa_pkg::UNIT_CSR: m_result = {32'd0, m_csr_i};
      isa_pkg::UNIT_FMA, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT, isa_pkg::UNIT_FDIVIDE: begin
        m_flags_o = m_unit_i == isa_pkg::UNIT_FDIVIDE ? fdivide_flags : fpu_flags;
        m_result[31:0] = m_unit_i == isa_pkg::UNIT_FDIVIDE ? fdivide_result : fpu_result;
        m_result[63:32] = m_writes_x_i ? 32'd0 : 32'hffff_ffff;
        if (m_f16_i & !m_writes_x_i) m_result[31:16] = 16'hffff;
      end
      isa_pkg::UNIT_PACKED, isa_pkg::UNIT_SPECIAL, isa_pkg::UNIT_AMP: begin
        m_result = m_arithmetic_i;
        m_flags_o = m_arithmetic_flags_i;
      end
      default: ;
    endcase
  end
  assign m_result_o = m_result[31:0];

  // W.
  always_ff @(posedge clk_i) begin
    w_result_q <= m_result;
    if (m_stream_q) w_base_q <= m_base_q;
  end
  assign w_base_o = w_base_q;
  assign w_result_o = w_unit_i == isa_pkg::UNIT_LOAD || w_unit_i == isa_pkg::UNIT_STREAM ? w_load : w_result_q;
endmodule
