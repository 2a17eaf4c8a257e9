// One memory element: which port of the tile reads its storage in a cycle, and which writes it.
//
// Ports of the tile that read: fetch, data, second data, event, send, packet out; that write: data, receive, packet in. Each has a
// select and a row; at most one read and one write select is high in a cycle (tile_memory finds clashes; after one the
// first in this order wins).
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
    output logic [ 7:0] rcheck_o,
    input  logic        write_i,           // some port writes; which one (data when none of these):
    input  logic        receive_i,
    input  logic        packet_in_i,
    input  memory_pkg::row_t data_write_row_i,
    input  memory_pkg::row_t receive_row_i,
    input  memory_pkg::row_t packet_in_row_i,
    input  logic [63:0] data_wdata_i,
    input  logic [63:0] receive_wdata_i,
    input  logic [63:0] packet_in_wdata_i,
    input  logic [ 7:0] data_wcheck_i,
    input  logic [ 7:0] receive_wcheck_i,
    input  logic [ 7:0] packet_in_wcheck_i,
    input  logic [ 7:0] data_strobe_i,
    input  logic [ 7:0] receive_strobe_i,
    input  logic [ 7:0] packet_in_strobe_i
);
  sram u_sram (
      .clk_i,
      .read_i,
      .read_row_i (fetch_i ? fetch_row_i : data_i ? data_row_i : data1_i ? data1_row_i
                   : event_i ? event_row_i : send_i ? send_row_i : packet_out_row_i),
      .rdata_o,
      .rcheck_o,
      .write_i,
      .write_row_i(receive_i ? receive_row_i : packet_in_i ? packet_in_row_i : data_write_row_i),
      .lane_i     (receive_i ? receive_strobe_i : packet_in_i ? packet_in_strobe_i : data_strobe_i),
      .wdata_i    (receive_i ? receive_wdata_i : packet_in_i ? packet_in_wdata_i : data_wdata_i),
      .wcheck_i   (receive_i ? receive_wcheck_i : packet_in_i ? packet_in_wcheck_i : data_wcheck_i)
  );
endmodule
