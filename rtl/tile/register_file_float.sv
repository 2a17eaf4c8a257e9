// Float registers of the workers, 64 bits: three reads in D; in W an instruction writes up to three
// registers: rs1 (an address triple), then rd, then rd + 1. The outputs are 0 while enable_i is low.
// The debugger reads through port 1 and writes halves when the tile waits. All zero after power-up.
module register_file_float (
    input  logic        clk_i,
    input  logic        enable_i,         // D holds an instruction that reads float registers, or the debugger reads
    input  logic [ 2:0] context_i,
    input  logic [ 4:0] rs1_i,
    input  logic [ 4:0] rs2_i,
    input  logic [ 4:0] rs3_i,
    output logic [63:0] rdata1_o,
    output logic [63:0] rdata2_o,
    output logic [63:0] rdata3_o,
    input  logic        write_i,          // rd
    input  logic        write_pair_i,     // rd + 1, rd being even
    input  logic        write_base_i,     // rs1
    input  logic [ 2:0] write_context_i,
    input  logic [ 4:0] rd_i,
    input  logic [ 4:0] base_rs1_i,
    input  logic [63:0] wdata_i,
    input  logic [63:0] pair_wdata_i,
    input  logic [63:0] base_wdata_i,
    input  logic        debug_read_i,     // port 1 reads debug_index_i
    input  logic [ 7:0] debug_index_i,    // {context, register}
    input  logic        debug_write_i,
    input  logic [ 7:0] debug_windex_i,
    input  logic        debug_high_i,     // which half is written
    input  logic [31:0] debug_wdata_i
);
  logic [63:0] registers[0:255];
  initial for (int i = 0; i < 256; i++) registers[i] = 64'd0;

  logic [7:0] index1;
  assign index1 = debug_read_i ? debug_index_i : {context_i, rs1_i};
  always_comb begin
    rdata1_o = 64'd0;
    rdata2_o = 64'd0;
    rdata3_o = 64'd0;
    if (enable_i) begin
      rdata1_o = registers[index1];
      rdata2_o = registers[{context_i, rs2_i}];
      rdata3_o = registers[{context_i, rs3_i}];
    end
  end

  logic [63:0] keep;
  assign keep = debug_write_i ? registers[debug_windex_i] : 64'd0;
  always_ff @(posedge clk_i) begin
    if (write_base_i) registers[{write_context_i, base_rs1_i}] <= base_wdata_i;
    if (write_i) registers[{write_context_i, rd_i}] <= wdata_i;
    if (write_pair_i) registers[{write_context_i, rd_i[4:1], 1'b1}] <= pair_wdata_i;
    if (debug_write_i)
      registers[debug_windex_i] <= debug_high_i ? {debug_wdata_i, keep[31:0]} : {keep[63:32], debug_wdata_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    a_pair_begins_even : assert (!write_pair_i || !rd_i[0]);
  end
`endif
endmodule
