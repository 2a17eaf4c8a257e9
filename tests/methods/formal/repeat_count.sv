// rpt runs its body exactly n times: from an rpt with count n and body length b of any worker, what it executes is n passes of b
// instructions in order and then the instruction after the body; with n = 0 that instruction at once. Meanwhile xrepeat shows the
// passes that are left, the one under way included.
//
// Free: the instructions of the other contexts, and when this one executes. Assumed, since the decoder makes them illegal: no
// branch and no rpt within a body; a length of 0 is an operand exception, so that rpt does not take effect.
module repeat_count (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        commit_i,
    input logic        repeat_i,
    input logic        immediate_i,
    input logic [ 2:0] context_i,
    input logic [31:0] pc_i,
    input logic [31:0] word_i,
    input logic [31:0] count_i,
    input logic [31:0] next_pc_i,
    input logic [ 5:0] launch_i,
    input logic        start_i,
    input logic [ 2:0] write_i,
    input logic [ 2:0] write_context_i,
    input logic [31:0] wdata_i
);
  (* anyconst *) logic [2:0] watched;  // any worker, as a context
  always_comb assume (watched >= 3'd1 && watched <= 3'd6);

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // The debugger reads first and last pc by turns.
  logic turn_q;
  initial turn_q = 1'b0;
  always_ff @(posedge clk_i) turn_q <= !turn_q;

  logic in_body;
  logic [31:0] next_pc, left, rdata;
  repeat_loop u_repeat (
      .clk_i,
      .rst_ni,
      .d_context_i    (watched),
      .d_in_body_o    (in_body),
      .commit_i,
      .repeat_i,
      .immediate_i,
      .context_i,
      .pc_i,
      .word_i,
      .count_i,
      .next_pc_i,
      .next_pc_o      (next_pc),
      .launch_i,
      .start_i,
      .csr_context_i  (watched),
      .csr_left_o     (left),
      .read_i         (1'b1),
      .read_context_i (watched),
      .read_number_i  ({1'b0, turn_q}),
      .rdata_o        (rdata),
      .write_i,
      .write_context_i,
      .wdata_i
  );

  // The repeat as the page describes it: how many passes are complete, which instruction of the body is next, and where the
  // body of `length` instructions begins and ends.
  logic running_q;
  logic [31:0] passes_q, times_q, place_q, first_q, last_q;
  logic mine, executes;
  logic [9:0] length;
  assign mine = context_i == watched;
  assign executes = commit_i && mine;
  assign length = immediate_i ? {word_i[19:15], word_i[11:7]} : word_i[29:20];

  always_comb begin
    assume (write_i == 3'd0 || write_context_i != watched);
    if (repeat_i) assume (length != 10'd0 && next_pc_i == pc_i + 32'd4);
    if (mine && running_q) assume (!repeat_i && pc_i == place_q && next_pc_i == pc_i + 32'd4);
  end

  logic last_of_body, last_pass;
  assign last_of_body = place_q == last_q;
  assign last_pass = passes_q + 32'd1 == times_q;
  always_ff @(posedge clk_i) begin
    if (executes) begin
      if (running_q) begin
        place_q <= last_of_body ? first_q : place_q + 32'd4;
        if (last_of_body) passes_q <= passes_q + 32'd1;
        if (last_of_body && last_pass) running_q <= 1'b0;
      end else if (repeat_i && count_i != 32'd0) begin
        running_q <= 1'b1;
        passes_q <= 32'd0;
        times_q <= count_i;
        place_q <= pc_i + 32'd4;
        first_q <= pc_i + 32'd4;
        last_q <= pc_i + {20'd0, length, 2'b00};
      end
    end
    if (launch_i[watched-3'd1] | start_i | !rst_ni) running_q <= 1'b0;
  end

  always_comb begin
    if (rst_ni) begin
      assert (in_body == running_q);
      if (running_q) begin
        assert (passes_q < times_q);
        assert (left == times_q - passes_q);
        assert (rdata == (turn_q ? last_q : first_q));
        if (mine) begin
          if (!last_of_body) assert (next_pc == pc_i + 32'd4);
          else if (!last_pass) assert (next_pc == first_q);
          else assert (next_pc == last_q + 32'd4);
        end
      end else begin
        assert (left == 32'd0);
        if (mine && repeat_i) assert (next_pc == (count_i == 32'd0 ? pc_i + 32'd4 + {20'd0, length, 2'b00} : pc_i + 32'd4));
        if (mine && !repeat_i) assert (next_pc == next_pc_i);
      end
    end
  end
endmodule
