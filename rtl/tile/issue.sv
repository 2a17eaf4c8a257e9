// F: which context has the cycle, what it fetches, and whether the supervisor issues (tile.md, Contexts and slots).
//
// A worker fetches at its slot and is in D in the next cycle, its word coming from memory then. The supervisor issues
// from its fetch register, which holds the word at supervisor_pc_q when full; with the issue it fetches the next word.
// Instructions that hold several slots pass F, D and X1 several times: d_first_o and d_last_o tell which pass D holds.
module issue (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [2:0]              reset_context_i,     // whose pc is made zero in reset
  input  logic [2:0]              slot_i,
  input  logic [5:0]              active_i,
  input  logic [6:0]              held_i,              // contexts that the debugger holds
  input  logic                    stop_i,              // excepted: nothing issues
  input  logic                    supervisor_waits_i,
  output logic                    supervisor_free_o,   // it has a free slot and waits no longer
  input  logic                    many_syncs_i,        // automatic ones are outstanding: no sans issues
  output logic                    sans_waits_o,        // one would
  // Breakpoints: the instruction whose turn it is does not issue.
  output stage_pkg::turn_t        turn_o,
  input  logic                    stops_worker_i,
  input  logic                    stops_supervisor_i,
  output logic                    stopped_o,           // one has not
  output logic [2:0]              stopped_context_o,
  output logic                    fetch_o,
  output logic [19:2]             fetch_address_o,
  input  logic [31:0]             fetch_word_i,        // of the last cycle's fetch
  output stage_pkg::issued_t      d_o,
  output isa_pkg::control_t       d_control_o,         // of the supervisor's instruction
  input  logic [2:0]              d_slots_i,
  output logic                    d_first_o,
  output logic                    d_last_o,
  output logic [6:0]              passing_o,           // contexts between two passes of one instruction
  output logic                    consumes_o,          // the supervisor's last pass issues
  // M: next pc of a committed instruction (of the supervisor: when it redirects). An exception squashes: pcs go back
  // to the oldest squashed instruction.
  input  logic                    m_next_i,
  input  logic [2:0]              m_context_i,
  input  logic [31:0]             m_next_pc_i,
  input  stage_pkg::squash_t      squash_i,
  input  stage_pkg::launch_t      w_launch_i,
  // Debugger.
  input  stage_pkg::debug_write_t debug_write_i,
  input  logic [2:0]              read_context_i,
  output logic [31:0]             read_pc_o
);
  logic [31:0] worker_pc_q[0:7];  // by context; 0 and 7 unused
  logic [2:0] pass_q[0:7];        // by context: passes made
  logic [31:0] supervisor_pc_q;   // next to issue
  logic [ 6:0] passing_q;
  logic [ 2:0] pc_context;        // of a pc that the debugger writes: a start is of context 0
  assign pc_context = debug_write_i.start ? 3'd0 : debug_write_i.context_id;

  // The fetch register: its word is on the memory's output in the cycle after the fetch.
  logic full_q, fresh_q, fetch_fault_q;
  logic [31:0] word_q, word;

  logic worker_slot, turn_worker, stopped_worker, issue_worker, free_slot;
  logic [2:0] worker_context;
  assign worker_context = slot_i + 3'd1;
  always_comb begin
    worker_slot = active_i[slot_i];
    turn_worker = worker_slot & !stop_i & (!held_i[worker_context] | passing_q[worker_context]);
    stopped_worker = turn_worker & stops_worker_i & !passing_q[worker_context];
    issue_worker = turn_worker & !stopped_worker;
    free_slot = !worker_slot & !stop_i & !supervisor_waits_i & (!held_i[0] | passing_q[0]);
  end

  isa_pkg::control_t control;
  logic try_issue, clear, refetch, stopped_supervisor, issue_supervisor, last_pass, consume, fetch_supervisor;
  assign try_issue = free_slot & full_q;
  always_comb begin
    word = 32'd0;
    control = 36'd0;
    if (try_issue) begin
      if (!fetch_fault_q) word = fresh_q ? fetch_word_i : word_q;
      control = isa_pkg::decode(word);
    end
  end
  logic legal;
  assign legal = control.by_supervisor;
  assign sans_waits_o = many_syncs_i & legal & (control.id == isa_pkg::SANS);

  supervisor_interlock u_interlock (
      .clk_i,
      .rst_ni     (rst_ni & !debug_write_i.start),
      .try_i      (try_issue & !sans_waits_o),
      .rs1_i        (legal & control.reads_x1 ? word[19:15] : 5'd0),
      .rs2_i        (legal & control.reads_x2 ? word[24:20] : 5'd0),
      .rd_i         (legal & control.writes_x ? word[11:7] : 5'd0),
      .serialising_i(legal & control.serialising),
      .redirects_i  (legal & control.redirects),
      .issue_i    (issue_supervisor),
      .last_pass_i(last_pass),
      .clear_o    (clear),
      .refetch_o  (refetch)
  );

  always_comb begin
    stopped_supervisor = clear & stops_supervisor_i & !passing_q[0];
    issue_supervisor = clear & !stopped_supervisor;
    last_pass = !legal || control.slots == 3'd1 || pass_q[0] + 3'd1 == control.slots;
    consume = issue_supervisor & last_pass;
    fetch_supervisor = free_slot & (full_q ? consume & !(legal & control.redirects) : refetch);
  end
  assign supervisor_free_o = free_slot;
  assign turn_o.worker = worker_context;
  assign turn_o.worker_pc = worker_pc_q[worker_context];
  assign turn_o.supervisor_pc = supervisor_pc_q;
  assign stopped_o = stopped_worker | stopped_supervisor;
  assign stopped_context_o = stopped_worker ? worker_context : 3'd0;
  assign consumes_o = consume;

  // The fetch of the cycle.
  logic [31:0] fetch_pc, ahead_pc;
  logic fetch_fault;
  always_comb begin
    ahead_pc = full_q ? supervisor_pc_q + 32'd4 : supervisor_pc_q;
    fetch_pc = issue_worker ? worker_pc_q[worker_context] : ahead_pc;
    fetch_fault = !tile_pkg::executable(fetch_pc);
    fetch_o = (issue_worker | fetch_supervisor) & !fetch_fault;
  end
  assign fetch_address_o = fetch_pc[19:2];

  // F|D.
  logic d_valid_q, d_fetch_fault_q;
  logic [2:0] d_context_q;
  logic [31:0] d_pc_q, d_word_q;
  logic [5:0] d_active_q;
  isa_pkg::control_t d_control_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) d_valid_q <= 1'b0;
    else d_valid_q <= (issue_worker | issue_supervisor) & !squash_i.valid & !debug_write_i.start;
    d_context_q <= issue_worker ? worker_context : 3'd0;
    d_pc_q <= issue_worker ? fetch_pc : supervisor_pc_q;
    d_fetch_fault_q <= issue_worker ? fetch_fault : fetch_fault_q;
    d_active_q <= active_i;
    if (issue_supervisor) begin
      d_word_q <= word;
      d_control_q <= control;
    end
  end
  logic d_supervisor;
  assign d_supervisor = d_context_q == 3'd0;
  assign d_control_o     = d_control_q;
  assign d_o.valid       = d_valid_q;
  assign d_o.context_id  = d_context_q;
  assign d_o.pc          = d_pc_q;
  assign d_o.fetch_fault = d_fetch_fault_q;
  assign d_o.active      = d_active_q;
  assign d_o.word        = d_supervisor ? d_word_q : d_fetch_fault_q ? 32'd0 : fetch_word_i;

  // Passes.
  always_comb begin
    d_first_o = 1'b1;
    d_last_o = 1'b1;
    if (d_slots_i != 3'd1) begin
      d_first_o = pass_q[d_context_q] == 3'd0;
      d_last_o = pass_q[d_context_q] + 3'd1 == d_slots_i;
    end
  end
  assign passing_o = passing_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | squash_i.valid | debug_write_i.start) begin
      passing_q <= 7'd0;
      for (int i = 0; i < 8; i++) pass_q[i] <= 3'd0;
    end else if (d_valid_q && d_slots_i != 3'd1) begin
      pass_q[d_context_q] <= d_last_o ? 3'd0 : pass_q[d_context_q] + 3'd1;
      passing_q[d_context_q] <= !d_last_o;
    end
  end

  // The fetch register and the supervisor's pc.
  always_ff @(posedge clk_i) begin
    if (fresh_q) word_q <= fetch_word_i;
    fresh_q <= fetch_supervisor;
    if (fetch_supervisor) begin
      full_q <= 1'b1;
      fetch_fault_q <= fetch_fault;
    end else if (consume) full_q <= 1'b0;
    if (consume) supervisor_pc_q <= supervisor_pc_q + 32'd4;
    if (m_next_i && m_context_i == 3'd0) supervisor_pc_q <= m_next_pc_i;
    if (squash_i.valid && (squash_i.supervisor | (d_valid_q & d_supervisor) | issue_supervisor)) begin
      full_q <= 1'b0;
      if (squash_i.supervisor) supervisor_pc_q <= squash_i.pc;
      else if (d_valid_q & d_supervisor) supervisor_pc_q <= d_pc_q;
      else supervisor_pc_q <= supervisor_pc_q;
    end
    if (debug_write_i.pc && pc_context == 3'd0) begin
      full_q <= 1'b0;
      supervisor_pc_q <= debug_write_i.data;
    end
    if (!rst_ni) begin
      full_q <= 1'b0;
      fresh_q <= 1'b0;
      fetch_fault_q <= 1'b0;
      supervisor_pc_q <= 32'd0;
    end
  end

  // The workers' pcs: of an instruction in M, or written by the debugger while none is under way.
  logic [2:0] written_context;
  logic [31:0] written_pc;
  always_comb begin
    written_context = m_context_i;
    written_pc = m_next_pc_i;
    if (debug_write_i.pc & !debug_write_i.start) begin
      written_context = pc_context;
      written_pc = debug_write_i.data;
    end
    if (!rst_ni) begin
      written_context = reset_context_i;
      written_pc = 32'd0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (w_launch_i.workers != 6'd0) begin
      for (int w = 0; w < 6; w++) if (w_launch_i.workers[w]) worker_pc_q[w+1] <= w_launch_i.entry;
    end
    if (m_next_i | (debug_write_i.pc & !debug_write_i.start) | !rst_ni) worker_pc_q[written_context] <= written_pc;
  end
  assign read_pc_o = read_context_i == 3'd0 ? supervisor_pc_q : worker_pc_q[read_context_i];

  // What others need of it.
  logic unused;
  assign unused = ^debug_write_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      slot_is_one_of_six : assert (slot_i <= 3'd5);
      one_context_issues : assert (!(issue_worker && issue_supervisor));
      a_slot_is_never_given_away : assert (!issue_supervisor || !active_i[slot_i]);
      nothing_issues_behind_an_exception : assert (!stop_i || !(issue_worker || issue_supervisor));
      held_contexts_end_their_passes_alone : assert (!(issue_worker && held_i[worker_context] && !passing_q[worker_context]));
      supervisor_issues_what_it_has_fetched : assert (!issue_supervisor || full_q);
      fetched_is_executable : assert (!fetch_o || tile_pkg::executable(fetch_pc));
      passes_are_those_of_the_instruction : assert (!d_valid_q || pass_q[d_context_q] < d_slots_i);
      only_who_has_made_a_pass_is_between_two : assert ((passing_q == 7'd0) || !d_valid_q || passing_q[d_context_q] == (pass_q[d_context_q] != 3'd0));
    end
  end
`endif
endmodule
