// The debug port (edge.md, Debug spaces): accesses of a tile that has settled; of another, those that would meet what it does
// are refused. Writes and control act in the cycle of the access; a read looks in the next cycle, in which the tile must not have
// begun to move, and shows its data four cycles after the access.
module debug_access (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        debug_valid_i,
    input  logic        debug_write_i,
    input  logic [ 2:0] debug_space_i,
    input  logic [ 2:0] debug_context_i,
    input  logic [31:0] debug_address_i,
    output logic [31:0] debug_data_o,
    output logic        debug_refused_o,      // the last access, from the cycle behind the one in which it acts or looks
    input  logic        settled_i,            // no instruction is under way, and none issues before an input comes
    input  logic        ports_rest_i,         // nor do the exchange's and the packets' ports use the memory
    // Writes, in the cycle of the access.
    output logic        write_memory_o,
    output logic        write_integer_o,
    output logic        write_float_o,
    output logic        write_csr_o,
    output logic        write_vector_o,
    output logic        start_o,
    output logic        write_automatic_o,  // automatic syncs
    output logic        write_pc_o,       // start as well
    output logic        release_o,        // start, resume or step: a pending exception ends
    output logic [ 6:0] chosen_o,         // contexts that a write is to of what each has; context 7: all
    output logic [ 1:0] write_breakpoint_o,  // first, second
    output logic        write_watchpoint_o,
    output logic        step_o,
    // Reads, in the cycle after the access.
    output logic        read_memory_o,
    output logic        read_integer_o,
    output logic        read_float_o,
    output logic        read_csr_o,
    output logic [ 2:0] read_context_o,
    output logic [19:0] read_address_o,
    output logic        read_vector_o,    // a cycle later, so that weights of the last load are seen
    output logic [ 2:0] read_vcontext_o,
    output logic [ 6:0] read_vaddress_o,
    input  logic [31:0] vector_i,
    input  logic [63:0] memory_rdata_i,   // one cycle later still
    input  logic [31:0] integer_i,
    input  logic [31:0] float_i,
    input  logic [31:0] csr_i,
    input  logic [31:0] pc_i,
    // Control.
    input  logic        supervisor_issues_i,
    input  logic        worker_issues_i,
    input  logic [ 2:0] worker_i,         // context that issues
    output logic [ 6:0] held_o,
    input  logic        stopped_i,        // a breakpoint stops the tile
    input  logic        watched_i,        // a watched access of context m_context_i does
    input  logic [ 2:0] m_context_i,
    input  logic [ 6:0] before_breakpoint_i,
    input  logic [31:0] breakpoint_i,
    input  logic [31:0] watchpoint_i,
    input  logic        status_idle_i,
    input  logic        status_sends_i,
    input  logic        status_requests_i,
    input  logic        status_excepted_i,
    input  logic [ 3:0] status_cause_i,
    input  logic [ 2:0] status_context_i,
    input  logic [31:0] status_pc_i,
    input  logic [31:0] status_value_i,
    input  logic [63:0] status_cycle_i,
    input  logic [ 5:0] active_i,
    input  logic [19:0] armed_event_i,
    input  logic [ 7:0] automatic_syncs_i
);
  // Halt, resume, step, start and what is read of the control space need no still tile.
  logic at_any_time, refuses_write, write, control;
  always_comb begin
    at_any_time = 1'b0;
    if (debug_space_i == words_pkg::SPACE_CONTROL)
      at_any_time = !debug_write_i || (debug_address_i != words_pkg::CONTROL_PC && debug_address_i != words_pkg::CONTROL_AUTOMATIC_SYNCS);
  end
  logic still;
  assign still = settled_i & (ports_rest_i | (debug_space_i != words_pkg::SPACE_MEMORY));
  assign refuses_write = debug_valid_i & debug_write_i & !at_any_time & !still;
  assign write = debug_valid_i & debug_write_i & !refuses_write;
  assign control = write & (debug_space_i == words_pkg::SPACE_CONTROL);
  assign write_memory_o = write && debug_space_i == words_pkg::SPACE_MEMORY && tile_pkg::in_memory(debug_address_i);
  assign write_integer_o = write && debug_space_i == words_pkg::SPACE_INTEGER && debug_address_i[4:0] != 5'd0;
  assign write_float_o = write & (debug_space_i == words_pkg::SPACE_FLOAT);
  assign write_vector_o = write & (debug_space_i == words_pkg::SPACE_VECTOR);
  assign write_csr_o = write & (debug_space_i == words_pkg::SPACE_CSR);
  assign start_o = control & (debug_address_i == words_pkg::CONTROL_START);
  assign write_automatic_o = control & (debug_address_i == words_pkg::CONTROL_AUTOMATIC_SYNCS);
  assign write_pc_o = control & (debug_address_i == words_pkg::CONTROL_START || debug_address_i == words_pkg::CONTROL_PC);
  assign release_o = control & (debug_address_i == words_pkg::CONTROL_START || debug_address_i == words_pkg::CONTROL_RESUME || debug_address_i == words_pkg::CONTROL_STEP);

  logic [6:0] held_q, stepping_q, behind_q, chosen;  // behind: a watched access
  assign chosen = debug_context_i == words_pkg::ALL_CONTEXTS ? 7'h7f : 7'd1 << debug_context_i;
  assign chosen_o = chosen;
  assign write_breakpoint_o = {control & (debug_address_i == words_pkg::CONTROL_BREAKPOINT1), control & (debug_address_i == words_pkg::CONTROL_BREAKPOINT0)};
  assign step_o = control & (debug_address_i == words_pkg::CONTROL_STEP);
  assign write_watchpoint_o = control & (debug_address_i == words_pkg::CONTROL_WATCHPOINT);
  assign held_o = held_q;
  always_ff @(posedge clk_i) begin
    if (stepping_q != 7'd0) begin
      if (supervisor_issues_i & stepping_q[0]) {held_q[0], stepping_q[0]} <= 2'b10;
      if (worker_issues_i & stepping_q[worker_i]) begin
        held_q[worker_i] <= 1'b1;
        stepping_q[worker_i] <= 1'b0;
      end
    end
    if (stopped_i | watched_i) begin
      held_q <= 7'h7f;
      stepping_q <= 7'd0;
    end
    if (watched_i) behind_q[m_context_i] <= 1'b1;
    if (control) begin
      case (debug_address_i)
        words_pkg::CONTROL_START: begin
          held_q <= 7'd0;
          stepping_q <= 7'd0;
          behind_q <= 7'd0;
        end
        words_pkg::CONTROL_HALT, words_pkg::CONTROL_RESUME, words_pkg::CONTROL_STEP: begin
          for (int c = 0; c < 7; c++) begin
            if (chosen[c]) begin
              held_q[c] <= debug_address_i == words_pkg::CONTROL_HALT;
              if (debug_address_i == words_pkg::CONTROL_STEP) stepping_q[c] <= 1'b1;
              if (debug_address_i != words_pkg::CONTROL_HALT) behind_q[c] <= 1'b0;
            end
          end
        end
        default: ;
      endcase
    end
    if (!rst_ni) begin
      held_q <= 7'd1;
      stepping_q <= 7'd0;
      behind_q <= 7'd0;
    end
  end

  // Reads: request (1), value (2), value (3), port.
  logic valid1_q, valid2_q, valid3_q, from_memory_q, from_vector_q, high_q;
  logic still_q, any_time_q, reads, refused_q;  // settled in the cycle of the access; the look is taken
  assign reads = valid1_q & (any_time_q | (still_q & settled_i & (ports_rest_i | (space_q != words_pkg::SPACE_MEMORY))));
  logic [2:0] context2_q;
  logic [6:0] address2_q;
  logic [2:0] space_q, context_q;
  logic [31:0] address_q, value2_q, value3_q, data_q, value;
  assign read_memory_o = reads && space_q == words_pkg::SPACE_MEMORY && tile_pkg::in_memory(address_q);
  assign read_integer_o = reads & (space_q == words_pkg::SPACE_INTEGER);
  assign read_float_o = reads & (space_q == words_pkg::SPACE_FLOAT);
  assign read_csr_o = reads & (space_q == words_pkg::SPACE_CSR);
  assign read_context_o = context_q;
  assign read_address_o = address_q[19:0];
  words_pkg::tile_status_t status;
  always_comb begin
    status = '0;
    status.cause = status_cause_i;
    status.context_id = status_context_i;
    status.halted = held_q[0];
    status.excepted = status_excepted_i;
    status.requests = status_requests_i;
    status.sends = status_sends_i;
    status.idle = status_idle_i;
    status.refused = refused_q;
  end
  always_comb begin
    value = 32'd0;
    if (reads) begin
      case (space_q)
        words_pkg::SPACE_INTEGER: value = integer_i;
        words_pkg::SPACE_FLOAT: value = float_i;
        words_pkg::SPACE_CSR: value = csr_i;
        words_pkg::SPACE_CONTROL: begin
          case (address_q)
            words_pkg::CONTROL_HALT: value = {25'd0, held_q};
            words_pkg::CONTROL_PC: value = pc_i;
            words_pkg::CONTROL_STATUS: value = status;
            words_pkg::CONTROL_EXCEPTION_PC: value = status_pc_i;
            words_pkg::CONTROL_EXCEPTION_VALUE: value = status_value_i;
            words_pkg::CONTROL_EXCEPTION_CYCLE_LOW: value = status_cycle_i[31:0];
            words_pkg::CONTROL_EXCEPTION_CYCLE_HIGH: value = status_cycle_i[63:32];
            words_pkg::CONTROL_ACTIVE: value = {26'd0, active_i};
            words_pkg::CONTROL_ARMED_EVENT: value = {12'd0, armed_event_i};
            words_pkg::CONTROL_AUTOMATIC_SYNCS: value = {24'd0, automatic_syncs_i};
            words_pkg::CONTROL_BREAKPOINT0, words_pkg::CONTROL_BREAKPOINT1: value = breakpoint_i;
            words_pkg::CONTROL_WATCHPOINT: value = watchpoint_i;
            words_pkg::CONTROL_TRIGGERED: value = {17'd0, behind_q, 1'b0, before_breakpoint_i};
            default: value = 32'd0;
          endcase
        end
        default: value = 32'd0;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    valid1_q <= rst_ni & debug_valid_i & !debug_write_i;
    valid2_q <= rst_ni & valid1_q;
    valid3_q <= rst_ni & valid2_q;
    if (debug_valid_i & !debug_write_i) begin
      space_q <= debug_space_i;
      context_q <= debug_context_i;
      address_q <= debug_address_i;
      still_q <= still;
      any_time_q <= at_any_time;
    end
    if (debug_valid_i & debug_write_i) refused_q <= refuses_write;
    else if (valid1_q) refused_q <= !reads;
    if (!rst_ni) refused_q <= 1'b0;
    if (valid1_q) begin
      value2_q <= value;
      from_memory_q <= read_memory_o;
      from_vector_q <= reads & (space_q == words_pkg::SPACE_VECTOR);
      context2_q <= context_q;
      address2_q <= address_q[6:0];
      high_q <= address_q[2];
    end
    if (valid2_q) begin
      if (from_vector_q) value3_q <= vector_i;
      else if (!from_memory_q) value3_q <= value2_q;
      else value3_q <= high_q ? memory_rdata_i[63:32] : memory_rdata_i[31:0];
    end
    if (valid3_q) data_q <= value3_q;
    if (!rst_ni) data_q <= 32'd0;
  end
  assign read_vector_o = valid2_q & from_vector_q;
  assign read_vcontext_o = context2_q;
  assign read_vaddress_o = address2_q;
  assign debug_data_o = data_q;
  assign debug_refused_o = refused_q;
endmodule
