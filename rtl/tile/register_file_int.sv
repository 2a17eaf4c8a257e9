// Integer registers of all contexts: two reads in D, one write in W. Register 0 is never written and stays 0.
// The debugger reads through port 1 and writes when the tile waits. In reset register reset_entry_i is made zero (tile.md, Reset).
module register_file_int (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 7:0] reset_entry_i,
    input  logic [ 2:0] context_i,
    input  logic [ 4:0] rs1_i,
    input  logic [ 4:0] rs2_i,
    output logic [31:0] rdata1_o,
    output logic [31:0] rdata2_o,
    input  logic        write_i,
    input  logic [ 2:0] write_context_i,
    input  logic [ 4:0] rd_i,
    input  logic [31:0] wdata_i,
    input  logic        debug_read_i,     // port 1 reads debug_index_i
    input  logic [ 7:0] debug_index_i,    // {context, register}
    input  logic        debug_write_i,
    input  logic [ 7:0] debug_windex_i,
    input  logic [31:0] debug_wdata_i
);
  logic [31:0] registers[0:255];

  logic [7:0] index1;
  assign index1 = debug_read_i ? debug_index_i : {context_i, rs1_i};
  assign rdata1_o = registers[index1];
  assign rdata2_o = registers[{context_i, rs2_i}];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) registers[reset_entry_i] <= 32'd0;
    else if (write_i | debug_write_i)
      registers[write_i?{write_context_i, rd_i} : debug_windex_i] <= write_i ? wdata_i : debug_wdata_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    register_0_is_not_written : assert (!write_i || rd_i != 5'd0);
  end
`endif
endmodule
