// The Xipu arithmetic of the workers: packed operations, special functions, the matrix engine and random numbers, with
// what each worker keeps for them (docs/reference/arithmetic.md). Operands in X1, results in M, stream latches and weights
// in W. A unit without work stands still.
module arithmetic (
    input  logic        clk_i,
    input  logic        rst_ni,
    // X1.
    input  logic        x1_packed_i,        // work of the unit, one at most
    input  logic        x1_special_i,
    input  logic        x1_amp_i,
    input  logic        x1_random_i,
    input  logic        x1_stream_i,        // addresses with strides
    input  logic [ 2:0] x1_context_i,
    input  logic [ 8:0] x1_id_i,
    input  logic [31:0] x1_word_i,
    input  logic        x1_first_i,         // which pass
    input  logic        x1_last_i,
    input  logic [ 2:0] x1_rm_i,
    input  logic [ 2:0] x1_control_i,       // xfpctl[5:3]
    input  logic [63:0] x1_a_i,
    input  logic [63:0] x1_b_i,
    input  logic [63:0] x1_c_i,
    output logic [63:0] x1_random_o,        // result of unit Random
    output logic [63:0] x1_partial_o,       // latch R, which a paced step stores
    output logic [53:0] x1_strides_o,
    // M.
    input  logic [ 4:0] m_unit_i,
    input  logic        m_commit_i,
    output logic [63:0] m_result_o,
    output logic [ 4:0] m_flags_o,
    // W.
    input  logic        w_done_i,           // an instruction retires without exception
    input  logic [ 2:0] w_context_i,
    input  logic [ 8:0] w_id_i,
    input  logic [ 4:0] w_unit_i,
    input  logic [31:0] w_word_i,
    input  logic [63:0] w_result_i,
    input  logic [63:0] w_rdata_i,          // of the first and second read
    input  logic [63:0] w_rdata1_i,
    output logic        idle_o,
    // CSRs.
    input  logic [ 5:0] launch_i,           // in W
    input  logic        csr_read_i,
    input  logic [ 2:0] csr_rcontext_i,
    input  logic [11:0] csr_rnumber_i,
    output logic [31:0] csr_rdata_o,
    input  logic        csr_write_i,
    input  logic [ 2:0] csr_wcontext_i,
    input  logic [11:0] csr_wnumber_i,
    input  logic [31:0] csr_wdata_i,
    // Debugger: accumulators, weights, latches (space 5), when the tile waits.
    input  logic        debug_read_i,
    input  logic [ 2:0] debug_rcontext_i,
    input  logic [ 6:0] debug_raddress_i,
    output logic [31:0] debug_rdata_o,
    input  logic        debug_write_i,
    input  logic [ 2:0] debug_wcontext_i,
    input  logic [ 6:0] debug_waddress_i,
    input  logic [31:0] debug_wdata_i
);
  // Writes of CSRs and of the debugger come one cycle after they were asked for, so that nothing here hangs on the tile's
  // inputs; nobody looks before.
  logic csr_write_q, debug_write_q;
  logic [2:0] csr_wcontext_q, debug_wcontext_q;
  logic [11:0] csr_wnumber_q;
  logic [6:0] debug_waddress_q;
  logic [31:0] csr_wdata_q, debug_wdata_q;
  always_ff @(posedge clk_i) begin
    csr_write_q <= rst_ni & csr_write_i;
    debug_write_q <= rst_ni & debug_write_i;
    if (csr_write_i) begin
      csr_wcontext_q <= csr_wcontext_i;
      csr_wnumber_q <= csr_wnumber_i;
      csr_wdata_q <= csr_wdata_i;
    end
    if (debug_write_i) begin
      debug_wcontext_q <= debug_wcontext_i;
      debug_waddress_q <= debug_waddress_i;
      debug_wdata_q <= debug_wdata_i;
    end
  end
  logic w_amp, w_paced, advance;
  logic stochastic, step, paced;
  logic [1:0] half_overflow;
  logic [31:0] tas;
  logic [13:0] f8;
  assign stochastic = x1_control_i[0];
  assign half_overflow = x1_control_i[2:1];
  assign step = x1_word_i[14:13] == 2'b10;  // of an Amp instruction: of the matrix engine, in either form
  assign paced = step & x1_word_i[12];

  logic [31:0] state_rdata, random_rdata;
  arithmetic_csr u_csr (
      .clk_i,
      .rst_ni,
      .use_i          (x1_packed_i | x1_amp_i | x1_stream_i),
      .context_i      (x1_context_i),
      .tas_o          (tas),
      .strides_o      (x1_strides_o),
      .f8_o           (f8),
      .read_i         (csr_read_i),
      .read_context_i (csr_rcontext_i),
      .read_number_i  (csr_rnumber_i),
      .rdata_o        (state_rdata),
      .write_i        (csr_write_q),
      .write_context_i(csr_wcontext_q),
      .write_number_i (csr_wnumber_q),
      .wdata_i        (csr_wdata_q),
      .launch_i
  );

  // Random numbers: which instructions draw (arithmetic.md, Random numbers).
  logic draws;
  logic [2:0] later_draws_q;  // in W, M, X2
  always_comb begin
    draws = 1'b0;
    if (x1_random_i) draws = 1'b1;
    else if (x1_packed_i | x1_special_i | x1_amp_i) begin
      case (x1_id_i)
        isa_pkg::F32V2GRAND, isa_pkg::F16V2GRAND: draws = 1'b1;
        isa_pkg::F32V2TOF16, isa_pkg::F32V4TOF16, isa_pkg::F16V2GINA, isa_pkg::F16V4GINA, isa_pkg::F16V4HIHOV4AMP,
        isa_pkg::F8V8HIHOV4AMP, isa_pkg::F16V4SIHOAMP, isa_pkg::F16V4HIHOV4SLIC, isa_pkg::F8V8HIHOV4SLIC,
        isa_pkg::F16V4HIHOV4AMPPACE, isa_pkg::F8V8HIHOV4AMPPACE, isa_pkg::F16V4HIHOV4SLICPACE,
        isa_pkg::F8V8HIHOV4SLICPACE:
        draws = stochastic;
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    later_draws_q <= {later_draws_q[1:0], draws};
  end
  assign advance = later_draws_q[2] & w_done_i;

  logic [63:0] random;
  prng u_prng (
      .clk_i,
      .draw_i           (draws),
      .context_i        (x1_context_i),
      .random_o         (random),
      .advance_i        (advance),
      .advance_context_i(w_context_i),
      .read_i           (csr_read_i),
      .read_context_i   (csr_rcontext_i),
      .read_number_i    (csr_rnumber_i),
      .rdata_o          (random_rdata),
      .write_i          (csr_write_q),
      .write_context_i  (csr_wcontext_q),
      .write_number_i   (csr_wnumber_q),
      .wdata_i          (csr_wdata_q)
  );
  assign csr_rdata_o = state_rdata | random_rdata;

  random_draw u_draw (
      .valid_i (x1_random_i),
      .id_i    (x1_id_i),
      .random_i(random),
      .a_i     (x1_a_i),
      .keep_i  (x1_b_i[16:0]),
      .result_o(x1_random_o)
  );

  // Stream latches. A debug access is of a worker's accumulators below the latches, of latches up to the repeat; of weights in context 0.
  logic [63:0] latch_x, latch_p;
  logic [31:0] latch_rdata, engine_rdata;
  logic read_latch, write_latch, read_engine, write_engine;
  assign w_amp = w_done_i && w_unit_i == isa_pkg::UNIT_AMP;
  assign w_paced = w_amp && w_word_i[14:12] == 3'd5;
  assign read_latch = debug_read_i && debug_rcontext_i != 3'd0 && debug_raddress_i >= words_pkg::VECTOR_LATCH_X && debug_raddress_i < words_pkg::VECTOR_REPEAT_FIRST;
  assign write_latch = debug_write_q && debug_wcontext_q != 3'd0 && debug_waddress_q >= words_pkg::VECTOR_LATCH_X && debug_waddress_q < words_pkg::VECTOR_REPEAT_FIRST;
  assign read_engine = debug_read_i && (debug_rcontext_i == 3'd0 || debug_raddress_i < words_pkg::VECTOR_LATCH_X);
  assign write_engine = debug_write_q && (debug_wcontext_q == 3'd0 || debug_waddress_q < words_pkg::VECTOR_LATCH_X);
  stream_latches u_latches (
      .clk_i,
      .read_i          (x1_amp_i & paced),
      .read_context_i  (x1_context_i),
      .x_o             (latch_x),
      .p_o             (latch_p),
      .r_o             (x1_partial_o),
      .clear_i         (w_amp && w_id_i == isa_pkg::ZACC),
      .step_i          (w_paced),
      .load_x_i        (w_paced & w_word_i[22]),
      .load_p_i        (w_paced & w_word_i[23]),
      .write_context_i (w_context_i),
      .x_i             (w_rdata_i),
      .p_i             (w_rdata1_i),
      .r_i             (w_result_i),
      .debug_read_i    (read_latch),
      .debug_write_i   (write_latch),
      .debug_rcontext_i(debug_rcontext_i),
      .debug_rnumber_i (debug_raddress_i[2:0]),
      .debug_wcontext_i(debug_wcontext_q),
      .debug_wnumber_i (debug_waddress_q[2:0]),
      .debug_wdata_i   (debug_wdata_q),
      .debug_rdata_o   (latch_rdata)
  );

  // The units.
  logic [63:0] vector_result, special_result, engine_result;
  logic [4:0] vector_flags, special_flags, engine_flags;
  vector_unit u_vector (
      .clk_i,
      .rst_ni,
      .valid_i        (x1_packed_i),
      .id_i           (x1_id_i),
      .rm_i           (x1_rm_i),
      .a_i            (x1_a_i),
      .b_i            (x1_b_i),
      .c_i            (x1_c_i),
      .random_i       (random),
      .stochastic_i   (stochastic),
      .half_overflow_i(half_overflow),
      .f8_i           (f8),
      .result_o       (vector_result),
      .flags_o        (vector_flags)
  );
  special_unit u_special (
      .clk_i,
      .rst_ni,
      .valid_i (x1_special_i),
      .start_i (x1_first_i),
      .last_i  (x1_last_i),
      .id_i    (x1_id_i),
      .a_i     (x1_a_i),
      .random_i(random),
      .result_o(special_result),
      .flags_o (special_flags)
  );

  logic w_weights, w_wide;
  assign w_weights = w_done_i && w_unit_i == isa_pkg::UNIT_WEIGHTS;
  assign w_wide = w_id_i == isa_pkg::LD128PUTCS;
  amp u_amp (
      .clk_i,
      .rst_ni,
      .valid_i        (x1_amp_i),
      .context_i      (x1_context_i),
      .id_i           (x1_id_i),
      .number_i       (step ? {2'd0, x1_word_i[27:25]} : x1_word_i[24:20]),
      .a_i            (paced ? latch_x : x1_a_i),
      .b_i            (paced ? latch_p : x1_b_i),
      .tas_i          (tas),
      .random_i       (random),
      .stochastic_i   (stochastic),
      .half_overflow_i(half_overflow),
      .f8_i           (f8),
      .commit_i       (m_commit_i),
      .result_o       (engine_result),
      .flags_o        (engine_flags),
      .cw_write_i     (w_weights),
      .cw_wide_i      (w_wide),
      .cw_index_i     (w_wide ? {w_word_i[24:20], 1'b0} : w_word_i[25:20]),
      .cw_data_i      ({w_rdata1_i, w_rdata_i}),
      .idle_o,
      .debug_read_i   (read_engine),
      .debug_write_i  (write_engine),
      .debug_weights_i((debug_write_q ? debug_wcontext_q : debug_rcontext_i) == 3'd0),
      .debug_context_i(debug_write_q ? debug_wcontext_q : debug_rcontext_i),
      .debug_address_i(debug_write_q ? debug_waddress_q : debug_raddress_i),
      .debug_wdata_i  (debug_wdata_q),
      .debug_rdata_o  (engine_rdata)
  );
  assign debug_rdata_o = engine_rdata | latch_rdata;

  always_comb begin
    case (m_unit_i)
      isa_pkg::UNIT_PACKED: begin
        m_result_o = vector_result;
        m_flags_o = vector_flags;
      end
      isa_pkg::UNIT_SPECIAL: begin
        m_result_o = special_result;
        m_flags_o = special_flags;
      end
      default: begin
        m_result_o = engine_result;
        m_flags_o = engine_flags;
      end
    endcase
  end

  // Fields of other formats.
  logic unused;
  assign unused = &{1'b0, x1_word_i[31:28], x1_word_i[19:15], x1_word_i[11:0], w_word_i[31:26], w_word_i[19:15], w_word_i[11:0]};
endmodule
