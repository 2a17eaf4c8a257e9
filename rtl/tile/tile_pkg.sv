// What the modules of a tile share: the memory map as functions.
package tile_pkg;
  function automatic logic in_memory(input logic [31:0] address);
    in_memory = address >= memory_pkg::BASE && address < memory_pkg::END;
  endfunction

  // Address of an instruction: in region 0 and 4-aligned.
  function automatic logic executable(input logic [31:0] address);
    executable = address >= memory_pkg::BASE && address < memory_pkg::REGION1_BASE && address[1:0] == 2'b00;
  endfunction

  // {element, row} of a 64-bit word (byte address / 8) in region 0, where an element's words follow each other.
  function automatic memory_pkg::place_t locate0(input logic [16:0] word);
    locate0 = memory_pkg::PLACE_BITS'(word - 17'(memory_pkg::BASE >> 3));
  endfunction

  // {element, row} of any word inside the memory; region 1, which begins with a pair of elements, interleaves two.
  function automatic memory_pkg::place_t locate(input logic [16:0] word);
    if (word >= 17'(memory_pkg::REGION1_BASE >> 3))
      locate = locate0({word[16:memory_pkg::ROW_BITS+1], word[0], word[memory_pkg::ROW_BITS:1]});
    else locate = locate0(word);
  endfunction

  // The other way: the word, by byte address / 8, that is at a place.
  function automatic logic [16:0] word_at(input memory_pkg::place_t place);
    word_at = 17'(place) + 17'(memory_pkg::BASE >> 3);
    if (word_at >= 17'(memory_pkg::REGION1_BASE >> 3))
      word_at = {word_at[16:memory_pkg::ROW_BITS+1], word_at[memory_pkg::ROW_BITS-1:0], word_at[memory_pkg::ROW_BITS]};
  endfunction

  // Check bits: even parity of each byte. The sums are at the bytes' lowest bits first, and move together by halves: few
  // steps for a simulator, and but wires in hardware.
  function automatic logic [7:0] parity(input logic [63:0] data);
    logic [63:0] sums;
    sums = data ^ (data >> 4);
    sums = sums ^ (sums >> 2);
    sums = (sums ^ (sums >> 1)) & 64'h0101_0101_0101_0101;
    sums = (sums | (sums >> 7)) & 64'h0003_0003_0003_0003;
    sums = (sums | (sums >> 14)) & 64'h0000_000f_0000_000f;
    sums = sums | (sums >> 28);
    parity = sums[7:0];
  endfunction
  function automatic logic [3:0] parity_of_word(input logic [31:0] data);
    logic [31:0] sums;
    sums = data ^ (data >> 4);
    sums = sums ^ (sums >> 2);
    sums = (sums ^ (sums >> 1)) & 32'h0101_0101;
    sums = (sums | (sums >> 7)) & 32'h0003_0003;
    sums = sums | (sums >> 14);
    parity_of_word = sums[3:0];
  endfunction
endpackage
