// The stream latches of the matrix engine (arithmetic.md, Paced form): X and P, which loads fill, and R, which is stored
// a step after it was computed. Read in X1, written in W. In reset those of context reset_context_i are made zero.
module stream_latches (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 2:0] reset_context_i,
    // X1.
    input  logic        read_i,
    input  logic [ 2:0] read_context_i,
    output logic [63:0] x_o,
    output logic [63:0] p_o,
    output logic [63:0] r_o,
    // W.
    input  logic        clear_i,          // all three of the context
    input  logic        step_i,           // R = r_i
    input  logic        load_x_i,
    input  logic        load_p_i,
    input  logic [ 2:0] write_context_i,
    input  logic [63:0] x_i,
    input  logic [63:0] p_i,
    input  logic [63:0] r_i,
    // Debugger: numbers 32..37 of space 5, the low and high words of X, P, R.
    input  logic        debug_read_i,
    input  logic        debug_write_i,
    input  logic [ 2:0] debug_rcontext_i,
    input  logic [ 2:0] debug_rnumber_i,
    input  logic [ 2:0] debug_wcontext_i,
    input  logic [ 2:0] debug_wnumber_i,
    input  logic [31:0] debug_wdata_i,
    output logic [31:0] debug_rdata_o
);
  logic [63:0] x_q[0:7];
  logic [63:0] p_q[0:7];
  logic [63:0] r_q[0:7];

  always_comb begin
    x_o = 64'd0;
    p_o = 64'd0;
    r_o = 64'd0;
    if (read_i) begin
      x_o = x_q[read_context_i];
      p_o = p_q[read_context_i];
      r_o = r_q[read_context_i];
    end
  end

  logic [63:0] looked;
  always_comb begin
    looked = 64'd0;
    if (debug_read_i) begin
      case (debug_rnumber_i[2:1])
        2'd0: looked = x_q[debug_rcontext_i];
        2'd1: looked = p_q[debug_rcontext_i];
        default: looked = r_q[debug_rcontext_i];
      endcase
    end
  end
  assign debug_rdata_o = debug_rnumber_i[0] ? looked[63:32] : looked[31:0];

  // One write of each latch: in reset, by a step, a clear or the debugger.
  logic writes, clears;
  assign writes = step_i | clear_i | debug_write_i | !rst_ni;
  assign clears = clear_i | !rst_ni;
  function automatic logic [63:0] patched(input logic high, input logic [63:0] old, input logic [31:0] word);
    patched = high ? {word, old[31:0]} : {old[63:32], word};
  endfunction
  always_ff @(posedge clk_i) begin : write
    logic write_x, write_p, write_r;
    logic [2:0] worker;
    logic [63:0] x, p, r;
    if (writes) begin
      worker = rst_ni ? write_context_i : reset_context_i;
      write_x = load_x_i | clears;
      write_p = load_p_i | clears;
      write_r = step_i | clears;
      x = clears ? 64'd0 : x_i;
      p = clears ? 64'd0 : p_i;
      r = clears ? 64'd0 : r_i;
      if (debug_write_i & rst_ni) begin
        worker = debug_wcontext_i;
        write_x = debug_wnumber_i[2:1] == 2'd0;
        write_p = debug_wnumber_i[2:1] == 2'd1;
        write_r = debug_wnumber_i[2:1] == 2'd2;
        x = patched(debug_wnumber_i[0], x_q[worker], debug_wdata_i);
        p = patched(debug_wnumber_i[0], p_q[worker], debug_wdata_i);
        r = patched(debug_wnumber_i[0], r_q[worker], debug_wdata_i);
      end
      if (write_x) x_q[worker] <= x;
      if (write_p) p_q[worker] <= p;
      if (write_r) r_q[worker] <= r;
    end
  end
endmodule
