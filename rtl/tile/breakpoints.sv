// The contexts' breakpoints, two each (tile.md, Breakpoints and watchpoints): which instructions may not issue, and which
// contexts stand before one.
module breakpoints (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // What would issue, between instructions.
  input  stage_pkg::turn_t        turn_i,
  output logic                    stops_worker_o,
  output logic                    stops_supervisor_o,
  // What has come of it.
  input  logic                    stopped_i,              // an instruction is kept from issuing, of
  input  logic [2:0]              stopped_context_i,
  input  logic                    supervisor_consumes_i,  // last passes: of the supervisor at its issue, of a worker in D
  input  logic                    worker_consumes_i,
  input  logic [2:0]              consuming_worker_i,
  input  logic                    forget_i,               // an exception, a start
  input  logic [5:0]              launch_i,
  output logic [6:0]              before_o,               // stand before a breakpoint, and pass it when they go on
  // Debugger.
  input  stage_pkg::debug_write_t debug_write_i,
  input  logic [2:0]              read_context_i,
  input  logic                    read_second_i,
  output logic [31:0]             read_o
);
  logic [8*20-1:0] first_q, second_q;  // by context; the last unused
  logic [6:0] enabled_q;               // contexts that have one
  logic [6:0] before_q;

  // An enabled breakpoint word at the pc; 2, which no word is, where none can be.
  function automatic logic [19:0] word_at(input logic [31:0] pc);
    word_at = pc[31:20] == 12'd0 && pc[1:0] == 2'd0 ? {pc[19:2], 2'b01} : 20'd2;
  endfunction
  logic [19:0] worker_word, supervisor_word;
  always_comb begin
    stops_worker_o = 1'b0;
    stops_supervisor_o = 1'b0;
    worker_word = '0;
    supervisor_word = '0;
    if (enabled_q != 7'd0) begin
      worker_word = word_at(turn_i.worker_pc);
      supervisor_word = word_at(turn_i.supervisor_pc);
      stops_worker_o = !before_q[turn_i.worker] & (first_q[turn_i.worker*20+:20] == worker_word | second_q[turn_i.worker*20+:20] == worker_word);
      stops_supervisor_o = !before_q[0] & (first_q[19:0] == supervisor_word | second_q[19:0] == supervisor_word);
    end
  end

  words_pkg::breakpoint_t written;
  always_comb begin
    written = debug_write_i.data[19:0];
    written.reserved1 = 1'b0;
  end
  assign read_o = {12'd0, read_second_i ? second_q[read_context_i*20+:20] : first_q[read_context_i*20+:20]};
  always_ff @(posedge clk_i) begin
    if (debug_write_i.breakpoint0 | debug_write_i.breakpoint1) begin
      for (int c = 0; c < 7; c++) begin
        if (debug_write_i.chosen[c]) begin
          if (debug_write_i.breakpoint0) first_q[c*20+:20] <= written;
          else second_q[c*20+:20] <= written;
          enabled_q[c] <= written.enabled | (debug_write_i.breakpoint0 ? second_q[c*20] : first_q[c*20]);
        end
      end
    end
    if (!rst_ni) begin
      enabled_q <= 7'd0;
      first_q <= '0;
      second_q <= '0;
    end
  end

  assign before_o = before_q;
  always_ff @(posedge clk_i) begin
    if (before_q != 7'd0) begin
      before_q[6:1] <= before_q[6:1] & ~launch_i;
      if (supervisor_consumes_i) before_q[0] <= 1'b0;
      if (worker_consumes_i) before_q[consuming_worker_i] <= 1'b0;
    end
    if (stopped_i) before_q[stopped_context_i] <= 1'b1;
    if (forget_i) before_q <= 7'd0;
    if (debug_write_i.pc && debug_write_i.context_id != 3'd7) before_q[debug_write_i.context_id] <= 1'b0;
    if (debug_write_i.step) begin
      for (int c = 0; c < 7; c++) if (debug_write_i.chosen[c]) before_q[c] <= 1'b1;
    end
    if (!rst_ni) before_q <= 7'd0;
  end

  // What others need of it.
  logic unused;
  assign unused = ^debug_write_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      only_contexts_stop : assert (!stopped_i || stopped_context_i != 3'd7);
      who_stops_has_a_breakpoint : assert (!stopped_i || enabled_q[stopped_context_i]);
    end
  end
`endif
endmodule
