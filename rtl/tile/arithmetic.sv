// The Xipu arithmetic of the workers: packed operations, special functions, the matrix engine and random numbers, with
// what each worker keeps for them (docs/reference/arithmetic.md). Operands in X1, results in M, stream latches and weights
// in W. A unit without work stands still.
module arithmetic (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [2:0]              reset_context_i,  // tile.md, Reset
  input  logic                    test_en_i,        // clocks of units run always
  input  stage_pkg::wake_t        d_wake_i,
  // X1.
  input  stage_pkg::instruction_t x1_i,
  input  stage_pkg::work_t        x1_work_i,
  input  stage_pkg::operands_t    x1_operands_i,
  input  logic [2:0]              x1_control_i,   // xfpctl[5:3]
  output stage_pkg::latches_t     x1_latches_o,
  // M.
  input  logic [4:0]              m_unit_i,
  input  logic                    m_commits_i,
  output logic [63:0]             m_result_o,
  output logic [4:0]              m_flags_o,
  // W.
  input  stage_pkg::instruction_t w_i,
  input  logic                    w_done_i,       // it retires without exception
  input  logic [63:0]             w_result_i,
  input  logic [63:0]             w_rdata_i,      // of the first and second read
  input  logic [63:0]             w_rdata1_i,
  input  logic [5:0]              w_launch_i,
  output logic                    idle_o,
  input  stage_pkg::csr_read_t    csr_read_i,
  output logic [31:0]             csr_rdata_o,
  input  stage_pkg::csr_write_t   csr_write_i,
  // Debugger: accumulators, weights, latches (space 5), when the tile waits.
  input  stage_pkg::vector_read_t vector_read_i,
  output logic [31:0]             vector_rdata_o,
  input  stage_pkg::debug_write_t debug_write_i
);
  // Writes of CSRs and of the debugger come one cycle after they were asked for, so that nothing here hangs on the tile's
  // inputs; nobody looks before.
  stage_pkg::csr_write_t csr_write_q;
  logic debug_write_q;
  logic [2:0] debug_context_q;
  logic [6:0] debug_address_q;
  logic [31:0] debug_data_q;
  always_ff @(posedge clk_i) begin
    if (csr_write_i.valid) csr_write_q <= csr_write_i;
    csr_write_q.valid <= rst_ni & csr_write_i.valid;
    debug_write_q <= rst_ni & debug_write_i.vectors;
    if (debug_write_i.vectors) begin
      debug_context_q <= debug_write_i.context_id;
      debug_address_q <= debug_write_i.address[6:0];
      debug_data_q <= debug_write_i.data;
    end
  end
  logic w_amp, w_paced, advance;
  logic stochastic, step, paced;
  logic [1:0] half_overflow;
  logic [31:0] tas;
  logic [13:0] f8;
  assign stochastic = x1_control_i[0];
  assign half_overflow = x1_control_i[2:1];
  assign step = x1_i.word[14:13] == 2'b10;  // of an Amp instruction: of the matrix engine, in either form
  assign paced = step & x1_i.word[12];

  logic [31:0] state_rdata, random_rdata;
  arithmetic_csr u_csr (
      .clk_i,
      .rst_ni,
      .reset_context_i,
      .use_i          (x1_work_i.lanes | x1_work_i.amp | x1_work_i.stream),
      .context_i      (x1_i.context_id),
      .tas_o          (tas),
      .strides_o      (x1_latches_o.strides),
      .f8_o           (f8),
      .read_i         (csr_read_i.valid),
      .read_context_i (csr_read_i.context_id),
      .read_number_i  (csr_read_i.number),
      .rdata_o        (state_rdata),
      .write_i        (csr_write_q.valid),
      .write_context_i(csr_write_q.context_id),
      .write_number_i (csr_write_q.number),
      .wdata_i        (csr_write_q.data),
      .launch_i       (w_launch_i)
  );

  // Random numbers: which instructions draw (arithmetic.md, Random numbers).
  logic draws;
  logic [2:0] later_draws_q;  // in W, M, X2
  always_comb begin
    draws = 1'b0;
    if (x1_work_i.random) draws = 1'b1;
    else if (x1_work_i.lanes | x1_work_i.special | x1_work_i.amp) begin
      case (x1_i.id)
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
      .rst_ni,
      .reset_context_i,
      .draw_i           (draws),
      .context_i        (x1_i.context_id),
      .random_o         (random),
      .advance_i        (advance),
      .advance_context_i(w_i.context_id),
      .read_i           (csr_read_i.valid),
      .read_context_i   (csr_read_i.context_id),
      .read_number_i    (csr_read_i.number),
      .rdata_o          (random_rdata),
      .write_i          (csr_write_q.valid),
      .write_context_i  (csr_write_q.context_id),
      .write_number_i   (csr_write_q.number),
      .wdata_i          (csr_write_q.data)
  );
  assign csr_rdata_o = state_rdata | random_rdata;

  random_draw u_draw (
      .valid_i (x1_work_i.random),
      .id_i    (x1_i.id),
      .random_i(random),
      .a_i     (x1_operands_i.a),
      .keep_i  (x1_operands_i.b[16:0]),
      .result_o(x1_latches_o.drawn)
  );

  // Stream latches. A debug access is of a worker's accumulators below the latches, of latches up to the repeat; of weights in context 0.
  logic [63:0] latch_x, latch_p;
  logic [31:0] latch_rdata, engine_rdata;
  logic read_latch, write_latch, read_engine, write_engine;
  assign w_amp = w_done_i && w_i.unit == isa_pkg::UNIT_AMP;
  assign w_paced = w_amp && w_i.word[14:12] == 3'd5;
  assign read_latch = vector_read_i.valid && vector_read_i.context_id != 3'd0 && vector_read_i.address >= words_pkg::VECTOR_LATCH_X && vector_read_i.address < words_pkg::VECTOR_REPEAT_FIRST;
  assign write_latch = debug_write_q && debug_context_q != 3'd0 && debug_address_q >= words_pkg::VECTOR_LATCH_X && debug_address_q < words_pkg::VECTOR_REPEAT_FIRST;
  assign read_engine = vector_read_i.valid && (vector_read_i.context_id == 3'd0 || vector_read_i.address < words_pkg::VECTOR_LATCH_X);
  assign write_engine = debug_write_q && (debug_context_q == 3'd0 || debug_address_q < words_pkg::VECTOR_LATCH_X);
  stream_latches u_latches (
      .clk_i,
      .rst_ni,
      .reset_context_i,
      .read_i          (x1_work_i.amp & paced),
      .read_context_i  (x1_i.context_id),
      .x_o             (latch_x),
      .p_o             (latch_p),
      .r_o             (x1_latches_o.partial),
      .clear_i         (w_amp && w_i.id == isa_pkg::ZACC),
      .step_i          (w_paced),
      .load_x_i        (w_paced & w_i.word[22]),
      .load_p_i        (w_paced & w_i.word[23]),
      .write_context_i (w_i.context_id),
      .x_i             (w_rdata_i),
      .p_i             (w_rdata1_i),
      .r_i             (w_result_i),
      .debug_read_i    (read_latch),
      .debug_write_i   (write_latch),
      .debug_rcontext_i(vector_read_i.context_id),
      .debug_rnumber_i (vector_read_i.address[2:0]),
      .debug_wcontext_i(debug_context_q),
      .debug_wnumber_i (debug_address_q[2:0]),
      .debug_wdata_i   (debug_data_q),
      .debug_rdata_o   (latch_rdata)
  );

  // The units.
  logic [63:0] vector_result, special_result, engine_result;
  logic [4:0] vector_flags, special_flags, engine_flags;
  vector_unit u_vector (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .wake_i         (d_wake_i.lanes),
      .valid_i        (x1_work_i.lanes),
      .id_i           (x1_i.id),
      .rm_i           (x1_work_i.rm),
      .a_i            (x1_operands_i.a),
      .b_i            (x1_operands_i.b),
      .c_i            (x1_operands_i.c),
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
      .test_en_i,
      .wake_i  (d_wake_i.special),
      .valid_i (x1_work_i.special),
      .start_i (x1_work_i.first),
      .last_i  (x1_work_i.last),
      .id_i    (x1_i.id),
      .a_i     (x1_operands_i.a),
      .random_i(random),
      .result_o(special_result),
      .flags_o (special_flags)
  );

  logic w_weights, w_wide;
  assign w_weights = w_done_i && w_i.unit == isa_pkg::UNIT_WEIGHTS;
  assign w_wide = w_i.id == isa_pkg::LD128PUTCS;
  amp u_amp (
      .clk_i,
      .rst_ni,
      .test_en_i,
      .wake_i         (d_wake_i.amp | debug_write_i.vectors),
      .valid_i        (x1_work_i.amp),
      .context_i      (x1_i.context_id),
      .id_i           (x1_i.id),
      .step_i         (step),
      .number_i       (step ? {2'd0, x1_i.word[27:25]} : x1_i.word[24:20]),
      .a_i            (paced ? latch_x : x1_operands_i.a),
      .b_i            (paced ? latch_p : x1_operands_i.b),
      .tas_i          (tas),
      .random_i       (random),
      .stochastic_i   (stochastic),
      .half_overflow_i(half_overflow),
      .f8_i           (f8),
      .commit_i       (m_commits_i),
      .result_o       (engine_result),
      .flags_o        (engine_flags),
      .cw_write_i     (w_weights),
      .cw_wide_i      (w_wide),
      .cw_index_i     (w_wide ? {w_i.word[24:20], 1'b0} : w_i.word[25:20]),
      .cw_data_i      ({w_rdata1_i, w_rdata_i}),
      .idle_o,
      .debug_read_i   (read_engine),
      .debug_write_i  (write_engine),
      .debug_weights_i((debug_write_q ? debug_context_q : vector_read_i.context_id) == 3'd0),
      .debug_context_i(debug_write_q ? debug_context_q : vector_read_i.context_id),
      .debug_address_i(debug_write_q ? debug_address_q : vector_read_i.address),
      .debug_wdata_i  (debug_data_q),
      .debug_rdata_o  (engine_rdata)
  );
  assign vector_rdata_o = engine_rdata | latch_rdata;

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

  // Fields of other formats, and what others need of all this.
  logic unused;
  assign unused = ^{d_wake_i, x1_i, x1_work_i, x1_operands_i, w_i, debug_write_i};
endmodule
