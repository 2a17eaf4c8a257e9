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
  // By context; what a bit of these three does not vouch for is 0. Whoever repeats knows both pcs.
  logic [7:0] repeating_q, first_known_q, last_known_q;
  logic [31:0] first_q[0:7];
  logic [31:0] last_q[0:7];
  logic [31:0] left_q[0:7];
  assign d_in_body_o = repeating_q[d_context_i];

  logic repeating, begins;
  logic [31:0] body_bytes;
  assign body_bytes = {20'd0, immediate_i ? {word_i[19:15], word_i[11:7]} : word_i[29:20], 2'b00};
  assign repeating = repeating_q[context_i];
  assign begins = repeat_i & (count_i != 32'd0) & !repeating;
  always_comb begin
    next_pc_o = next_pc_i;
    if (repeating) begin
      if (pc_i == last_q[context_i] && left_q[context_i] != 32'd1) next_pc_o = first_q[context_i];
    end else if (repeat_i) begin
      if (!begins) next_pc_o = next_pc_i + body_bytes;
    end
  end

  // What is written of who repeats: an instruction of a worker, or the debugger while none is under way.
  logic busy, turns;
  logic [2:0] writes, context_w;  // first, last, left
  logic [31:0] first_w, last_w, left_w;
  assign turns = commit_i & repeating && pc_i == last_q[context_i];
  always_comb begin
    writes = {turns, 2'b00} | {3{commit_i & begins}};
    context_w = context_i;
    first_w = next_pc_i;
    last_w = pc_i + body_bytes;
    left_w = repeating ? left_q[context_i] - 32'd1 : count_i;
    if (write_i != 3'd0) begin
      // A pc that is not known is 0.
      writes = write_i | {1'b0, {2{write_i[2]}} & ~{last_known_q[write_context_i], first_known_q[write_context_i]}};
      context_w = write_context_i;
      first_w = write_i[0] ? wdata_i : 32'd0;
      last_w = write_i[1] ? wdata_i : 32'd0;
      left_w = wdata_i;
    end
  end
  assign busy = repeating | repeat_i | launch_i != 6'd0 | start_i | write_i != 3'd0 | !rst_ni;
  always_ff @(posedge clk_i) begin
    if (busy) begin
      if (writes[0]) begin
        first_q[context_w] <= first_w;
        first_known_q[context_w] <= 1'b1;
      end
      if (writes[1]) begin
        last_q[context_w] <= last_w;
        last_known_q[context_w] <= 1'b1;
      end
      if (writes[2]) begin
        left_q[context_w] <= left_w;
        repeating_q[context_w] <= left_w != 32'd0;
      end
      if (launch_i != 6'd0) begin
        for (int w = 0; w < 6; w++) begin
          if (launch_i[w]) begin
            repeating_q[w+1] <= 1'b0;
            first_known_q[w+1] <= 1'b0;
            last_known_q[w+1] <= 1'b0;
          end
        end
      end
      if (!rst_ni | start_i) begin
        repeating_q <= 8'd0;
        first_known_q <= 8'd0;
        last_known_q <= 8'd0;
      end
    end
  end

  assign csr_left_o = repeating_q[csr_context_i] ? left_q[csr_context_i] : 32'd0;
  always_comb begin
    rdata_o = 32'd0;
    if (read_i) begin
      case (read_number_i)
        2'd0: if (first_known_q[read_context_i] | repeating_q[read_context_i]) rdata_o = first_q[read_context_i];
        2'd1: if (last_known_q[read_context_i] | repeating_q[read_context_i]) rdata_o = last_q[read_context_i];
        default: if (repeating_q[read_context_i]) rdata_o = left_q[read_context_i];
      endcase
    end
  end

  // Fields of other formats.
  logic unused;
  assign unused = &{1'b0, word_i[31:30], word_i[14:12], word_i[6:0]};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      who_repeats_has_passes_left : assert (!repeating_q[context_i] || left_q[context_i] != 32'd0);
      only_workers_repeat : assert (!repeating_q[0] && !repeating_q[7]);
      who_repeats_knows_its_body : assert ((repeating_q & ~(first_known_q & last_known_q)) == 8'd0);
    end
  end
`endif
endmodule
