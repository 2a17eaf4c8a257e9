// What every instruction carries from D to W beside its operands: identity (context, pc, word) and control. Each stage
// keeps of the control what the later ones use. squash_i (an exception in M) empties all stages before W.
module pipeline (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        squash_i,
    input  logic        d_valid_i,
    input  logic        d_last_i,         // last pass: earlier ones end in X1
    input  logic [ 2:0] d_context_i,
    input  logic [31:0] d_pc_i,
    input  logic [31:0] d_word_i,
    input  logic        d_fetch_fault_i,
    input  logic [ 5:0] d_active_i,
    input  logic [8:0] d_id_i,
    input  logic [4:0] d_unit_i,
    input  logic        d_writes_x_i,     // an integer register
    input  logic        d_writes_f_i,     // a float register
    input  logic        d_writes_pair_i,  // float rd + 1 as well
    input  logic        d_updates_x_i,    // rs1 is written, an integer or a float register
    input  logic        d_updates_f_i,
    input  logic        d_redirects_i,
    output logic        x1_valid_o,
    output logic [ 2:0] x1_context_o,
    output logic [31:0] x1_pc_o,
    output logic [31:0] x1_word_o,
    output logic [8:0] x1_id_o,
    output logic [4:0] x1_unit_o,
    input  logic        x1_illegal_i,     // joins here
    output logic        x2_valid_o,
    output logic [ 2:0] x2_context_o,
    output logic [31:0] x2_pc_o,
    output logic        x2_illegal_o,
    output logic [8:0] x2_id_o,
    output logic [4:0] x2_unit_o,
    output logic        m_valid_o,
    output logic [ 2:0] m_context_o,
    output logic [31:0] m_pc_o,
    output logic [31:0] m_word_o,
    output logic        m_fetch_fault_o,
    output logic        m_illegal_o,
    output logic [ 5:0] m_active_o,
    output logic [8:0] m_id_o,
    output logic [4:0] m_unit_o,
    output logic        m_writes_x_o,
    output logic        m_redirects_o,
    input  logic        m_retire_i,       // the instruction in M ends here, with or without an exception
    output logic        w_valid_o,
    output logic [ 2:0] w_context_o,
    output logic [31:0] w_pc_o,
    output logic [31:0] w_word_o,
    output logic [8:0] w_id_o,
    output logic [4:0] w_unit_o,
    output logic        w_writes_x_o,
    output logic        w_writes_f_o,
    output logic        w_writes_pair_o,
    output logic        w_updates_x_o,
    output logic        w_updates_f_o
);
  typedef struct packed {
    logic [8:0] id;
    logic [4:0] unit;
    logic [2:0] context_id;
    logic writes_x;
    logic writes_f;
    logic writes_pair;
    logic updates_x;
    logic updates_f;
    logic redirects;
    logic fetch_fault;
    logic illegal;
    logic [5:0] active;
  } carried_t;

  carried_t d, x1_q, x1, x2_q, m_q;
  logic [21:0] w_q;  // id, unit, context, registers written
  logic [31:0] x1_pc_q, x2_pc_q, m_pc_q, w_pc_q;
  logic [31:0] x1_word_q, x2_word_q, m_word_q, w_word_q;
  logic x1_valid_q, x1_last_q, x2_valid_q, m_valid_q, w_valid_q;

  always_comb begin
    d.id = d_id_i;
    d.unit = d_unit_i;
    d.context_id = d_context_i;
    d.writes_x = d_writes_x_i;
    d.writes_f = d_writes_f_i;
    d.writes_pair = d_writes_pair_i;
    d.updates_x = d_updates_x_i;
    d.updates_f = d_updates_f_i;
    d.redirects = d_redirects_i;
    d.fetch_fault = d_fetch_fault_i;
    d.illegal = 1'b0;
    d.active = d_active_i;
    x1 = x1_q;
    x1.illegal = x1_illegal_i;
  end

  always_ff @(posedge clk_i) begin
    x1_q <= d;
    x1_pc_q <= d_pc_i;
    x1_word_q <= d_word_i;
    x1_last_q <= d_last_i;
    x2_q <= x1;
    x2_pc_q <= x1_pc_q;
    x2_word_q <= x1_word_q;
    m_q <= x2_q;
    m_pc_q <= x2_pc_q;
    m_word_q <= x2_word_q;
    w_q <= {
      m_q.id, m_q.unit, m_q.context_id, m_q.writes_x, m_q.writes_f, m_q.writes_pair, m_q.updates_x, m_q.updates_f
    };
    w_pc_q <= m_pc_q;
    w_word_q <= m_word_q;
    if (!rst_ni) begin
      x1_valid_q <= 1'b0;
      x2_valid_q <= 1'b0;
      m_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
    end else begin
      x1_valid_q <= d_valid_i & !squash_i;
      x2_valid_q <= x1_valid_q & x1_last_q & !squash_i;
      m_valid_q <= x2_valid_q & !squash_i;
      w_valid_q <= m_retire_i;
    end
  end

  assign x1_valid_o = x1_valid_q;
  assign x1_context_o = x1_q.context_id;
  assign x1_pc_o = x1_pc_q;
  assign x1_word_o = x1_word_q;
  assign x1_id_o = x1_q.id;
  assign x1_unit_o = x1_q.unit;
  assign x2_valid_o = x2_valid_q;
  assign x2_context_o = x2_q.context_id;
  assign x2_pc_o = x2_pc_q;
  assign x2_illegal_o = x2_q.illegal;
  assign x2_id_o = x2_q.id;
  assign x2_unit_o = x2_q.unit;
  assign m_valid_o = m_valid_q;
  assign m_context_o = m_q.context_id;
  assign m_pc_o = m_pc_q;
  assign m_word_o = m_word_q;
  assign m_fetch_fault_o = m_q.fetch_fault;
  assign m_illegal_o = m_q.illegal;
  assign m_active_o = m_q.active;
  assign m_id_o = m_q.id;
  assign m_unit_o = m_q.unit;
  assign m_writes_x_o = m_q.writes_x;
  assign m_redirects_o = m_q.redirects;
  assign w_valid_o = w_valid_q;
  assign {w_id_o, w_unit_o, w_context_o, w_writes_x_o, w_writes_f_o, w_writes_pair_o, w_updates_x_o, w_updates_f_o} = w_q;
  assign w_pc_o = w_pc_q;
  assign w_word_o = w_word_q;
endmodule
