// An element of the memory is never accessed twice in a cycle without the exception: where two reads, two writes, or a fetch and
// a data access meet, as tile.md maps addresses to elements, tile_memory raises a clash, and it does so only then. With NO_CLASH
// defined the other half: in a cycle without a clash each element itself is selected by at most one port that reads and one that
// writes. Free: all accesses of a cycle, to any address of the memory.
module memory_element (
    input  logic        clk_i,
    input  logic        read_i,
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
    output logic [63:0] rdata_o,
    output logic [ 7:0] rcheck_o,
    input  logic        write_i,
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
  assign rdata_o = 64'd0;
  assign rcheck_o = 8'd0;
  // Reading and nobody named: packet out; writing and nobody named: data.
  logic [2:0] named;
  assign named = {2'd0, fetch_i} + {2'd0, data_i} + {2'd0, data1_i} + {2'd0, event_i} + {2'd0, send_i};
`ifdef NO_CLASH
  always_comb begin
    assert (named <= 3'd1);
    if (named != 3'd0) assert (read_i);
    assert (!(receive_i && packet_in_i));
    if (receive_i || packet_in_i) assert (write_i);
  end
`endif
endmodule

module clock_gate (
    input  logic clk_i,
    input  logic en_i,
    input  logic test_en_i,
    output logic gclk_o
);
  assign gclk_o = clk_i;
endmodule

module element_access (
    input logic        clk_i,
    input logic        fetch_i,
    input logic [19:2] fetch_address_i,
    input logic        data_i,
    input logic        data1_i,
    input logic        data_write_i,
    input memory_pkg::element_t data_element_i,
    input memory_pkg::element_t data1_element_i,
    input memory_pkg::element_t write_element_i,
    input logic        event_i,
    input logic [19:0] event_address_i,
    input logic        send_i,
    input logic [19:0] send_address_i,
    input logic        packet_out_i,
    input logic [19:0] packet_out_address_i,
    input logic        receive_i,
    input logic [19:0] receive_address_i,
    input logic        packet_in_i,
    input logic [19:0] packet_in_address_i
);
  logic data_clash, port_clash, read_clash;
  logic [1:0] data_clash_port;
  logic [19:0] port_clash_address;
  memory_pkg::accesses_t accesses;
  stage_pkg::clash_t clash;
  always_comb begin
    accesses = '0;
    accesses.read = data_i;
    accesses.read1 = data1_i;
    accesses.write = data_write_i;
    accesses.element = data_element_i;
    accesses.element1 = data1_element_i;
    accesses.write_element = write_element_i;
  end
  assign data_clash = clash.valid;
  assign data_clash_port = clash.access;
  tile_memory u_memory (
      .clk_i,
      .rst_ni              (1'b1),
      .clear_i             ('0),
      .freeze_i            (1'b0),
      .fetch_i,
      .fetch_address_i,
      .fetch_word_o        (),
      .data_i              (accesses),
      .data_commit_i       (data_write_i),
      .debug_read_i        (1'b0),
      .debug_raddress_i    (17'd0),
      .data_rdata_o        (),
      .data1_rdata_o       (),
      .debug_write_i       (1'b0),
      .debug_address_i     (18'd0),
      .debug_wdata_i       (32'd0),
      .event_i,
      .event_address_i,
      .event_rdata_o       (),
      .send_i,
      .send_address_i,
      .send_word_o         (),
      .send_high_o         (),
      .send_double_i       (1'b0),
      .packet_out_i,
      .packet_out_address_i,
      .packet_out_word_o   (),
      .receive_i,
      .receive_address_i,
      .receive_double_i    (1'b0),
      .receive_data_i      (64'd0),
      .packet_in_i,
      .packet_in_address_i,
      .packet_in_word_i    (32'd0),
      .data_clash_o        (clash),
      .port_clash_o        (port_clash),
      .read_clash_o        (read_clash),
      .port_clash_address_o(port_clash_address),
      .parity_fault_o      (),
      .parity_address_o    ()
  );

  // tile.md, Memory, in its own words.
  function automatic logic [5:0] element(input logic [19:0] address);
    logic [19:0] offset, pair;
    if (address < 20'h80000) begin
      offset = address - 20'h4C000;
      element = 6'(offset / 20'd16384);
    end else begin
      offset = address - 20'h80000;
      pair = offset / 20'd32768;
      element = 6'd13 + 6'(pair * 20'd2) + {5'd0, address[3]};
    end
  endfunction
  function automatic logic inside_memory(input logic [19:0] address);
    inside_memory = address >= 20'h4C000 && address < 20'hE8000;
  endfunction

  logic [5:0] fetch_element, event_element, send_element, out_element, receive_element, in_element;
  always_comb begin
    fetch_element = element({fetch_address_i, 2'b00});
    event_element = element(event_address_i);
    send_element = element(send_address_i);
    out_element = element(packet_out_address_i);
    receive_element = element(receive_address_i);
    in_element = element(packet_in_address_i);
  end

  // The owners of the ports check addresses; the debugger's accesses are apart.
  always_comb begin
    assume ({fetch_address_i, 2'b00} >= 20'h4C000 && {fetch_address_i, 2'b00} < 20'h80000);
    assume (inside_memory(event_address_i));
    assume (inside_memory(send_address_i));
    assume (inside_memory(packet_out_address_i));
    assume (inside_memory(receive_address_i));
    assume (inside_memory(packet_in_address_i));
    assume (data_element_i < 6'd39 && data1_element_i < 6'd39 && write_element_i < 6'd39);
  end

`ifdef NO_CLASH
  always_comb assume (!data_clash && !port_clash);
`endif

  // Any element: who comes to it.
  (* anyconst *) logic [5:0] watched;
  logic [5:0] readers;
  logic [2:0] writers;
  logic fetched, data_read, many_read, many_written;
  always_comb begin
    fetched = fetch_i && fetch_element == watched;
    data_read = (data_i && data_element_i == watched) || (data1_i && data1_element_i == watched);
    readers = {
      fetched,
      data_i && data_element_i == watched,
      data1_i && data1_element_i == watched,
      event_i && event_element == watched,
      send_i && send_element == watched,
      packet_out_i && out_element == watched
    };
    writers = {
      data_write_i && write_element_i == watched,
      receive_i && receive_element == watched,
      packet_in_i && in_element == watched
    };
    many_read = (readers & (readers - 6'd1)) != 6'd0;
    many_written = (writers & (writers - 3'd1)) != 3'd0;
    if (many_read || many_written || (fetched && writers[2])) assert (data_clash || port_clash);
  end

  // Only then: the port that is named meets another one.
  logic same_read, same_write;
  always_comb begin
    same_read = (event_i && ((fetch_i && event_element == fetch_element) || (data_i && event_element == data_element_i)
                             || (data1_i && event_element == data1_element_i)))
        || (send_i && ((fetch_i && send_element == fetch_element) || (data_i && send_element == data_element_i)
                       || (data1_i && send_element == data1_element_i) || (event_i && send_element == event_element)))
        || (packet_out_i && ((fetch_i && out_element == fetch_element) || (data_i && out_element == data_element_i)
                             || (data1_i && out_element == data1_element_i) || (event_i && out_element == event_element)
                             || (send_i && out_element == send_element)));
    same_write = (receive_i && data_write_i && receive_element == write_element_i)
        || (packet_in_i && ((data_write_i && in_element == write_element_i) || (receive_i && in_element == receive_element)));
    assert (port_clash == (same_read || same_write));
    assert (read_clash == same_read);
    assert (data_clash == ((data_i && data1_i && data_element_i == data1_element_i)
                           || (fetch_i && ((data_i && fetch_element == data_element_i) || (data1_i && fetch_element == data1_element_i)
                                           || (data_write_i && fetch_element == write_element_i)))));
    if (data_clash) begin
      case (data_clash_port)
        2'd0: assert (data_i && fetch_i && fetch_element == data_element_i);
        2'd1: assert (data1_i && ((data_i && data_element_i == data1_element_i) || (fetch_i && fetch_element == data1_element_i)));
        default: assert (data_clash_port == 2'd2 && data_write_i && fetch_i && fetch_element == write_element_i);
      endcase
    end
  end
endmodule
