// The stream latches of the matrix engine (arithmetic.md, Paced form): X and P, which loads fill, and R, which is stored
// a step after it was computed. Read in X1, written in W. All zero after power-up.
module stream_latches (
    input  logic        clk_i,
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
  initial begin
    for (int i = 0; i < 8; i++) begin
      x_q[i] = 64'd0;
      p_q[i] = 64'd0;
      r_q[i] = 64'd0;
    end
  end

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

  logic [63:0] keep, patched;
  always_comb begin
    keep = 64'd0;
    if (debug_write_i) begin
      case (debug_wnumber_i[2:1])
        2'd0: keep = x_q[debug_wcontext_i];
        2'd1: keep = p_q[debug_wcontext_i];
        default: keep = r_q[debug_wcontext_i];
      endcase
    end
    patched = debug_wnumber_i[0] ? {debug_wdata_i, keep[31:0]} : {keep[63:32], debug_wdata_i};
  end

  always_ff @(posedge clk_i) begin
    if (step_i) r_q[write_context_i] <= r_i;
    if (load_x_i) x_q[write_context_i] <= x_i;
    if (load_p_i) p_q[write_context_i] <= p_i;
    if (clear_i) begin
      x_q[write_context_i] <= 64'd0;
      p_q[write_context_i] <= 64'd0;
      r_q[write_context_i] <= 64'd0;
    end
    if (debug_write_i) begin
      case (debug_wnumber_i[2:1])
        2'd0: x_q[debug_wcontext_i] <= patched;
        2'd1: p_q[debug_wcontext_i] <= patched;
        default: r_q[debug_wcontext_i] <= patched;
      endcase
    end
  end
endmodule
