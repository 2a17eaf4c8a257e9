// Control and status registers, read and written in M (tile.md, Registers and CSRs; numbers: rtl/spec/csrs.def).
// Also kept here: what other events change of them (float flags, exits, launches, acknowledgements, packet words).
module csr (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [2:0]              reset_context_i, // whose entries of arrays are made zero in reset
  // M: a CSR instruction, or another that changes a register here.
  input  stage_pkg::instruction_t m_i,
  input  logic                    csr_i,           // M holds a legal CSR instruction
  input  logic                    commit_i,        // it (or whatever M holds) takes effect
  input  logic [31:0]             operand_i,       // rs1
  output logic                    illegal_o,
  output logic [31:0]             rdata_o,         // also of a debug read
  // What registers say to the rest.
  input  logic [2:0]              d_context_i,
  output logic [2:0]              d_frm_o,
  input  logic [2:0]              x1_context_i,
  output logic [2:0]              x1_control_o,    // xfpctl[5:3] of that context
  output logic [2:0]              traps_o,         // of the context in M
  output logic [31:0]             stack_limit_o,   // of the context in M
  output logic                    count_zero_o,
  // Registers kept elsewhere: reads and writes of any register, the value of those that are not known here.
  output stage_pkg::csr_read_t    read_o,
  input  logic [31:0]             rdata_i,
  output stage_pkg::csr_write_t   write_o,
  // Events in M.
  input  logic                    exit_i,          // committed, with the value operand_i != 0
  input  logic [5:0]              launch_i,        // committed, by operand_i, vertex base and stride
  input  logic [31:0]             vertex_base_i,
  input  logic [31:0]             stride_i,
  // W.
  input  logic [2:0]              w_context_i,
  input  logic [4:0]              w_flags_i,       // committed
  // Events outside.
  input  logic                    acknowledged_i,
  input  logic                    consensus_i,
  input  logic                    host_i,          // the acknowledgement is that of a host sync
  input  logic [15:0]             mark_i,
  input  logic                    packet_word_i,   // counts
  input  logic [63:0]             cycle_i,         // of M
  input  logic [10:0]             tile_id_i,
  input  stage_pkg::debug_read_t  debug_read_i,    // when the tile waits
  input  stage_pkg::debug_write_t debug_write_i
);
  // By context.
  logic [39:0] fflags_q;
  logic [23:0] frm_q;
  logic [47:0] control_q;             // xfpctl
  logic [7:0] limited_q;              // a stack limit is set; else it reads 0
  logic [31:0] stack_limit_q[0:7];
  logic [31:0] vertex_base_q[0:7];
  // Of the tile.
  logic [2:0] initial_frm_q;
  logic [5:0] initial_control_q;
  logic consensus_q, global_consensus_q;
  logic [15:0] count_q, mark_q;

  logic [31:0] stack_limit;
  assign d_frm_o = frm_q[3*d_context_i+:3];
  assign traps_o = control_q[6*m_i.context_id+:3];
  assign x1_control_o = control_q[6*x1_context_i+3+:3];
  assign stack_limit_o = limited_q[m_i.context_id] ? stack_limit_q[m_i.context_id] : 32'd0;
  assign count_zero_o = count_q == 16'd0;

  logic [2:0] context_r;
  logic [11:0] number_r;
  logic [63:0] issue_cycle;
  assign context_r = debug_read_i.csr ? debug_read_i.context_id : m_i.context_id;
  assign number_r = debug_read_i.csr ? debug_read_i.address[11:0] : m_i.word[31:20];
  always_comb begin
    issue_cycle = 64'd0;
    stack_limit = 32'd0;
    rdata_o = 32'd0;
    if (csr_i | debug_read_i.csr) begin
      issue_cycle = debug_read_i.csr ? cycle_i - 64'd1 : cycle_i - 64'd4;
      stack_limit = limited_q[context_r] ? stack_limit_q[context_r] : 32'd0;
      case (number_r)
        isa_pkg::CSR_FFLAGS: rdata_o = {27'd0, fflags_q[5*context_r+:5]};
        isa_pkg::CSR_FRM: rdata_o = {29'd0, frm_q[3*context_r+:3]};
        isa_pkg::CSR_FCSR: rdata_o = {24'd0, frm_q[3*context_r+:3], fflags_q[5*context_r+:5]};
        isa_pkg::CSR_XSTACKLIMIT: rdata_o = stack_limit;
        isa_pkg::CSR_XFPCTL: rdata_o = {26'd0, control_q[6*context_r+:6]};
        isa_pkg::CSR_XFPICTL: rdata_o = {13'd0, initial_frm_q, 10'd0, initial_control_q};
        isa_pkg::CSR_XLC: rdata_o = {31'd0, consensus_q};
        isa_pkg::CSR_XCOUNT: rdata_o = {16'd0, count_q};
        isa_pkg::CSR_CYCLE: rdata_o = issue_cycle[31:0];
        isa_pkg::CSR_CYCLEH: rdata_o = issue_cycle[63:32];
        isa_pkg::CSR_XTILE: rdata_o = {21'd0, tile_id_i};
        isa_pkg::CSR_XWID: rdata_o = context_r == 3'd0 ? 32'd6 : {29'd0, context_r - 3'd1};
        isa_pkg::CSR_XVBASE: rdata_o = vertex_base_q[context_r];
        isa_pkg::CSR_XGC: rdata_o = {31'd0, global_consensus_q};
        isa_pkg::CSR_XMARK: rdata_o = {16'd0, mark_q};
        default: rdata_o = rdata_i;
      endcase
    end
  end

  logic exists, by_supervisor, by_worker, writable, modifies;
  logic [31:0] operand, value;
  always_comb begin
    {exists, by_supervisor, by_worker, writable} = 4'd0;
    modifies = 1'b0;
    operand = operand_i;
    value = 32'd0;
    illegal_o = 1'b0;
    if (csr_i) begin
      {exists, by_supervisor, by_worker, writable} = isa_pkg::csr_access(m_i.word[31:20]);
      modifies = m_i.word[19:15] != 5'd0;
      case (m_i.id)
        isa_pkg::CSRRW, isa_pkg::CSRRS, isa_pkg::CSRRC: operand = operand_i;
        default: operand = {27'd0, m_i.word[19:15]};
      endcase
      case (m_i.id)
        isa_pkg::CSRRW, isa_pkg::CSRRWI: begin
          modifies = 1'b1;
          value = operand;
        end
        isa_pkg::CSRRS, isa_pkg::CSRRSI: value = rdata_o | operand;
        default: value = rdata_o & ~operand;
      endcase
      illegal_o = !exists | !(m_i.context_id == 3'd0 ? by_supervisor : by_worker) | (modifies & !writable);
    end
  end

  logic write;
  logic [2:0] context_w;
  logic [11:0] number_w;
  logic [31:0] value_w;
  assign write = (commit_i & csr_i & modifies) | debug_write_i.csr;
  assign context_w = debug_write_i.csr ? debug_write_i.context_id : m_i.context_id;
  assign number_w = debug_write_i.csr ? debug_write_i.address[11:0] : m_i.word[31:20];
  assign value_w = debug_write_i.csr ? debug_write_i.data : value;

  always_ff @(posedge clk_i) begin
    if (packet_word_i && count_q != 16'd0) count_q <= count_q - 16'd1;
    if (w_flags_i != 5'd0) fflags_q[5*w_context_i+:5] <= fflags_q[5*w_context_i+:5] | w_flags_i;
    if (exit_i && operand_i == 32'd0) consensus_q <= 1'b0;
    if (launch_i != 6'd0) begin
      for (int w = 0; w < 6; w++) begin
        if (launch_i[w]) begin
          fflags_q[5*(w+1)+:5] <= 5'd0;
          frm_q[3*(w+1)+:3] <= initial_frm_q;
          control_q[6*(w+1)+:6] <= initial_control_q;
          limited_q[w+1] <= 1'b0;
          vertex_base_q[w+1] <= vertex_base_i + stride_i * w;
        end
      end
    end
    if (acknowledged_i) begin
      global_consensus_q <= consensus_i;
      if (host_i) mark_q <= mark_i;
    end
    if (write) begin
      case (number_w)
        isa_pkg::CSR_FFLAGS: fflags_q[5*context_w+:5] <= value_w[4:0];
        isa_pkg::CSR_FRM: frm_q[3*context_w+:3] <= value_w[2:0];
        isa_pkg::CSR_FCSR: begin
          fflags_q[5*context_w+:5] <= value_w[4:0];
          frm_q[3*context_w+:3] <= value_w[7:5];
        end
        isa_pkg::CSR_XSTACKLIMIT: limited_q[context_w] <= 1'b1;
        isa_pkg::CSR_XFPCTL: control_q[6*context_w+:6] <= value_w[5:0];
        isa_pkg::CSR_XFPICTL: begin
          initial_control_q <= value_w[5:0];
          initial_frm_q <= value_w[18:16];
        end
        isa_pkg::CSR_XLC: consensus_q <= value_w[0];
        isa_pkg::CSR_XCOUNT: count_q <= value_w[15:0];
        default: ;
      endcase
    end
    if (!rst_ni) begin
      vertex_base_q[reset_context_i] <= 32'd0;
      fflags_q <= 40'd0;
      frm_q <= 24'd0;
      control_q <= 48'd0;
      limited_q <= 8'd0;
      initial_control_q <= 6'd0;
      initial_frm_q <= 3'd0;
      consensus_q <= 1'b0;
      global_consensus_q <= 1'b0;
      count_q <= 16'd0;
      mark_q <= 16'd0;
    end
    if (!rst_ni || (write && number_w == isa_pkg::CSR_XSTACKLIMIT))
      stack_limit_q[rst_ni ? context_w : reset_context_i] <= rst_ni ? value_w : 32'd0;
  end

  assign read_o.valid       = csr_i | debug_read_i.csr;
  assign read_o.context_id  = context_r;
  assign read_o.number      = number_r;
  assign write_o.valid      = write;
  assign write_o.context_id = context_w;
  assign write_o.number     = number_w;
  assign write_o.data       = value_w;

  // What others need of all this.
  logic unused;
  assign unused = ^{m_i, debug_read_i, debug_write_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      flags_are_in_before_they_are_asked_for : assert (w_flags_i == 5'd0 || !(csr_i && m_i.context_id == w_context_i || debug_read_i.csr || write && context_w == w_context_i));
      an_illegal_access_writes_nothing : assert (!(csr_i && illegal_o && commit_i));
    end
  end
`endif
endmodule
