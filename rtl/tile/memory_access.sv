// Loads and stores: in X2 the addresses are checked and taken apart and store data put into its byte lanes; in W load data
// is aligned, extended and boxed. Combinational.
//
// Most make one access. The others: 128 bits are two reads of neighbouring elements; an address triple makes the accesses
// of uses_i, of 64 bits each.
module memory_access (
    // X2
    input  logic        valid_i,          // X2 holds a legal instruction that accesses memory
    input  logic        wide_i,
    input  logic        triple_i,
    input  logic [ 2:0] uses_i,           // a2 (write), a1 (read), a0 (read)
    input  logic [ 8:0] id_i,
    input  logic [31:0] address_i,        // the only one, or a0
    input  logic [20:0] word1_i,          // a1 and a2 in units of 8 bytes
    input  logic [20:0] word2_i,
    input  logic [63:0] data_i,
    output logic        fault_o,          // some address outside memory or misaligned
    output logic [31:0] address_o,        // of the first access; of the first bad one
    output logic        read_o,           // first read, second read, write
    output logic        read1_o,
    output logic        write_o,
    output logic [ 5:0] element_o,
    output logic [10:0] row_o,
    output logic [19:3] address1_o,
    output logic [ 5:0] element1_o,
    output logic [10:0] row1_o,
    output logic [19:3] write_address_o,
    output logic [ 5:0] write_element_o,
    output logic [10:0] write_row_o,
    output logic [63:0] wdata_o,          // lanes without strobe are 0
    output logic [ 7:0] strobe_o,
    // W
    input  logic        load_i,           // W holds a load into a register
    input  logic [ 8:0] load_id_i,
    input  logic [ 2:0] load_lane_i,
    input  logic [63:0] rdata_i,
    output logic [63:0] load_o
);
  function automatic logic bad(input logic [20:0] word);
    bad = !tile_pkg::in_memory({8'd0, word, 3'd0});
  endfunction

  logic misaligned, bad0, bad1, bad2;
  always_comb begin
    misaligned = 1'b0;
    bad0 = 1'b0;
    bad1 = 1'b0;
    bad2 = 1'b0;
    fault_o = 1'b0;
    address_o = address_i;
    {element_o, row_o} = 17'd0;
    address1_o = 17'd0;
    {element1_o, row1_o} = 17'd0;
    wdata_o = data_i;
    strobe_o = 8'd0;
    if (valid_i) begin
      {element_o, row_o} = tile_pkg::locate(address_i[19:3]);
      if (triple_i) begin
        address1_o = word1_i[16:0];
        {element1_o, row1_o} = tile_pkg::locate(word1_i[16:0]);
        strobe_o = {8{uses_i[2]}};
        bad0 = uses_i[0] & bad(address_i[23:3]);
        bad1 = uses_i[1] & bad(word1_i);
        bad2 = uses_i[2] & bad(word2_i);
        fault_o = bad0 | bad1 | bad2;
        if (!bad0 & bad1) address_o = {8'd0, word1_i, 3'd0};
        else if (!bad0 & bad2) address_o = {8'd0, word2_i, 3'd0};
      end else begin
        case (id_i)
          isa_pkg::LB, isa_pkg::LBU: ;
          isa_pkg::SB: begin
            strobe_o = 8'h01 << address_i[2:0];
            wdata_o = {56'd0, data_i[7:0]} << {address_i[2:0], 3'd0};
          end
          isa_pkg::LH, isa_pkg::LHU, isa_pkg::FLH, isa_pkg::LD16STEP: misaligned = address_i[0];
          isa_pkg::SH, isa_pkg::FSH, isa_pkg::ST16STEP: begin
            misaligned = address_i[0];
            strobe_o = 8'h03 << address_i[2:0];
            wdata_o = {48'd0, data_i[15:0]} << {address_i[2:0], 3'd0};
          end
          isa_pkg::SW, isa_pkg::FSW, isa_pkg::ST32STEP: begin
            misaligned = address_i[1:0] != 2'd0;
            strobe_o = address_i[2] ? 8'hf0 : 8'h0f;
            wdata_o = address_i[2] ? {data_i[31:0], 32'd0} : {32'd0, data_i[31:0]};
          end
          isa_pkg::LW, isa_pkg::FLW, isa_pkg::LD32STEP: misaligned = address_i[1:0] != 2'd0;
          isa_pkg::FSD, isa_pkg::ST64STEP, isa_pkg::ST64STRIDE: begin
            misaligned = address_i[2:0] != 3'd0;
            strobe_o = 8'hff;
          end
          default: misaligned = address_i[2:0] != 3'd0;  // loads of 64 and 128 bits
        endcase
        fault_o = misaligned | !tile_pkg::in_memory(address_i);
        if (wide_i) begin
          if (address_i[3] || address_i < isa_pkg::REGION1_BASE) fault_o = 1'b1;
          address1_o = {address_i[19:4], 1'b1};
          element1_o = element_o + 6'd1;
          row1_o = row_o;
        end
      end
    end
  end

  always_comb begin
    read_o = valid_i & (triple_i ? uses_i[0] : strobe_o == 8'd0);
    read1_o = valid_i & (triple_i ? uses_i[1] : wide_i);
    write_o = strobe_o != 8'd0;
    write_address_o = address_i[19:3];
    write_element_o = element_o;
    write_row_o = row_o;
    if (triple_i) begin
      write_address_o = word2_i[16:0];
      {write_element_o, write_row_o} = tile_pkg::locate(word2_i[16:0]);
    end
  end

  logic [31:0] low;
  always_comb begin
    low = 32'd0;
    load_o = 64'd0;
    if (load_i) begin
      low = 32'(rdata_i >> {load_lane_i, 3'd0});
      case (load_id_i)
        isa_pkg::LB: load_o = {32'd0, {24{low[7]}}, low[7:0]};
        isa_pkg::LBU: load_o = {56'd0, low[7:0]};
        isa_pkg::LH: load_o = {32'd0, {16{low[15]}}, low[15:0]};
        isa_pkg::LHU: load_o = {48'd0, low[15:0]};
        isa_pkg::FLH, isa_pkg::LD16STEP: load_o = {48'hffff_ffff_ffff, low[15:0]};
        isa_pkg::FLW, isa_pkg::LD32STEP: load_o = {32'hffff_ffff, low[31:0]};
        isa_pkg::LW: load_o = {32'd0, low[31:0]};
        default: load_o = rdata_i;  // 64 bits: lane 0
      endcase
    end
  end
endmodule
