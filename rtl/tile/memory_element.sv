// One memory element: words of 64 bits, one read and one write a cycle, byte enables on the write.
//
// Ports of the tile that read: fetch, data, second data, event, send, packet out; that write: data, receive, packet in. Each has a
// select and a row; at most one read and one write select is high in a cycle (tile_memory finds clashes; after one the
// first in this order wins). A read sees the writes of earlier cycles. All zero after power-up.
module memory_element (
    input  logic        clk_i,
    input  logic        read_i,            // some port reads; which one (packet out when none of these):
    input  logic        fetch_i,
    input  logic        data_i,
    input  logic        data1_i,
    input  logic        event_i,
    input  logic        send_i,
    input  memory_pkg::row_t fetch_row_i,
    input  memory_pkg::row_t data_row_i,
    input  memory_pkg::row_t data1_row_i,
    input  memory_pkg::row_t event_row_i,
    input  memory_pkg::row_t send_row_i,
    input  memory_pkg::row_t packet_out_row_i,
    output logic [63:0] rdata_o,           // of the last read
    input  logic        write_i,           // some port writes; which one (data when none of these):
    input  logic        receive_i,
    input  logic        packet_in_i,
    input  memory_pkg::row_t data_write_row_i,
    input  memory_pkg::row_t receive_row_i,
    input  memory_pkg::row_t packet_in_row_i,
    input  logic [63:0] data_wdata_i,
    input  logic [63:0] receive_wdata_i,
    input  logic [63:0] packet_in_wdata_i,
    input  logic [ 7:0] data_strobe_i,
    input  logic [ 7:0] receive_strobe_i,
    input  logic [ 7:0] packet_in_strobe_i
);
  localparam int Rows = memory_pkg::ROWS;
  logic [63:0] words[0:Rows-1];
  // In parts: Yosys takes 5 s for all rows in one block, 1 s so.
  for (genvar part = 0; part < Rows; part += 256) begin : g_zero
    initial for (int i = part; i < Rows && i < part + 256; i++) words[i] = 64'd0;
  end

  // A select vector of the tile's memory is one word of simulation state, so an element that nobody uses costs two tests.
  logic [63:0] rdata_q;
  always_ff @(posedge clk_i) begin : read_port
    memory_pkg::row_t row;
    if (read_i) begin
      if (fetch_i) row = fetch_row_i;
      else if (data_i) row = data_row_i;
      else if (data1_i) row = data1_row_i;
      else if (event_i) row = event_row_i;
      else if (send_i) row = send_row_i;
      else row = packet_out_row_i;
      rdata_q <= words[row];
    end
  end
  assign rdata_o = rdata_q;

  // Byte lanes without strobe keep their value; reading the row that is written folds into the byte enables.
  always_ff @(posedge clk_i) begin : write_port
    memory_pkg::row_t row;
    logic [63:0] wdata, keep;
    logic [ 7:0] strobe;
    if (write_i) begin
      if (receive_i) begin
        row = receive_row_i;
        wdata = receive_wdata_i;
        strobe = receive_strobe_i;
      end else if (packet_in_i) begin
        row = packet_in_row_i;
        wdata = packet_in_wdata_i;
        strobe = packet_in_strobe_i;
      end else begin
        row = data_write_row_i;
        wdata = data_wdata_i;
        strobe = data_strobe_i;
      end
      keep = words[row];
      words[row] <= {
        strobe[7] ? wdata[63:56] : keep[63:56],
        strobe[6] ? wdata[55:48] : keep[55:48],
        strobe[5] ? wdata[47:40] : keep[47:40],
        strobe[4] ? wdata[39:32] : keep[39:32],
        strobe[3] ? wdata[31:24] : keep[31:24],
        strobe[2] ? wdata[23:16] : keep[23:16],
        strobe[1] ? wdata[15:8] : keep[15:8],
        strobe[0] ? wdata[7:0] : keep[7:0]
      };
    end
  end
endmodule
