// The repeats of the workers (arithmetic.md, Repeat): where the body begins and ends and how many passes are left, the
// one under way included. Everything happens in M, when an instruction takes effect.
module repeat_loop (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 2:0] d_context_i,
    output logic        d_in_body_o,      // that context repeats
    // M: the instruction that takes effect there and the pc it leaves its context; what the repeats make of that.
    input  logic        commit_i,
    input  logic        repeat_i,         // it is rpt or rpti
    input  logic        immediate_i,      // rpti
    input  logic [ 2:0] context_i,
    input  logic [31:0] pc_i,
    input  logic [31:0] word_i,
    input  logic [31:0] count_i,
    input  logic [31:0] next_pc_i,
    output logic [31:0] next_pc_o,
    // Ends of repeats.
    input  logic [ 5:0] launch_i,
    input  logic        start_i,          // by the debugger: all
    // CSR xrepeat.
    input  logic [ 2:0] csr_context_i,
    output logic [31:0] csr_left_o,
    // Debugger.
    input  logic        read_i,
    input  logic [ 2:0] read_context_i,
    input  logic [ 1:0] read_number_i,    // 0 first pc, 1 last pc, 2 passes left
    output logic [31:0] rdata_o,
    input  logic [ 2:0] write_i,          // first, last, left
    input  logic [ 2:0] write_context_i,
    input  logic [31:0] wdata_i
);
  // By context. Passes left count only where the bit of repeating_q is set, else they are 0.
  logic [ 7:0] repeating_q;
  logic [31:0] first_q[0:7];
  logic [31:0] last_q[0:7];
  logic [31:0] left_q[0:7];
  initial begin
    for (int i = 0; i < 8; i++) begin
      first_q[i] = 32'd0;
      last_q[i] = 32'd0;
      left_q[i] = 32'd0;
    end
  end
  assign d_in_body_o = repeating_q[d_context_i];

  logic [9:0] length;
  logic at_last;
  logic [31:0] left, body_bytes;
  always_comb begin
    length = immediate_i ? {word_i[19:15], word_i[11:7]} : word_i[29:20];
    next_pc_o = next_pc_i;
    at_last = 1'b0;
    left = 32'd0;
    body_bytes = 32'd0;
    if (repeating_q[context_i]) begin
      at_last = pc_i == last_q[context_i];
      left = left_q[context_i] - 32'd1;
      if (at_last & (left != 32'd0)) next_pc_o = first_q[context_i];
    end else if (repeat_i) begin
      body_bytes = {20'd0, length, 2'b00};
      if (count_i == 32'd0) next_pc_o = next_pc_i + body_bytes;
    end
  end

  always_ff @(posedge clk_i) begin
    if (commit_i) begin
      if (at_last) begin
        left_q[context_i] <= left;
        if (left == 32'd0) repeating_q[context_i] <= 1'b0;
      end
      if (repeat_i && count_i != 32'd0) begin
        first_q[context_i] <= next_pc_i;
        last_q[context_i] <= pc_i + body_bytes;
        left_q[context_i] <= count_i;
        repeating_q[context_i] <= 1'b1;
      end
    end
    if (launch_i != 6'd0) begin
      for (int w = 0; w < 6; w++) begin
        if (launch_i[w]) begin
          repeating_q[w+1] <= 1'b0;
          first_q[w+1] <= 32'd0;
          last_q[w+1] <= 32'd0;
        end
      end
    end
    if (write_i[0]) first_q[write_context_i] <= wdata_i;
    if (write_i[1]) last_q[write_context_i] <= wdata_i;
    if (write_i[2]) begin
      left_q[write_context_i] <= wdata_i;
      repeating_q[write_context_i] <= wdata_i != 32'd0;
    end
    if (!rst_ni | start_i) begin
      repeating_q <= 8'd0;
      for (int i = 0; i < 8; i++) begin
        first_q[i] <= 32'd0;
        last_q[i] <= 32'd0;
      end
    end
  end

  assign csr_left_o = repeating_q[csr_context_i] ? left_q[csr_context_i] : 32'd0;
  always_comb begin
    rdata_o = 32'd0;
    if (read_i) begin
      case (read_number_i)
        2'd0: rdata_o = first_q[read_context_i];
        2'd1: rdata_o = last_q[read_context_i];
        default: if (repeating_q[read_context_i]) rdata_o = left_q[read_context_i];
      endcase
    end
  end

  // Fields of other formats.
  logic unused;
  assign unused = &{1'b0, word_i[31:30], word_i[14:12], word_i[6:0]};
endmodule
