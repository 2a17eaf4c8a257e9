// The memory of a tile: its elements (memory_pkg), the ports that reach them, the check that no two ports meet in one element,
// and the parity of what is read.
//
// A port access is a pulse with its address; reads give their data in the next cycle. Addresses are inside the memory
// (checked by the ports' owners), fetches inside region 0. data_clash_o: fetch and data
// meet, or the two data reads. port_clash_o: an exchange
// or packet port meets another port of its kind, read or write; port_clash_address_o is that of the first such port in
// the order event, send, packet out, receive, packet in.
//
// Each byte has a check bit, which is written with it. What a port reads in a cycle without freeze_i, but for the debugger, is
// checked in the next one; a cycle later parity_fault_o tells of a word that did not fit its bits, and parity_address_o
// which: the first in the order fetch, data, second data, event, send, packet out.
module tile_memory (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  memory_pkg::clear_t    clear_i,         // in reset: this row of every element is made zero
  input  logic                  freeze_i,
  input  logic                  fetch_i,
  input  logic [19:2]           fetch_address_i,
  output logic [31:0]           fetch_word_o,
  input  memory_pkg::accesses_t data_i,          // in M, as the clash check sees them
  input  logic                  data_commit_i,   // the write takes place (the instruction was not squashed)
  input  logic                  debug_read_i,    // instead of the first read, when the tile waits
  input  logic [19:3]           debug_raddress_i,
  output logic [63:0]           data_rdata_o,
  output logic [63:0]           data1_rdata_o,
  input  logic                  debug_write_i,   // instead of the data port, when the tile waits
  input  logic [19:2]           debug_address_i,
  input  logic [31:0]           debug_wdata_i,
  input  logic                  event_i,
  input  logic [19:0]           event_address_i,
  output logic [63:0]           event_rdata_o,
  input  logic                  send_i,
  input  logic [19:0]           send_address_i,
  output logic [31:0]           send_word_o,
  output logic [31:0]           send_high_o,     // of the double word that holds it
  input  logic                  send_double_i,   // which is sent
  input  logic                  packet_out_i,
  input  logic [19:0]           packet_out_address_i,
  output logic [31:0]           packet_out_word_o,
  input  logic                  receive_i,
  input  logic [19:0]           receive_address_i,
  input  logic                  receive_double_i,
  input  logic [63:0]           receive_data_i,  // a word: on both halves
  input  logic                  packet_in_i,
  input  logic [19:0]           packet_in_address_i,
  input  logic [31:0]           packet_in_word_i,
  output stage_pkg::clash_t     data_clash_o,
  output logic                  port_clash_o,
  output logic                  read_clash_o,    // it is one of the reads
  output logic [19:0]           port_clash_address_o,
  output logic                  parity_fault_o,
  output logic [19:0]           parity_address_o
);
  localparam int N = memory_pkg::ELEMENTS;
  localparam int Group = 8;  // elements behind one clock gate
  localparam logic [N-1:0] One = N'(1);

  // The first read, or the debugger's.
  logic data;
  memory_pkg::element_t data_element, debug_relement;
  memory_pkg::row_t data_row, debug_rrow;
  assign {debug_relement, debug_rrow} = tile_pkg::locate(debug_raddress_i);
  assign data         = data_i.read | debug_read_i;
  assign data_element = debug_read_i ? debug_relement : data_i.element;
  assign data_row     = debug_read_i ? debug_rrow : data_i.row;

  // Where each port goes, and the elements it selects. A port that rests selects none.
  logic [N-1:0] fetch_select, data_select, data1_select, data_read_select, event_select, send_select, packet_out_select;
  logic [N-1:0] receive_select, packet_in_select;
  memory_pkg::element_t fetch_element, event_element, send_element, packet_out_element, receive_element, packet_in_element;
  memory_pkg::row_t fetch_row, event_row, send_row, packet_out_row, receive_row, packet_in_row;

  always_comb begin
    {fetch_element, fetch_row} = tile_pkg::locate0(fetch_address_i[19:3]);
    fetch_select = fetch_i ? One << fetch_element : '0;
    data_select = data ? One << data_element : '0;
    data1_select = data_i.read1 ? One << data_i.element1 : '0;
    data_read_select = data_select | data1_select;
  end

  logic reads;
  assign reads = event_i | send_i | packet_out_i;
  always_comb begin
    event_select = '0;
    send_select = '0;
    packet_out_select = '0;
    {event_element, event_row} = '0;
    {send_element, send_row} = '0;
    {packet_out_element, packet_out_row} = '0;
    if (reads) begin
      {event_element, event_row} = tile_pkg::locate(event_address_i[19:3]);
      {send_element, send_row} = tile_pkg::locate(send_address_i[19:3]);
      {packet_out_element, packet_out_row} = tile_pkg::locate(packet_out_address_i[19:3]);
      if (event_i) event_select = One << event_element;
      if (send_i) send_select = One << send_element;
      if (packet_out_i) packet_out_select = One << packet_out_element;
    end
  end

  logic writes;
  assign writes = receive_i | packet_in_i;
  always_comb begin
    receive_select = '0;
    packet_in_select = '0;
    {receive_element, receive_row} = '0;
    {packet_in_element, packet_in_row} = '0;
    if (writes) begin
      {receive_element, receive_row} = tile_pkg::locate(receive_address_i[19:3]);
      {packet_in_element, packet_in_row} = tile_pkg::locate(packet_in_address_i[19:3]);
      if (receive_i) receive_select = One << receive_element;
      if (packet_in_i) packet_in_select = One << packet_in_element;
    end
  end

  // Clashes.
  always_comb begin
    data_clash_o.valid = 1'b0;
    data_clash_o.access = 2'd0;
    if (data | data_i.read1 | data_i.write) begin
      if (data_i.read1 & data & (data_i.element1 == data_element)) begin
        data_clash_o.valid = 1'b1;
        data_clash_o.access = 2'd1;
      end else if (fetch_i) begin
        if (data & (fetch_element == data_element)) data_clash_o.valid = 1'b1;
        else if (data_i.read1 & (fetch_element == data_i.element1)) begin
          data_clash_o.valid = 1'b1;
          data_clash_o.access = 2'd1;
        end else if (data_i.write & (fetch_element == data_i.write_element)) begin
          data_clash_o.valid = 1'b1;
          data_clash_o.access = 2'd2;
        end
      end
    end
  end

  logic event_clash, send_clash, packet_out_clash;
  always_comb begin
    event_clash = 1'b0;
    send_clash = 1'b0;
    packet_out_clash = 1'b0;
    if (reads) begin
      event_clash = (event_select & (fetch_select | data_read_select)) != '0;
      send_clash = (send_select & (fetch_select | data_read_select | event_select)) != '0;
      packet_out_clash = (packet_out_select & (fetch_select | data_read_select | event_select | send_select)) != '0;
    end
  end

  logic receive_clash, packet_in_clash;
  always_comb begin
    receive_clash = 1'b0;
    packet_in_clash = 1'b0;
    if (writes) begin
      receive_clash = receive_i & data_i.write & (receive_element == data_i.write_element);
      packet_in_clash = packet_in_i & ((data_i.write & (packet_in_element == data_i.write_element)) |
                                       (receive_i & (packet_in_element == receive_element)));
    end
  end

  always_comb begin
    read_clash_o = event_clash | send_clash | packet_out_clash;
    port_clash_o = read_clash_o | receive_clash | packet_in_clash;
    port_clash_address_o = packet_in_address_i;
    if (event_clash) port_clash_address_o = event_address_i;
    else if (send_clash) port_clash_address_o = send_address_i;
    else if (packet_out_clash) port_clash_address_o = packet_out_address_i;
    else if (receive_clash) port_clash_address_o = receive_address_i;
  end

  // The data port's write, or the debugger's.
  logic [N-1:0] data_write_select;
  memory_pkg::element_t debug_element;
  memory_pkg::row_t debug_row, write_row;
  logic [63:0] data_wdata;
  logic [7:0] data_strobe, data_wcheck, receive_wcheck, packet_in_wcheck;
  always_comb begin
    {debug_element, debug_row} = '0;
    write_row = data_i.write_row;
    data_wdata = data_i.wdata;
    data_strobe = data_i.strobe;
    data_write_select = data_commit_i ? One << data_i.write_element : '0;
    if (debug_write_i) begin
      {debug_element, debug_row} = tile_pkg::locate(debug_address_i[19:3]);
      write_row = debug_row;
      data_wdata = {debug_wdata_i, debug_wdata_i};
      data_strobe = debug_address_i[2] ? 8'hf0 : 8'h0f;
      data_write_select = One << debug_element;
    end
    if (clear_i.valid) begin
      write_row = clear_i.row;
      data_wdata = 64'd0;
      data_strobe = 8'hff;
      data_write_select = '1;
    end
    data_wcheck = 8'd0;
    if (data_commit_i | debug_write_i) data_wcheck = tile_pkg::parity(data_wdata);
    receive_wcheck = 8'd0;
    packet_in_wcheck = 8'd0;
    if (writes) begin
      receive_wcheck = tile_pkg::parity(receive_data_i);
      packet_in_wcheck = tile_pkg::parity({packet_in_word_i, packet_in_word_i});
    end
  end

  logic [N-1:0] read_select, write_select;
  logic [63:0] rdata[0:N-1];
  logic [7:0] rcheck[0:N-1];
  assign read_select = fetch_select | data_read_select | event_select | send_select | packet_out_select;
  assign write_select = data_write_select | receive_select | packet_in_select;

  // For the simulation alone, a group of elements that nobody uses stands still behind a clock gate: it is known too late
  // in a cycle who is used, and macros have enables of their own.
  for (genvar g = 0; g < N; g += Group) begin : g_group
    localparam int Last = g + Group < N ? g + Group - 1 : N - 1;
    logic gclk;
`ifdef SYNTHESIS
    assign gclk = clk_i;
`else
    (* simulation_speed *)
    clock_gate u_gate (
        .clk_i,
        .en_i     ((read_select[Last:g] | write_select[Last:g]) != '0),
        .test_en_i(1'b0),
        .gclk_o   (gclk)
    );
`endif
    for (genvar e = g; e <= Last; e++) begin : g_element
      memory_element u_element (
          .clk_i             (gclk),
          .read_i            (read_select[e]),
          .fetch_i           (fetch_select[e]),
          .data_i            (data_select[e]),
          .data1_i           (data1_select[e]),
          .event_i           (event_select[e]),
          .send_i            (send_select[e]),
          .fetch_row_i       (fetch_row),
          .data_row_i        (data_row),
          .data1_row_i       (data_i.row1),
          .event_row_i       (event_row),
          .send_row_i        (send_row),
          .packet_out_row_i  (packet_out_row),
          .rdata_o           (rdata[e]),
          .rcheck_o          (rcheck[e]),
          .write_i           (write_select[e]),
          .receive_i         (receive_select[e]),
          .packet_in_i       (packet_in_select[e]),
          .data_write_row_i  (write_row),
          .receive_row_i     (receive_row),
          .packet_in_row_i   (packet_in_row),
          .data_wdata_i      (data_wdata),
          .receive_wdata_i   (receive_data_i),
          .packet_in_wdata_i ({packet_in_word_i, packet_in_word_i}),
          .data_wcheck_i     (data_wcheck),
          .receive_wcheck_i  (receive_wcheck),
          .packet_in_wcheck_i(packet_in_wcheck),
          .data_strobe_i     (data_strobe),
          .receive_strobe_i  (receive_double_i ? 8'hff : receive_address_i[2] ? 8'hf0 : 8'h0f),
          .packet_in_strobe_i(packet_in_address_i[2] ? 8'hf0 : 8'h0f)
      );
    end
  end

  // The element, and the half of its word, that each read of the last cycle went to.
  memory_pkg::element_t fetch_element_q, data_element_q, data1_element_q, event_element_q, send_element_q, packet_out_element_q;
  logic fetch_half_q, send_half_q, packet_out_half_q;
  always_ff @(posedge clk_i) begin
    fetch_element_q <= fetch_element;
    fetch_half_q <= fetch_address_i[2];
    data_element_q <= data_element;
    if (data_i.read1) data1_element_q <= data_i.element1;
    if (reads) begin
      event_element_q <= event_element;
      send_element_q <= send_element;
      send_half_q <= send_address_i[2];
      packet_out_element_q <= packet_out_element;
      packet_out_half_q <= packet_out_address_i[2];
    end
  end
  logic [63:0] fetch_rdata, send_rdata, packet_out_rdata;
  logic [7:0] fetch_rcheck;
  assign fetch_rdata = rdata[fetch_element_q];
  assign fetch_rcheck = rcheck[fetch_element_q];
  assign data_rdata_o = rdata[data_element_q];
  assign data1_rdata_o = rdata[data1_element_q];
  assign event_rdata_o = rdata[event_element_q];
  assign send_rdata = rdata[send_element_q];
  assign packet_out_rdata = rdata[packet_out_element_q];
  // What each port takes is checked; what the debugger reads is not.
  memory_pkg::taken_t fetch_taken, data_taken, data1_taken, event_taken, send_taken, packet_out_taken;
  always_comb begin
    fetch_taken.words = fetch_i ? {fetch_address_i[2], !fetch_address_i[2]} : 2'b00;
    fetch_taken.element = fetch_element;
    fetch_taken.row = fetch_row;
    data_taken.words = data_i.read ? data_i.words : 2'b00;
    data_taken.element = data_i.element;
    data_taken.row = data_i.row;
    data1_taken.words = data_i.read1 ? 2'b11 : 2'b00;
    data1_taken.element = data_i.element1;
    data1_taken.row = data_i.row1;
    event_taken.words = event_i ? 2'b11 : 2'b00;
    event_taken.element = event_element;
    event_taken.row = event_row;
    send_taken.words = send_i ? {send_double_i | send_address_i[2], send_double_i | !send_address_i[2]} : 2'b00;
    send_taken.element = send_element;
    send_taken.row = send_row;
    packet_out_taken.words = packet_out_i ? {packet_out_address_i[2], !packet_out_address_i[2]} : 2'b00;
    packet_out_taken.element = packet_out_element;
    packet_out_taken.row = packet_out_row;
  end
  parity_check u_parity (
      .clk_i,
      .rst_ni,
      .freeze_i,
      .fetch_i            (fetch_taken),
      .data_i             (data_taken),
      .data1_i            (data1_taken),
      .ports_i            (reads),
      .event_i            (event_taken),
      .send_i             (send_taken),
      .packet_out_i       (packet_out_taken),
      .fetch_word_i       (fetch_word_o),
      .data_rdata_i       (data_rdata_o),
      .data1_rdata_i      (data1_rdata_o),
      .event_rdata_i      (event_rdata_o),
      .send_rdata_i       (send_rdata),
      .packet_out_rdata_i (packet_out_rdata),
      .fetch_wcheck_i     (fetch_half_q ? fetch_rcheck[7:4] : fetch_rcheck[3:0]),
      .data_rcheck_i      (rcheck[data_element_q]),
      .data1_rcheck_i     (rcheck[data1_element_q]),
      .event_rcheck_i     (rcheck[event_element_q]),
      .send_rcheck_i      (rcheck[send_element_q]),
      .packet_out_rcheck_i(rcheck[packet_out_element_q]),
      .fault_o            (parity_fault_o),
      .address_o          (parity_address_o)
  );
  assign fetch_word_o = fetch_half_q ? fetch_rdata[63:32] : fetch_rdata[31:0];
  assign send_word_o = send_half_q ? send_rdata[63:32] : send_rdata[31:0];
  assign send_high_o = send_rdata[63:32];
  assign packet_out_word_o = packet_out_half_q ? packet_out_rdata[63:32] : packet_out_rdata[31:0];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    an_element_is_read_once_or_clashes : assert (data_clash_o.valid || port_clash_o || (fetch_select & data_read_select) == '0
                                                 && ((fetch_select | data_read_select) & (event_select | send_select | packet_out_select)) == '0
                                                 && (event_select & (send_select | packet_out_select)) == '0 && (send_select & packet_out_select) == '0);
    an_element_is_written_once_or_clashes : assert (port_clash_o || (data_write_select & (receive_select | packet_in_select)) == '0
                                                    && (receive_select & packet_in_select) == '0);
    one_element_is_fetched_from : assert ((fetch_select & (fetch_select - One)) == '0);
    what_is_committed_is_a_write : assert (!data_commit_i || data_i.write);
    debugger_reads_when_nothing_else_does : assert (!debug_read_i || !(data_i.read || data_i.read1));
    debugger_writes_when_nothing_else_does : assert (!debug_write_i || !(data_i.write || receive_i || packet_in_i));
    fetches_are_of_region_0 : assert (!fetch_i || tile_pkg::executable({12'd0, fetch_address_i, 2'b00}));
  end
`endif
endmodule
