// The host port takes the blocks' packets whole, in the order in which they have come to be first in their blocks, of several the
// lowest block's, and does not rest while one waits.
//
// Free: when packets come, and how long they are. Assumed: a word that a block shows stands until it is taken, and the words of a packet are there
// without a gap once its first is.
module turns_by_age (
    input logic         clk_i,
    input logic         rst_ni,
    input logic [  2:0] valid_i,
    input logic [101:0] word_i
);
  localparam int Blocks = 3;
  (* anyconst *) logic [1:0] one, other;
  always_comb assume (one < 2'd3 && other < 2'd3 && one != other);

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  logic [2:0] take;
  logic       valid;
  logic [33:0] word;
  port_turns u_turns (
      .clk_i,
      .rst_ni,
      .valid_i,
      .word_i,
      .take_o (take),
      .valid_o(valid),
      .word_o (word)
  );

  logic [2:0] last, left_q;  // left_q: shown and not taken
  always_comb for (int b = 0; b < Blocks; b++) last[b] = word_i[b*34+33];
  always_ff @(posedge clk_i) left_q <= rst_ni ? valid_i & ~take : '0;
  logic [101:0] word_q;
  always_ff @(posedge clk_i) word_q <= word_i;
  always_comb
    for (int b = 0; b < Blocks; b++)
      if (started_q && left_q[b]) assume (valid_i[b] && word_i[b*34+:34] == word_q[b*34+:34]);

  // As the page says it: the block whose packet is under way, and of two blocks which has waited for longer.
  logic [2:0] under_way_q, waits, waited_q;
  logic       ahead, ahead_q;  // `one` of `other`, where both wait
  assign waits = valid_i & ~under_way_q;
  always_comb if (rst_ni) assume ((under_way_q & ~valid_i) == '0);
  always_comb begin
    if (waited_q[one]) ahead = !waited_q[other] || ahead_q;
    else ahead = !waited_q[other] && one < other;
  end
  always_ff @(posedge clk_i) begin
    ahead_q <= ahead;
    if (!rst_ni) begin
      under_way_q <= '0;
      waited_q    <= '0;
    end else begin
      waited_q <= waits & ~take;
      for (int b = 0; b < Blocks; b++) if (take[b]) under_way_q[b] <= !last[b];
    end
  end

  logic [33:0] taken, taken_q;
  logic        any_q;
  always_comb begin
    taken = '0;
    for (int b = 0; b < Blocks; b++) if (take[b]) taken = word_i[b*34+:34];
  end
  always_ff @(posedge clk_i) begin
    taken_q <= taken;
    any_q   <= rst_ni && take != '0;
  end

  always_comb begin
    if (rst_ni) begin
      assert ((take & (take - 3'd1)) == '0);
      assert ((take & ~valid_i) == '0);
      assert (under_way_q == '0 || (take & ~under_way_q) == '0);
      assert (under_way_q != '0 || waits == '0 || take != '0);
      assert (!(under_way_q == '0 && take[other] && waits[one] && ahead));
      assert (valid == any_q);
      assert (!any_q || word == taken_q);
    end
  end

  // For the induction: what the RTL keeps is an order, and says of the two what the monitor says.
  (* hierconn *) wire [2:0] \u_turns.goes_q ;
  (* hierconn *) wire [2:0] \u_turns.waits_q ;
  (* hierconn *) wire [8:0] \u_turns.longer_q ;
  logic [2:0] goes, rtl_waits;
  logic [8:0] longer;  // bit 3 b + c: c has waited for longer than b
  assign goes      = \u_turns.goes_q ;
  assign rtl_waits = \u_turns.waits_q ;
  assign longer    = \u_turns.longer_q ;
  logic ahead_rtl;
  always_comb begin
    ahead_rtl = 1'b0;
    for (int b = 0; b < Blocks; b++)
      for (int c = 0; c < Blocks; c++) if (other == 2'(b) && one == 2'(c)) ahead_rtl = longer[3*b+c];
    if (rst_ni) begin
      assert (goes == under_way_q && rtl_waits == waited_q);
      assert ((goes & (goes - 3'd1)) == '0 && (goes & rtl_waits) == '0);
      if (waited_q[one] && waited_q[other]) assert (ahead_rtl == ahead_q);
      for (int b = 0; b < Blocks; b++)
        for (int c = 0; c < b; c++)
          if (rtl_waits[b] && rtl_waits[c]) assert (longer[3*b+c] != longer[3*c+b]);
      if (rtl_waits == '1) begin
        assert (!(longer[3*0+1] && longer[3*1+2] && longer[3*2+0]));
        assert (!(longer[3*0+2] && longer[3*2+1] && longer[3*1+0]));
      end
      for (int b = 0; b < Blocks; b++) if (rtl_waits[b]) assert (!longer[4*b]);
    end
  end
endmodule
