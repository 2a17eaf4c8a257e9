// Whether the instruction in the supervisor's fetch register may issue (tile.md, Supervisor).
//
// Only the supervisor's issues of the last five cycles matter: bit or field 0 of each history is the last cycle.
module supervisor_interlock (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       try_i,         // a free slot and a full fetch register
    input  logic [4:0] rs1_i,         // registers read and written; 0: none
    input  logic [4:0] rs2_i,
    input  logic [4:0] rd_i,
    input  logic       serialising_i,
    input  logic       redirects_i,
    input  logic       issue_i,       // it issues (one pass of it)
    input  logic       last_pass_i,
    output logic       clear_o,
    output logic       refetch_o      // no branch issued in the last four cycles
);
  logic [24:0] written_q;    // registers written, five cycles; 0: none
  logic [ 4:0] issued_q;     // something issued
  logic [ 4:0] serial_q;     // something serialising issued
  logic [ 3:0] redirect_q;   // a branch, jump or fence.i issued

  function automatic logic pending(input logic [24:0] written, input logic [4:0] r);
    pending = 1'b0;
    for (int i = 0; i < 5; i++) if (r != 5'd0 && r == written[5*i+:5]) pending = 1'b1;
  endfunction

  always_comb begin
    clear_o = 1'b0;
    if (try_i && serial_q == 5'd0 && !(serialising_i && issued_q != 5'd0)) begin
      if (written_q == 25'd0) clear_o = 1'b1;
      else clear_o = !(pending(written_q, rs1_i) | pending(written_q, rs2_i) | pending(written_q, rd_i));
    end
  end
  assign refetch_o = redirect_q == 4'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q <= 25'd0;
      issued_q <= 5'd0;
      serial_q <= 5'd0;
      redirect_q <= 4'd0;
    end else begin
      written_q <= {written_q[19:0], issue_i & last_pass_i ? rd_i : 5'd0};
      issued_q <= {issued_q[3:0], issue_i};
      serial_q <= {serial_q[3:0], issue_i & serialising_i};
      redirect_q <= {redirect_q[2:0], issue_i & redirects_i};
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      nothing_issues_that_waits : assert (!issue_i || clear_o);
      serialised_instructions_have_six_cycles : assert (!issue_i || serial_q == 5'd0);
      no_fetch_behind_a_branch : assert (!issue_i || redirect_q == 4'd0);
    end
  end
`endif
endmodule
