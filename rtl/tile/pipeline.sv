// What every instruction carries from D to W beside its operands: identity (context, pc, word) and control. squash_i (an exception in M)
// empties all stages before W.
module pipeline (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    squash_i,
  input  stage_pkg::issued_t      d_i,
  input  isa_pkg::control_t       d_control_i,
  output stage_pkg::instruction_t x1_o,
  input  logic                    x1_illegal_i,  // joins here
  input  logic                    x1_last_i,     // last pass: earlier ones end in X1
  output stage_pkg::instruction_t x2_o,
  output stage_pkg::instruction_t m_o,
  input  logic                    m_retires_i,   // the instruction in M ends here, with or without an exception
  output stage_pkg::instruction_t w_o
);
  stage_pkg::instruction_t d, x1_q, x2_q, m_q, w_q;
  always_comb begin
    d = '0;
    d.pc = d_i.pc;
    d.word = d_i.word;
    d.fetch_fault = d_i.fetch_fault;
    d.context_id = d_i.context_id;
    d.active = d_i.active;
    d.id = d_control_i.id;
    d.unit = d_control_i.unit;
    d.writes_x = d_control_i.writes_x;
    d.writes_f = d_control_i.writes_f;
    d.writes_pair = d_control_i.writes_pair;
    d.updates_x = d_control_i.updates_x;
    d.updates_f = d_control_i.updates_f;
    d.redirects = d_control_i.redirects;
  end
  always_ff @(posedge clk_i) begin
    x1_q <= d;
    x1_q.valid <= rst_ni & d_i.valid & !squash_i;
    x2_q <= x1_q;
    x2_q.illegal <= x1_illegal_i;
    x2_q.valid <= rst_ni & x1_q.valid & x1_last_i & !squash_i;
    m_q <= x2_q;
    m_q.valid <= rst_ni & x2_q.valid & !squash_i;
    w_q <= m_q;
    w_q.valid <= rst_ni & m_retires_i;
  end
  assign x1_o = x1_q;
  assign x2_o = x2_q;
  assign m_o  = m_q;
  assign w_o  = w_q;

  // Of decoding alone.
  logic unused;
  assign unused = ^d_control_i;

`ifndef SYNTHESIS
  logic squash_q, m_q_valid_q;
  always_ff @(posedge clk_i) begin
    squash_q <= squash_i;
    m_q_valid_q <= m_q.valid;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      squash_empties_the_stages : assert (!squash_q || !(x1_q.valid || x2_q.valid || m_q.valid));
      nothing_retires_that_was_not_there : assert (!w_q.valid || m_q_valid_q);
      contexts_are_seven : assert (x1_q.context_id != 3'd7 && x2_q.context_id != 3'd7 && m_q.context_id != 3'd7);
      a_worker_is_in_one_stage : assert (!(x1_q.valid && x1_q.context_id != 3'd0)
                                         || !(x2_q.valid && x2_q.context_id == x1_q.context_id || m_q.valid && m_q.context_id == x1_q.context_id));
      one_register_file_is_written : assert (!w_q.valid || !(w_q.writes_x && w_q.writes_f));
    end
  end
`endif
endmodule
