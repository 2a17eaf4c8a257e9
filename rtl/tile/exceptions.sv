// Finds the exception of the cycle and keeps the status of the first (tile.md, Exceptions).
//
// An instruction's own exception is found in M (cause_o); a fault of the exchange or packet ports goes before it and
// squashes it. freeze_o is high in the cycle of either, excepted_o from the next cycle on.
module exceptions (
    input  logic        clk_i,
    input  logic        rst_ni,
    // M.
    input  logic        valid_i,
    input  logic        fetch_fault_i,
    input  logic        illegal_i,
    input  logic [8:0] id_i,
    input  logic [4:0] unit_i,
    input  logic [ 2:0] context_i,
    input  logic [31:0] pc_i,
    input  logic [31:0] word_i,
    input  logic [31:0] operand_i,           // rs1 of system instructions, data address of loads and stores
    input  logic [31:0] clash_address_i,
    input  logic        writes_integer_i,
    input  logic [31:0] result_i,            // integer result, of what is not a load
    input  logic        address_fault_i,
    input  logic        clash_i,
    input  logic        csr_illegal_i,
    input  logic        operand_fault_i,     // run, runall, sync, hsend
    input  logic        config_fault_i,      // xarm
    input  logic [ 4:0] flags_i,             // of float instructions
    input  logic [ 2:0] traps_i,
    input  logic [31:0] stack_limit_i,
    input  logic [63:0] cycle_i,
    // Ports.
    input  logic        exchange_fault_i,
    input  logic [19:0] exchange_address_i,
    input  logic        port_config_fault_i,
    input  logic [31:0] port_config_address_i,
    output logic [ 3:0] cause_o,             // of the instruction in M: 0 none
    output logic        freeze_o,
    output logic        port_fault_o,
    output logic        excepted_o,
    input  logic        clear_i,
    output logic [ 3:0] status_cause_o,
    output logic [ 2:0] status_context_o,
    output logic [31:0] status_pc_o,
    output logic [31:0] status_value_o,
    output logic [63:0] status_cycle_o
);
  logic [3:0] unit_cause, cause;
  logic [31:0] unit_value, value;

  logic traps, empty_body;
  assign traps = (traps_i & {flags_i[fp_pkg::FLAG_OF], flags_i[fp_pkg::FLAG_DZ], flags_i[fp_pkg::FLAG_NV]}) != 3'd0;
  assign empty_body = id_i == isa_pkg::RPTI ? {word_i[19:15], word_i[11:7]} == 10'd0 : word_i[29:20] == 10'd0;

  // Of a legal instruction, but for the stack limit.
  always_comb begin
    unit_cause = isa_pkg::CAUSE_NONE;
    unit_value = operand_i;
    case (unit_i)
      isa_pkg::UNIT_LOAD, isa_pkg::UNIT_STORE, isa_pkg::UNIT_STREAM, isa_pkg::UNIT_WEIGHTS, isa_pkg::UNIT_AMP: begin
        if (address_fault_i) unit_cause = isa_pkg::CAUSE_ADDRESS;
        else if (clash_i) begin
          unit_cause = isa_pkg::CAUSE_CLASH;
          unit_value = clash_address_i;
        end else if (unit_i == isa_pkg::UNIT_AMP && traps) begin
          unit_cause = isa_pkg::CAUSE_FLOAT;
          unit_value = {27'd0, flags_i};
        end
      end
      isa_pkg::UNIT_REPEAT: begin
        if (empty_body) unit_cause = isa_pkg::CAUSE_OPERAND;
        unit_value = 32'd0;
      end
      isa_pkg::UNIT_CSR: begin
        if (csr_illegal_i) unit_cause = isa_pkg::CAUSE_ILLEGAL;
        unit_value = word_i;
      end
      isa_pkg::UNIT_SYSTEM: begin
        case (id_i)
          isa_pkg::EBREAK: begin
            unit_cause = isa_pkg::CAUSE_BREAK;
            unit_value = pc_i;
          end
          isa_pkg::ECALL: begin
            unit_cause = isa_pkg::CAUSE_TRAP;
            unit_value = 32'd0;
          end
          isa_pkg::TRAP: begin
            unit_cause = isa_pkg::CAUSE_TRAP;
            unit_value = {{20{word_i[31]}}, word_i[31:20]};
          end
          default: begin
            if (operand_fault_i) unit_cause = isa_pkg::CAUSE_OPERAND;
            else if (config_fault_i) unit_cause = isa_pkg::CAUSE_CONFIG;
          end
        endcase
      end
      isa_pkg::UNIT_FMA, isa_pkg::UNIT_FDIVIDE, isa_pkg::UNIT_FCOMPARE, isa_pkg::UNIT_FCONVERT,
      isa_pkg::UNIT_PACKED, isa_pkg::UNIT_SPECIAL: begin
        if (traps) unit_cause = isa_pkg::CAUSE_FLOAT;
        unit_value = {27'd0, flags_i};
      end
      default: ;
    endcase
  end

  logic below_limit;
  assign below_limit = writes_integer_i && word_i[11:7] == 5'd2 && unit_i != isa_pkg::UNIT_LOAD && result_i < stack_limit_i;

  always_comb begin
    cause = isa_pkg::CAUSE_NONE;
    value = unit_value;
    if (valid_i) begin
      cause = unit_cause;
      if (fetch_fault_i) begin
        cause = isa_pkg::CAUSE_PC;
        value = pc_i;
      end else if (illegal_i) begin
        cause = isa_pkg::CAUSE_ILLEGAL;
        value = word_i;
      end else if (unit_cause == isa_pkg::CAUSE_NONE && below_limit) begin
        cause = isa_pkg::CAUSE_STACK;
        value = result_i;
      end
    end
  end

  logic own_fault;
  assign own_fault = cause != isa_pkg::CAUSE_NONE;
  assign port_fault_o = exchange_fault_i | port_config_fault_i;
  assign freeze_o = own_fault | port_fault_o;
  assign cause_o = cause;

  logic excepted_q;
  logic [3:0] cause_q;
  logic [2:0] context_q;
  logic [31:0] pc_q, value_q;
  logic [63:0] cycle_q;
  always_ff @(posedge clk_i) begin
    if (freeze_o) begin
      excepted_q <= 1'b1;
      if (port_fault_o) begin
        cause_q <= exchange_fault_i ? isa_pkg::CAUSE_EXCHANGE : isa_pkg::CAUSE_CONFIG;
        context_q <= 3'd0;
        pc_q <= 32'd0;
        value_q <= exchange_fault_i ? {12'd0, exchange_address_i} : port_config_address_i;
        cycle_q <= cycle_i;
      end else begin
        cause_q <= cause;
        context_q <= context_i;
        pc_q <= pc_i;
        value_q <= value;
        cycle_q <= cycle_i - 64'd4;
      end
    end else if (clear_i) begin
      excepted_q <= 1'b0;
      cause_q <= isa_pkg::CAUSE_NONE;
      context_q <= 3'd0;
      pc_q <= 32'd0;
      value_q <= 32'd0;
      cycle_q <= 64'd0;
    end
    if (!rst_ni) begin
      excepted_q <= 1'b0;
      cause_q <= isa_pkg::CAUSE_NONE;
    end
  end
  assign excepted_o = excepted_q;
  assign status_cause_o = cause_q;
  assign status_context_o = context_q;
  assign status_pc_o = pc_q;
  assign status_value_o = value_q;
  assign status_cycle_o = cycle_q;
endmodule
