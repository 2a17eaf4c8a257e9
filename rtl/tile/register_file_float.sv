// Float registers of the workers, 64 bits: three reads in D; in W an instruction writes up to three
// registers: rs1 (an address triple), then rd, then rd + 1. The outputs are 0 while enable_i is low, and for contexts that
// are no worker's.
// The debugger reads through port 1 and writes halves when the tile waits. In reset register reset_entry_i is made zero (tile.md,
// Reset).
//
// rs1 and what the debugger writes come a cycle later, which nobody sees: a worker's next instruction reads its registers two
// cycles behind W. So no worker is written twice in a cycle but by rd and rd + 1, and in hardware, where each worker has a
// bank of even and one of odd registers, a bank has one port that writes. A simulation has one array, which is what it is
// quickest with.
module register_file_float (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 7:0] reset_entry_i,
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
  logic [7:0] index1;
  assign index1 = debug_read_i ? debug_index_i : {context_i, rs1_i};
  // A cycle later: rs1, unless the same instruction has written over it, and the debugger's.
  logic base_q, debug_q, debug_high_q, base_writes;
  logic [7:0] base_index_q, debug_index_q;
  logic [63:0] base_data_q;
  logic [31:0] debug_data_q;
  always_ff @(posedge clk_i) begin
    base_q <= 1'b0;
    if (write_base_i) begin
      base_q <= !(write_i & rd_i == base_rs1_i) & !(write_pair_i & {rd_i[4:1], 1'b1} == base_rs1_i);
      base_index_q <= {write_context_i, base_rs1_i};
      base_data_q <= base_wdata_i;
    end
    debug_q <= 1'b0;
    if (debug_write_i) begin
      debug_q <= 1'b1;
      debug_index_q <= debug_windex_i;
      debug_high_q <= debug_high_i;
      debug_data_q <= debug_wdata_i;
    end
  end
  assign base_writes = base_q & base_index_q[7:5] != write_context_i;

`ifdef SYNTHESIS
  logic [12*64-1:0] read1, read2, read3;  // by bank
  for (genvar b = 0; b < 12; b++) begin : g_bank
    localparam logic [3:0] Bank = {3'(b / 2 + 1), 1'(b % 2)};
    logic [31:0] low[0:15], high[0:15];
    logic writes_low, writes_high;
    logic [3:0] row;
    logic [63:0] data;
    always_comb begin
      row = rd_i[4:1];
      data = wdata_i;
      writes_low = write_i & {write_context_i, rd_i[0]} == Bank;
      if (write_pair_i & {write_context_i, 1'b1} == Bank) begin
        data = pair_wdata_i;
        writes_low = 1'b1;
      end
      if (base_writes & {base_index_q[7:5], base_index_q[0]} == Bank) begin
        row = base_index_q[4:1];
        data = base_data_q;
        writes_low = 1'b1;
      end
      writes_high = writes_low;
      if (debug_q) begin
        row = debug_index_q[4:1];
        data = {debug_data_q, debug_data_q};
        writes_low = !debug_high_q & {debug_index_q[7:5], debug_index_q[0]} == Bank;
        writes_high = debug_high_q & {debug_index_q[7:5], debug_index_q[0]} == Bank;
      end
      if (!rst_ni) begin
        row = reset_entry_i[4:1];
        data = 64'd0;
        writes_low = {reset_entry_i[7:5], reset_entry_i[0]} == Bank;
        writes_high = writes_low;
      end
    end
    always_ff @(posedge clk_i) begin
      if (writes_low) low[row] <= data[31:0];
      if (writes_high) high[row] <= data[63:32];
    end
    assign read1[64*b+:64] = enable_i & {index1[7:5], index1[0]} == Bank ? {high[index1[4:1]], low[index1[4:1]]} : 64'd0;
    assign read2[64*b+:64] = enable_i & {context_i, rs2_i[0]} == Bank ? {high[rs2_i[4:1]], low[rs2_i[4:1]]} : 64'd0;
    assign read3[64*b+:64] = enable_i & {context_i, rs3_i[0]} == Bank ? {high[rs3_i[4:1]], low[rs3_i[4:1]]} : 64'd0;
  end
  always_comb begin
    rdata1_o = 64'd0;
    rdata2_o = 64'd0;
    rdata3_o = 64'd0;
    for (int b = 0; b < 12; b++) begin
      rdata1_o = rdata1_o | read1[64*b+:64];
      rdata2_o = rdata2_o | read2[64*b+:64];
      rdata3_o = rdata3_o | read3[64*b+:64];
    end
  end
`else
  (* simulation_speed *)
  logic [63:0] registers[0:255];
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

  // Nothing is written for contexts that are no worker's.
  always_ff @(posedge clk_i) begin : write
    logic [7:0] index;
    logic [63:0] data;
    if (write_i | write_pair_i) begin
      if (write_context_i != 3'd0 & write_context_i != 3'd7 & !debug_q & rst_ni) begin
        if (write_i) registers[{write_context_i, rd_i}] <= wdata_i;
        if (write_pair_i) registers[{write_context_i, rd_i[4:1], 1'b1}] <= pair_wdata_i;
      end
    end
    if (base_q | debug_q | !rst_ni) begin
      index = base_index_q;
      data = base_data_q;
      if (!rst_ni) begin
        index = reset_entry_i;
        data = 64'd0;
      end else if (debug_q) begin
        index = debug_index_q;
        data = registers[index];
        if (debug_high_q) data[63:32] = debug_data_q;
        else data[31:0] = debug_data_q;
      end
      if (index[7:5] != 3'd0 & index[7:5] != 3'd7 & (base_writes | debug_q | !rst_ni)) registers[index] <= data;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      a_pair_begins_even : assert (!write_pair_i || !rd_i[0]);
      a_worker_is_written_once_in_two_cycles : assert (!base_q || !(write_i || write_pair_i) || base_writes);
      the_debugger_writes_alone : assert (!debug_q || !(base_q || write_i || write_pair_i));
    end
  end
`endif
endmodule
