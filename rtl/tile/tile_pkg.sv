// What the modules of a tile share: the memory map as functions, and the record of what a tile did in a cycle.
package tile_pkg;
  // What tile.sv shows of its inside, for lockstep and traces. Fields are arranged so that each lies in its own 32-bit
  // words (word 0 is the last field, port_data).
  //
  // The retire record of an instruction issued in cycle c is shown in cycle c + 5 (its cycle is now - 5); c is the issue
  // of the last pass where an instruction holds several slots. The port write of cycle y is shown in y + 1.
  // Fields of a record that is not valid mean nothing; of a valid one, what does not apply is 0.
  typedef struct packed {
    logic pair_write;         // word 14: bit 31: float register reg_number + 1 as well
    logic base_write;         // bit 30: rs1 is updated
    logic base_float;         // bit 29
    logic [4:0] base_number;  // bits 28:24
    logic [23:0] zero2;
    logic [63:0] pair_data;   // words 13:12
    logic [63:0] base_data;   // words 11:10
    logic retire_valid;       // word 9: bit 31
    logic port_valid;         // bit 30
    logic port_packet;        // bit 29: packet in; else exchange
    logic reg_write;          // bit 28
    logic reg_float;          // bit 27
    logic mem_write;          // bit 26
    logic [2:0] context_id;   // bits 25:23: 0 supervisor, 1..6 workers
    logic [4:0] reg_number;   // bits 22:18
    logic [4:0] flags;        // bits 17:13
    logic zero;               // bit 12
    logic [3:0] exception;    // bits 11:8: cause, 0 none
    logic [7:0] mem_strobe;   // bits 7:0
    logic [31:0] pc;          // word 8
    logic [31:0] instruction; // word 7
    logic [63:0] reg_data;    // words 6:5
    logic [31:0] mem_address; // word 4: 8-aligned
    logic [63:0] mem_data;    // words 3:2: in byte lanes
    logic [31:0] port_address;// word 1
    logic [31:0] port_data;   // word 0
  } observe_t;

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
