// The contexts' watchpoints (tile.md, Breakpoints and watchpoints): whether the accesses of the instruction in M are
// watched.
module watchpoint (
    input  logic        clk_i,
    input  logic        rst_ni,
    // M.
    input  logic [ 2:0] context_i,
    input  logic        commit_i,        // the instruction takes effect
    input  logic        read_i,          // its accesses: first read, second read, write
    input  logic        read1_i,
    input  logic        write_i,
    input  logic [19:3] address_i,
    input  logic [19:3] address1_i,
    input  logic [19:3] write_address_i,
    input  logic [ 1:0] read_words_i,    // which words of 64 bits the first read takes: low, high
    input  logic [ 7:0] strobe_i,
    output logic        watched_o,
    // Debugger.
    input  logic [ 6:0] debug_chosen_i,  // contexts that a write is to
    input  logic        debug_write_i,
    input  logic [24:0] debug_wdata_i,
    input  logic [ 2:0] debug_context_i, // of a read
    output logic [31:0] debug_o
);
  logic [8*25-1:0] watch_q;  // by context; the last unused
  logic enabled_q;           // some context may have one

  words_pkg::watchpoint_t watch;
  function automatic logic touches(input logic [17:0] first, input logic [4:0] size, input logic [19:3] address,
                                   input logic [1:0] words);
    touches = size > 5'd2 | words[first[0]];
    for (int i = 3; i < 20; i++) if (size <= 5'(i) && address[i] != first[i-2]) touches = 1'b0;
  endfunction

  always_comb begin
    watch = '0;
    watched_o = 1'b0;
    if (enabled_q & commit_i) begin
      watch = watch_q[context_i*25+:25];
      if (watch.reads & read_i) watched_o = touches(watch.word_address, watch.size, address_i, read_words_i);
      if (watch.reads & read1_i) watched_o = watched_o | touches(watch.word_address, watch.size, address1_i, 2'b11);
      if (watch.writes & write_i)
        watched_o = watched_o | touches(watch.word_address, watch.size, write_address_i, {strobe_i[7:4] != 4'd0, strobe_i[3:0] != 4'd0});
    end
  end

  assign debug_o = {7'd0, watch_q[debug_context_i*25+:25]};
  always_ff @(posedge clk_i) begin
    if (debug_write_i) begin
      for (int c = 0; c < 7; c++) if (debug_chosen_i[c]) watch_q[c*25+:25] <= debug_wdata_i;
      enabled_q <= 1'b1;
    end
    if (!rst_ni) begin
      enabled_q <= 1'b0;
      watch_q <= '0;
    end
  end
endmodule
