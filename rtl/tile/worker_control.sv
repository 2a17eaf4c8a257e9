// Which workers are active: run, runall and exit are checked in M and act from the sixth cycle after their issue
// (tile.md, Launch).
module worker_control (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        system_i,       // M holds a legal system instruction
    input  logic        commit_i,       // and no exception stops it
    input  logic [8:0] id_i,
    input  logic [ 2:0] context_i,
    input  logic [31:0] entry_i,
    input  logic [ 5:0] active_then_i,  // workers active when it was issued
    output logic        fault_o,        // operand exception
    output logic [ 5:0] launch_o,       // in M, committed: these workers start
    output logic        exit_o,         // in M, committed
    output logic [ 5:0] w_launch_o,     // in W
    output logic [31:0] w_entry_o,
    output logic [ 5:0] active_o,
    input  logic        stop_all_i
);
  logic [5:0] mask;
  always_comb begin
    fault_o = 1'b0;
    mask = 6'd0;
    if (system_i) begin
      case (id_i)
        isa_pkg::RUN: begin
          fault_o = !tile_pkg::executable(entry_i);
          mask = ~active_then_i & (active_then_i + 6'd1);  // the lowest 0
        end
        isa_pkg::RUNALL: begin
          fault_o = !tile_pkg::executable(entry_i) || active_then_i != 6'd0;
          mask = 6'h3f;
        end
        default: ;
      endcase
    end
  end
  assign launch_o = commit_i ? mask : 6'd0;
  assign exit_o = commit_i & (id_i == isa_pkg::EXIT);

  // A start ends workers, but what their launch in M has given them stays theirs: w_launch_q goes on.
  logic [5:0] active_q, launch_q, w_launch_q, exit_q;
  logic [31:0] entry_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | stop_all_i) begin
      active_q <= 6'd0;
      launch_q <= 6'd0;
      exit_q <= 6'd0;
    end else begin
      launch_q <= launch_o;
      exit_q <= exit_o ? 6'd1 << (context_i - 3'd1) : 6'd0;
      active_q <= (active_q & ~exit_q) | launch_q;
    end
    w_launch_q <= rst_ni ? launch_o : 6'd0;
    if (launch_o != 6'd0) entry_q <= entry_i;
  end
  assign w_launch_o = w_launch_q;
  assign w_entry_o = entry_q;
  assign active_o = active_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      a_launch_hits_no_active_worker : assert ((launch_o & active_q) == 6'd0);
      workers_exit_and_the_supervisor_does_not : assert (!exit_o || context_i != 3'd0);
      only_active_workers_exit : assert ((exit_q & ~active_q) == 6'd0);
      one_launch_at_a_time : assert (launch_o == 6'd0 || launch_q == 6'd0);
    end
  end
`endif
endmodule
