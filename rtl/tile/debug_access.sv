// The debug port (edge.md, Debug spaces): accesses of a tile that has settled; of another, those that would meet what it does
// are refused. Writes and control act in the cycle of the access; a read looks in the next cycle, in which the tile must not have
// begun to move, and shows its data four cycles after the access.
module debug_access (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    debug_valid_i,
  input  logic                    debug_write_i,
  input  logic [2:0]              debug_space_i,
  input  logic [2:0]              debug_context_i,
  input  logic [31:0]             debug_address_i,
  input  logic [31:0]             debug_wdata_i,
  output logic [31:0]             debug_data_o,
  output logic                    debug_refused_o,      // the last access, from the cycle behind the one in which it acts or looks
  input  logic                    settled_i,            // no instruction is under way, and none issues before an input comes
  input  logic                    ports_rest_i,         // nor do the exchange's and the packets' ports use the memory
  output stage_pkg::debug_write_t write_o,
  output stage_pkg::debug_read_t  read_o,
  output stage_pkg::vector_read_t vector_read_o,
  input  logic [31:0]             vector_i,             // as vector_read_o says
  input  logic [63:0]             memory_rdata_i,       // one cycle later than the others
  input  stage_pkg::front_read_t  front_i,
  input  logic [31:0]             csr_i,
  input  logic [31:0]             watchpoint_i,
  // Control.
  input  logic                    supervisor_issues_i,
  input  logic                    worker_issues_i,
  input  logic [2:0]              worker_i,             // context that issues
  output logic [6:0]              held_o,
  input  logic                    stopped_i,            // a breakpoint stops the tile
  input  logic                    watched_i,            // a watched access of context m_context_i does
  input  logic [2:0]              m_context_i,
  input  logic [6:0]              before_breakpoint_i,
  input  stage_pkg::status_t      status_i,
  input  stage_pkg::exception_t   exception_i,
  input  logic                    idle_i,
  input  logic [5:0]              active_i,
  input  logic [19:0]             armed_event_i
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
  always_comb begin
    write_o = '0;
    if (write) begin
      write_o.chosen = chosen;
      write_o.context_id = debug_context_i;
      write_o.address = debug_address_i;
      write_o.data = debug_wdata_i;
      case (debug_space_i)
        words_pkg::SPACE_MEMORY: write_o.memory = tile_pkg::in_memory(debug_address_i);
        words_pkg::SPACE_INTEGER: write_o.integer_register = debug_address_i[4:0] != 5'd0;
        words_pkg::SPACE_FLOAT: write_o.float_register = 1'b1;
        words_pkg::SPACE_VECTOR: write_o.vectors = 1'b1;
        words_pkg::SPACE_CSR: write_o.csr = 1'b1;
        words_pkg::SPACE_CONTROL: begin
          case (debug_address_i)
            words_pkg::CONTROL_START: begin
              write_o.start = 1'b1;
              write_o.pc = 1'b1;
              write_o.clear_exception = 1'b1;
            end
            words_pkg::CONTROL_RESUME: write_o.clear_exception = 1'b1;
            words_pkg::CONTROL_STEP: begin
              write_o.clear_exception = 1'b1;
              write_o.step = 1'b1;
            end
            words_pkg::CONTROL_PC: write_o.pc = 1'b1;
            words_pkg::CONTROL_AUTOMATIC_SYNCS: write_o.automatic_syncs = 1'b1;
            words_pkg::CONTROL_BREAKPOINT0: write_o.breakpoint0 = 1'b1;
            words_pkg::CONTROL_BREAKPOINT1: write_o.breakpoint1 = 1'b1;
            words_pkg::CONTROL_WATCHPOINT: write_o.watchpoint = 1'b1;
            default: ;
          endcase
        end
        default: ;
      endcase
    end
  end

  logic [6:0] held_q, stepping_q, behind_q, chosen;  // behind: a watched access
  assign chosen = debug_context_i == words_pkg::ALL_CONTEXTS ? 7'h7f : 7'd1 << debug_context_i;
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
  logic read_memory;
  assign read_memory = reads && space_q == words_pkg::SPACE_MEMORY && tile_pkg::in_memory(address_q);
  assign read_o.memory           = read_memory;
  assign read_o.integer_register = reads & (space_q == words_pkg::SPACE_INTEGER);
  assign read_o.float_register   = reads & (space_q == words_pkg::SPACE_FLOAT);
  assign read_o.csr              = reads & (space_q == words_pkg::SPACE_CSR);
  assign read_o.context_id       = context_q;
  assign read_o.address          = address_q[19:0];
  words_pkg::tile_status_t status;
  always_comb begin
    status = '0;
    status.cause = exception_i.cause;
    status.context_id = exception_i.context_id;
    status.halted = held_q[0];
    status.excepted = status_i.excepted;
    status.requests = status_i.requests;
    status.sends = status_i.sends;
    status.idle = idle_i;
    status.refused = refused_q;
  end
  always_comb begin
    value = 32'd0;
    if (reads) begin
      case (space_q)
        words_pkg::SPACE_INTEGER: value = front_i.integer_register;
        words_pkg::SPACE_FLOAT: value = front_i.float_register;
        words_pkg::SPACE_CSR: value = csr_i;
        words_pkg::SPACE_CONTROL: begin
          case (address_q)
            words_pkg::CONTROL_HALT: value = {25'd0, held_q};
            words_pkg::CONTROL_PC: value = front_i.pc;
            words_pkg::CONTROL_STATUS: value = status;
            words_pkg::CONTROL_EXCEPTION_PC: value = exception_i.pc;
            words_pkg::CONTROL_EXCEPTION_VALUE: value = exception_i.value;
            words_pkg::CONTROL_EXCEPTION_CYCLE_LOW: value = exception_i.cycle[31:0];
            words_pkg::CONTROL_EXCEPTION_CYCLE_HIGH: value = exception_i.cycle[63:32];
            words_pkg::CONTROL_ACTIVE: value = {26'd0, active_i};
            words_pkg::CONTROL_ARMED_EVENT: value = {12'd0, armed_event_i};
            words_pkg::CONTROL_AUTOMATIC_SYNCS: value = {24'd0, status_i.automatic_syncs};
            words_pkg::CONTROL_BREAKPOINT0, words_pkg::CONTROL_BREAKPOINT1: value = front_i.breakpoint;
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
      from_memory_q <= read_memory;
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
  assign vector_read_o.valid      = valid2_q & from_vector_q;
  assign vector_read_o.context_id = context2_q;
  assign vector_read_o.address    = address2_q;
  assign debug_data_o = data_q;
  assign debug_refused_o = refused_q;

  // What others need of it.
  logic unused;
  assign unused = ^status_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      a_refused_write_does_nothing : assert (!(debug_valid_i && debug_write_i && refuses_write) || write_o == '0);
      nothing_is_written_unasked : assert (write_o == '0 || debug_valid_i && debug_write_i);
    end
  end
`endif
endmodule
