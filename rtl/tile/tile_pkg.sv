// What the modules of a tile share: the memory map as functions.
package tile_pkg;
  function automatic logic in_memory(input logic [31:0] address);
    in_memory = address >= isa_pkg::MEMORY_BASE && address < isa_pkg::MEMORY_END;
  endfunction

  // Address of an instruction: in region 0 and 4-aligned.
  function automatic logic executable(input logic [31:0] address);
    executable = address >= isa_pkg::MEMORY_BASE && address < isa_pkg::REGION1_BASE && address[1:0] == 2'b00;
  endfunction

  // {element, row} of a 64-bit word (byte address / 8) in region 0, where an element holds 16 KiB in a row.
  function automatic logic [16:0] locate0(input logic [16:0] word);
    locate0 = {word[16:11] - 6'(isa_pkg::MEMORY_BASE >> 14), word[10:0]};
  endfunction

  // {element, row} of any word inside the memory; region 1 interleaves two elements.
  function automatic logic [16:0] locate(input logic [16:0] word);
    logic [4:0] pair;
    pair = word[16:12] - 5'(isa_pkg::REGION1_BASE >> 15);
    if (word >= 17'(isa_pkg::REGION1_BASE >> 3))
      locate = {6'(isa_pkg::ELEMENTS_REGION0) + {pair, word[0]}, word[11:1]};
    else locate = locate0(word);
  endfunction
endpackage
