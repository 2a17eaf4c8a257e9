// The parity of what the memory's ports read (tile.md, Parity): in the cycle of the reads it is told where they go; in the
// next one what came of them is checked; in the one behind that fault_o tells of the first word that did not fit its check
// bits. Words that are read in a cycle with freeze_i are not looked at.
module parity_check (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               freeze_i,
    // In the cycle of the read.
    input  memory_pkg::taken_t fetch_i,             // one word
    input  memory_pkg::taken_t data_i,
    input  memory_pkg::taken_t data1_i,
    input  logic               ports_i,             // some of these reads:
    input  memory_pkg::taken_t event_i,
    input  memory_pkg::taken_t send_i,
    input  memory_pkg::taken_t packet_out_i,
    // In the next one.
    input  logic [31:0]        fetch_word_i,
    input  logic [63:0]        data_rdata_i,
    input  logic [63:0]        data1_rdata_i,
    input  logic [63:0]        event_rdata_i,
    input  logic [63:0]        send_rdata_i,
    input  logic [63:0]        packet_out_rdata_i,
    input  logic [ 3:0]        fetch_wcheck_i,
    input  logic [ 7:0]        data_rcheck_i,
    input  logic [ 7:0]        data1_rcheck_i,
    input  logic [ 7:0]        event_rcheck_i,
    input  logic [ 7:0]        send_rcheck_i,
    input  logic [ 7:0]        packet_out_rcheck_i,
    output logic               fault_o,
    output logic [19:0]        address_o
);
  memory_pkg::taken_t fetch_q, data_q, data1_q, event_q, send_q, packet_out_q;
  logic ports_q;
  always_ff @(posedge clk_i) begin
    fetch_q <= freeze_i ? '0 : fetch_i;
    data_q <= freeze_i ? '0 : data_i;
    data1_q <= freeze_i ? '0 : data1_i;
    ports_q <= ports_i & !freeze_i;
    if (ports_i) begin
      event_q <= event_i;
      send_q <= send_i;
      packet_out_q <= packet_out_i;
    end
  end

  // Which of the words taken do not fit.
  function automatic logic [1:0] wrong(input logic [1:0] words, input logic [63:0] data, input logic [7:0] check);
    logic [7:0] differs;
    differs = tile_pkg::parity(data) ^ check;
    wrong = words & {differs[7:4] != 4'd0, differs[3:0] != 4'd0};
  endfunction

  logic fault, high;
  memory_pkg::element_t element;
  memory_pkg::row_t row;
  always_comb begin : look
    logic fetch;
    logic [1:0] data, data1, listed, send, packet_out;
    data = 2'b00;
    data1 = 2'b00;
    listed = 2'b00;
    send = 2'b00;
    packet_out = 2'b00;
    fetch = fetch_q.words != 2'b00 & tile_pkg::parity_of_word(fetch_word_i) != fetch_wcheck_i;
    if (data_q.words != 2'b00) data = wrong(data_q.words, data_rdata_i, data_rcheck_i);
    if (data1_q.words != 2'b00) data1 = wrong(data1_q.words, data1_rdata_i, data1_rcheck_i);
    if (ports_q) begin
      listed = wrong(event_q.words, event_rdata_i, event_rcheck_i);
      send = wrong(send_q.words, send_rdata_i, send_rcheck_i);
      packet_out = wrong(packet_out_q.words, packet_out_rdata_i, packet_out_rcheck_i);
    end
    fault = fetch | (data | data1 | listed | send | packet_out) != 2'b00;
    element = packet_out_q.element;
    row = packet_out_q.row;
    high = !packet_out[0];
    if (fault) begin
      if (fetch) begin
        element = fetch_q.element;
        row = fetch_q.row;
        high = fetch_q.words[1];
      end else if (data != 2'b00) begin
        element = data_q.element;
        row = data_q.row;
        high = !data[0];
      end else if (data1 != 2'b00) begin
        element = data1_q.element;
        row = data1_q.row;
        high = !data1[0];
      end else if (listed != 2'b00) begin
        element = event_q.element;
        row = event_q.row;
        high = !listed[0];
      end else if (send != 2'b00) begin
        element = send_q.element;
        row = send_q.row;
        high = !send[0];
      end
    end
  end

  logic fault_q, high_q;
  memory_pkg::place_t place_q;
  always_ff @(posedge clk_i) begin
    fault_q <= fault & rst_ni;
    if (fault) begin
      place_q <= {element, row};
      high_q <= high;
    end
  end
  assign fault_o = fault_q;

  always_comb begin
    address_o = 20'd0;
    if (fault_q) address_o = {tile_pkg::word_at(place_q), high_q, 2'b00};
  end
endmodule
