// The packets of a block on their way to the host port, word by word: what comes while nothing waits is there at once. It never
// overflows: the block gives out no more credits than packets fit (exchange_block.sv).
//
// The memory is one of one write and one read port whose read is registered, as a compiler of memories makes them; a word
// that is read in the cycle after it was written goes round it.
module packet_fifo (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [33:0] word_i,
  output logic        valid_o,
  output logic [33:0] word_o,
  input  logic        take_i    // the word there is taken
);
  localparam int unsigned Depth = machine_pkg::BLOCK_PACKETS * words_pkg::MOST_PACKET_WORDS;
  localparam int unsigned Bits = $clog2(Depth);
  localparam logic [Bits-1:0] Last = Bits'(Depth - 1);

  logic [Bits-1:0] write_q, read_q, read_d;
  logic [Bits:0]   words_q;
  logic            empty, write, leaves;
  logic [33:0]     memory_q[Depth];
  logic [33:0]     out_q;

  assign empty   = words_q == '0;
  assign valid_o = valid_i || !empty;
  assign word_o  = empty ? word_i : out_q;
  assign write   = valid_i && !(empty && take_i);
  assign leaves  = take_i && !empty;
  assign read_d  = !leaves ? read_q : read_q == Last ? '0 : read_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (write) memory_q[write_q] <= word_i;
    if (write || !empty) out_q <= write && write_q == read_d ? word_i : memory_q[read_d];
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      words_q <= '0;
    end else begin
      if (write) write_q <= write_q == Last ? '0 : write_q + 1'b1;
      read_q <= read_d;
      if (write != leaves) words_q <= write ? words_q + 1'b1 : words_q - 1'b1;
    end
  end

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Packets.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      fifo_holds_what_credits_allow : assert (!write || leaves || words_q != (Bits + 1)'(Depth));
      only_what_is_there_is_taken : assert (!take_i || valid_o);
    end
  end
`endif
endmodule
