// The contexts' watchpoints (tile.md, Breakpoints and watchpoints): whether the accesses of the instruction in M are
// watched.
module watchpoint (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // M.
  input  logic [2:0]              m_context_i,
  input  logic                    m_commits_i,      // the instruction takes effect
  input  memory_pkg::accesses_t    m_accesses_i,
  input  stage_pkg::places_t      m_places_i,
  output logic                    m_watched_o,
  // Debugger.
  input  stage_pkg::debug_write_t debug_write_i,
  input  logic [2:0]              debug_context_i,  // of a read
  output logic [31:0]             debug_o
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
    m_watched_o = 1'b0;
    if (enabled_q & m_commits_i) begin
      watch = watch_q[m_context_i*25+:25];
      if (watch.reads & m_accesses_i.read) m_watched_o = touches(watch.word_address, watch.size, m_places_i.address[19:3], m_accesses_i.words);
      if (watch.reads & m_accesses_i.read1) m_watched_o = m_watched_o | touches(watch.word_address, watch.size, m_places_i.word1, 2'b11);
      if (watch.writes & m_accesses_i.write)
        m_watched_o = m_watched_o | touches(watch.word_address, watch.size, m_places_i.write_word,
                                              {m_accesses_i.strobe[7:4] != 4'd0, m_accesses_i.strobe[3:0] != 4'd0});
    end
  end

  assign debug_o = {7'd0, watch_q[debug_context_i*25+:25]};
  always_ff @(posedge clk_i) begin
    if (debug_write_i.watchpoint) begin
      for (int c = 0; c < 7; c++) if (debug_write_i.chosen[c]) watch_q[c*25+:25] <= debug_write_i.data[24:0];
      enabled_q <= 1'b1;
    end
    if (!rst_ni) begin
      enabled_q <= 1'b0;
      watch_q <= '0;
    end
  end

  // What others need of all this.
  logic unused;
  assign unused = ^{m_accesses_i, m_places_i, debug_write_i};
endmodule
