// The weights of one unit of the matrix engine: entries 4u to 4u + 3 of CW, one a phase.
module amp_weights (
    input  logic        clk_i,         // gated: runs in reset and for writes
    input  logic        rst_ni,
    input  logic [ 7:0] write_i,       // bit 2k: low word of entry k, 2k + 1: its high word
    input  logic [63:0] even_i,        // data for entries 0 and 2
    input  logic [63:0] odd_i,         // for entries 1 and 3
    input  logic        valid_i,
    input  logic [ 1:0] phase_i,
    output logic [63:0] w_o,
    input  logic        debug_read_i,
    input  logic [ 1:0] debug_entry_i,
    output logic [63:0] debug_o
);
  logic [63:0] entry_0_q, entry_1_q, entry_2_q, entry_3_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      entry_0_q <= 64'd0;
      entry_1_q <= 64'd0;
      entry_2_q <= 64'd0;
      entry_3_q <= 64'd0;
    end else begin
      if (write_i[0]) entry_0_q[31:0] <= even_i[31:0];
      if (write_i[1]) entry_0_q[63:32] <= even_i[63:32];
      if (write_i[2]) entry_1_q[31:0] <= odd_i[31:0];
      if (write_i[3]) entry_1_q[63:32] <= odd_i[63:32];
      if (write_i[4]) entry_2_q[31:0] <= even_i[31:0];
      if (write_i[5]) entry_2_q[63:32] <= even_i[63:32];
      if (write_i[6]) entry_3_q[31:0] <= odd_i[31:0];
      if (write_i[7]) entry_3_q[63:32] <= odd_i[63:32];
    end
  end

  always_comb begin
    w_o = 64'd0;
    if (valid_i) begin
      case (phase_i)
        2'd0: w_o = entry_0_q;
        2'd1: w_o = entry_1_q;
        2'd2: w_o = entry_2_q;
        default: w_o = entry_3_q;
      endcase
    end
  end

  always_comb begin
    debug_o = 64'd0;
    if (debug_read_i) begin
      case (debug_entry_i)
        2'd0: debug_o = entry_0_q;
        2'd1: debug_o = entry_1_q;
        2'd2: debug_o = entry_2_q;
        default: debug_o = entry_3_q;
      endcase
    end
  end
endmodule
