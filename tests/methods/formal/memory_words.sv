// The words of a tile's memory: each bit that turns over changes its byte's check bit and no other (tile.md, Parity), and each word
// is told by the address at which it is accessed: place and address are each other's inverse over the whole memory, and no two words
// share a place. Free: data, bits, addresses.
module memory_words (
    input logic [63:0] data_i,
    input logic [ 5:0] bit_i,
    input logic [16:0] word_i,
    input logic [16:0] other_i
);
  logic [7:0] before, after;
  assign before = tile_pkg::parity(data_i);
  assign after  = tile_pkg::parity(data_i ^ (64'd1 << bit_i));

  function automatic logic inside_memory(input logic [16:0] word);
    inside_memory = word >= 17'(memory_pkg::BASE >> 3) && word < 17'(memory_pkg::END >> 3);
  endfunction

  always_comb begin
    assert ((before ^ after) == 8'd1 << bit_i[5:3]);
    assert ({tile_pkg::parity_of_word(data_i[63:32]), tile_pkg::parity_of_word(data_i[31:0])} == before);
    for (int n = 0; n < 8; n++) assert (before[n] == ^data_i[8*n+:8]);
    if (inside_memory(word_i)) begin
      assert (tile_pkg::word_at(tile_pkg::locate(word_i)) == word_i);
      if (inside_memory(other_i) && other_i != word_i) assert (tile_pkg::locate(word_i) != tile_pkg::locate(other_i));
    end
  end
endmodule
