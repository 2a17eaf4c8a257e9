// The storage of one memory element: what a foundry's macro or a simulator's own memory takes the place of
// (docs/developer/decisions.md). Rows of 64 bits in eight lanes of a byte and its check bit, of which a write changes
// those whose lane_i is high; one read and one write a cycle. rdata_o and rcheck_o hold what was read last; a read sees
// the writes of earlier cycles. What it holds after power-up is not known: reset clears it (tile.md, Reset).
module sram (
    input  logic             clk_i,
    input  logic             read_i,
    input  memory_pkg::row_t read_row_i,
    output logic [63:0]      rdata_o,
    output logic [ 7:0]      rcheck_o,
    input  logic             write_i,
    input  memory_pkg::row_t write_row_i,
    input  logic [ 7:0]      lane_i,
    input  logic [63:0]      wdata_i,
    input  logic [ 7:0]      wcheck_i
);
  localparam int Rows = memory_pkg::ROWS;
  logic [63:0] words[0:Rows-1];
  logic [ 7:0] checks[0:Rows-1];

  logic [63:0] rdata_q;
  logic [ 7:0] rcheck_q;
  always_ff @(posedge clk_i) begin : read_port
    memory_pkg::row_t row;
    if (read_i) begin
      row = read_row_i;
      rdata_q <= words[row];
      rcheck_q <= checks[row];
    end
  end
  assign rdata_o  = rdata_q;
  assign rcheck_o = rcheck_q;

  // Lanes that are not written keep their value: reading the row that is written folds into the lanes' write enables.
  always_ff @(posedge clk_i) begin : write_port
    memory_pkg::row_t row;
    logic [63:0] data, keep;
    logic [ 7:0] lane;
    if (write_i) begin
      row = write_row_i;
      data = wdata_i;
      lane = lane_i;
      keep = words[row];
      words[row] <= {
        lane[7] ? data[63:56] : keep[63:56],
        lane[6] ? data[55:48] : keep[55:48],
        lane[5] ? data[47:40] : keep[47:40],
        lane[4] ? data[39:32] : keep[39:32],
        lane[3] ? data[31:24] : keep[31:24],
        lane[2] ? data[23:16] : keep[23:16],
        lane[1] ? data[15:8] : keep[15:8],
        lane[0] ? data[7:0] : keep[7:0]
      };
      checks[row] <= (wcheck_i & lane) | (checks[row] & ~lane);
    end
  end
endmodule
