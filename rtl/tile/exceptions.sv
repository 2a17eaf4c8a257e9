// Finds the exception of the cycle and keeps the status of the first (tile.md, Exceptions).
//
// An instruction's own exception is found in M (cause_o); a fault of the memory's parity, or of the exchange or packet ports, goes before it and
// squashes it. The tile freezes in the cycle of either (commit.sv), which is known without flags (frozen_o) or by a flag that traps (trapping_o),
// the last to be known; excepted_o from the next cycle on.
module exceptions (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // M.
  input  stage_pkg::instruction_t m_i,
  input  stage_pkg::executed_t    m_executed_i,
  input  logic                    m_clash_i,
  input  logic [31:0]             m_clash_address_i,
  input  logic                    csr_illegal_i,
  input  logic                    operand_fault_i,  // run, runall, sync, hsend
  input  logic                    config_fault_i,   // xarm
  input  logic [2:0]              traps_i,
  input  logic [31:0]             stack_limit_i,
  input  logic [63:0]             cycle_i,
  input  stage_pkg::port_faults_t port_faults_i,
  output logic [3:0]              cause_o,          // of the instruction in M: 0 none
  output logic                    frozen_o,
  output logic [2:0]              trapping_o,       // {overflow, division by zero, invalid}
  input  logic                    trapped_i,
  input  logic                    freeze_i,
  output logic                    port_fault_o,
  output logic                    excepted_o,
  input  logic                    clear_i,
  output stage_pkg::exception_t   first_o
);
  logic [3:0] unit_cause, cause;
  logic [31:0] unit_value, value;

  logic empty_body, calculates;
  assign empty_body = m_i.id == isa_pkg::RPTI ? {m_i.word[19:15], m_i.word[11:7]} == 10'd0 : m_i.word[29:20] == 10'd0;

  // Of a legal instruction, but for its flags and the stack limit.
  always_comb begin
    calculates = 1'b0;
    unit_cause = isa_pkg::CAUSE_NONE;
    unit_value = m_executed_i.operand;
    case (m_i.unit)
      isa_pkg::UNIT_LOAD, isa_pkg::UNIT_STORE, isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS, isa_pkg::UNIT_AMP: begin
        if (m_executed_i.address_fault) unit_cause = isa_pkg::CAUSE_ADDRESS;
        else if (m_clash_i) begin
          unit_cause = isa_pkg::CAUSE_CLASH;
          unit_value = m_clash_address_i;
        end else calculates = m_i.unit == isa_pkg::UNIT_AMP;
      end
      isa_pkg::UNIT_REPEAT: begin
        if (empty_body) unit_cause = isa_pkg::CAUSE_OPERAND;
        unit_value = 32'd0;
      end
      isa_pkg::UNIT_CSR: begin
        if (csr_illegal_i) unit_cause = isa_pkg::CAUSE_ILLEGAL;
        unit_value = m_i.word;
      end
      isa_pkg::UNIT_SYSTEM: begin
        case (m_i.id)
          isa_pkg::EBREAK: begin
            unit_cause = isa_pkg::CAUSE_BREAK;
            unit_value = m_i.pc;
          end
          isa_pkg::ECALL: begin
            unit_cause = isa_pkg::CAUSE_TRAP;
            unit_value = 32'd0;
          end
          isa_pkg::TRAP: begin
            unit_cause = isa_pkg::CAUSE_TRAP;
            unit_value = {{20{m_i.word[31]}}, m_i.word[31:20]};
          end
          default: begin
            if (operand_fault_i) unit_cause = isa_pkg::CAUSE_OPERAND;
            else if (config_fault_i) unit_cause = isa_pkg::CAUSE_CONFIG;
          end
        endcase
      end
      isa_pkg::UNIT_FMA, isa_pkg::UNIT_FDIVIDE, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT,
      isa_pkg::UNIT_PACKED, isa_pkg::UNIT_SPECIAL: calculates = 1'b1;
      default: ;
    endcase
  end

  logic below_limit;
  assign below_limit = m_i.writes_x && m_i.word[11:7] == 5'd2 && m_i.unit != isa_pkg::UNIT_LOAD && m_executed_i.result < stack_limit_i;

  always_comb begin
    cause = isa_pkg::CAUSE_NONE;
    value = unit_value;
    trapping_o = 3'd0;
    if (m_i.valid) begin
      cause = unit_cause;
      if (m_i.fetch_fault) begin
        cause = isa_pkg::CAUSE_PC;
        value = m_i.pc;
      end else if (m_i.illegal) begin
        cause = isa_pkg::CAUSE_ILLEGAL;
        value = m_i.word;
      end else if (unit_cause == isa_pkg::CAUSE_NONE && below_limit) begin
        cause = isa_pkg::CAUSE_STACK;
        value = m_executed_i.result;
      end
      if (calculates & !m_i.fetch_fault & !m_i.illegal) trapping_o = traps_i;
    end
  end

  // A trap goes before the stack limit, which an instruction that calculates meets when it writes sp.
  logic excepted_q;
  assign port_fault_o = (port_faults_i.parity & !excepted_q) | port_faults_i.exchange | port_faults_i.config_fault;
  assign frozen_o = cause != isa_pkg::CAUSE_NONE | port_fault_o;
  assign cause_o = trapped_i ? isa_pkg::CAUSE_FLOAT : cause;

  stage_pkg::exception_t first_q;
  always_ff @(posedge clk_i) begin
    if (freeze_i) begin
      excepted_q <= 1'b1;
      if (port_fault_o) begin
        first_q.context_id <= 3'd0;
        first_q.pc <= 32'd0;
        first_q.cycle <= cycle_i;
        if (port_faults_i.parity) begin
          first_q.cause <= isa_pkg::CAUSE_PARITY;
          first_q.value <= {12'd0, port_faults_i.parity_address};
          first_q.cycle <= cycle_i - 64'd2;
        end else if (port_faults_i.exchange) begin
          first_q.cause <= isa_pkg::CAUSE_EXCHANGE;
          first_q.value <= {12'd0, port_faults_i.exchange_address};
        end else begin
          first_q.cause <= isa_pkg::CAUSE_CONFIG;
          first_q.value <= port_faults_i.config_address;
        end
      end else begin
        first_q.cause <= cause_o;
        first_q.context_id <= m_i.context_id;
        first_q.pc <= m_i.pc;
        first_q.value <= trapped_i ? {27'd0, m_executed_i.flags} : value;
        first_q.cycle <= cycle_i - 64'd4;
      end
    end else if (clear_i) begin
      excepted_q <= 1'b0;
      first_q.cause <= isa_pkg::CAUSE_NONE;
      first_q.context_id <= 3'd0;
      first_q.pc <= 32'd0;
      first_q.value <= 32'd0;
      first_q.cycle <= 64'd0;
    end
    if (!rst_ni) begin
      excepted_q <= 1'b0;
      first_q.cause <= isa_pkg::CAUSE_NONE;
    end
  end
  assign excepted_o = excepted_q;
  assign first_o    = first_q;

  // What others need of all this.
  logic unused;
  assign unused = ^{m_i, m_executed_i};

`ifndef SYNTHESIS
  logic excepted_before_q;
  stage_pkg::exception_t first_before_q;
  always_ff @(posedge clk_i) begin
    excepted_before_q <= excepted_q & !clear_i;
    first_before_q <= first_q;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      an_exception_has_a_cause : assert (!excepted_q || first_q.cause != isa_pkg::CAUSE_NONE);
      nothing_freezes_twice : assert (!excepted_q || !freeze_i);
      no_instruction_behind_an_exception : assert (!excepted_q || !m_i.valid);
      the_first_exception_stays : assert (!(excepted_before_q && excepted_q) || first_q == first_before_q);
    end
  end
`endif
endmodule
