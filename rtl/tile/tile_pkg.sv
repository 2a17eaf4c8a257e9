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
endpackage
