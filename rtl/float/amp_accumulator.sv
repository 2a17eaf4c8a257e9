// The accumulators A[u] and S[u] of one unit u of the matrix engine, for every context.
//
// Two rows of storage change roles instead of changing places: `swapped` tells that A stands in row 1. A fresh context's
// accumulators are 0 whatever is stored; its first write comes to both rows of all units (amp.sv), with 0 where nothing
// else is written.
module amp_accumulator (
    input  logic        clk_i,            // gated
    // X2: read
    input  logic        valid_i,
    input  logic [ 2:0] context_i,
    input  logic        swapped_i,
    input  logic        fresh_i,
    output logic [31:0] a_o,
    output logic [31:0] s_o,
    // write, in M or from the debugger
    input  logic [ 2:0] write_context_i,
    input  logic        write_row_0_i,
    input  logic        write_row_1_i,
    input  logic [31:0] row_0_i,
    input  logic [31:0] row_1_i,
    // the debugger's read
    input  logic        debug_read_i,
    input  logic [ 2:0] debug_context_i,
    output logic [31:0] debug_row_0_o,
    output logic [31:0] debug_row_1_o
);
  logic [31:0] row_0_q[0:7];
  logic [31:0] row_1_q[0:7];
  always_ff @(posedge clk_i) begin
    if (write_row_0_i) row_0_q[write_context_i] <= row_0_i;
    if (write_row_1_i) row_1_q[write_context_i] <= row_1_i;
  end

  always_comb begin
    a_o = 32'd0;
    s_o = 32'd0;
    if (valid_i && !fresh_i) begin
      a_o = swapped_i ? row_1_q[context_i] : row_0_q[context_i];
      s_o = swapped_i ? row_0_q[context_i] : row_1_q[context_i];
    end
  end

  always_comb begin
    debug_row_0_o = 32'd0;
    debug_row_1_o = 32'd0;
    if (debug_read_i) begin
      debug_row_0_o = row_0_q[debug_context_i];
      debug_row_1_o = row_1_q[debug_context_i];
    end
  end
endmodule
