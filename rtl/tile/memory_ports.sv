// The memory and who reaches it without an instruction: the exchange sequencer and the packet port. Shows the word that
// either of them wrote in the last cycle, for the record.
module memory_ports (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [10:0] tile_id_i,
    input  logic [ 5:0] select_latency_i,
    input  logic        in_pair_i,
    input  logic        excepted_i,
    input  logic        freeze_i,
    input  logic        start_i,               // by the debugger: the ports are cleared
    input  logic [ 5:0] active_i,
    output logic        busy_o,                // something happens that no input causes, or a packet comes in
    // Fetch.
    input  logic        fetch_i,
    input  logic [19:2] fetch_address_i,
    output logic [31:0] fetch_word_o,
    // M: loads and stores, xarm, hsend.
    input  logic        read_i,                // accesses of the instruction: read, second read, write
    input  logic        read1_i,
    input  logic        write_i,
    input  memory_pkg::element_t element_i,
    input  memory_pkg::row_t row_i,
    input  memory_pkg::element_t element1_i,
    input  memory_pkg::row_t row1_i,
    input  memory_pkg::element_t write_element_i,
    input  memory_pkg::row_t write_row_i,
    input  logic [63:0] wdata_i,
    input  logic [ 7:0] strobe_i,
    output logic [63:0] rdata_o,               // in the next cycle
    output logic [63:0] rdata1_o,
    output logic        clash_o,               // with a fetch, or of the two reads
    output logic [ 1:0] clash_access_o,        // which access: read, second read, write
    input  logic        system_i,              // M holds a legal system instruction
    input  logic [8:0] id_i,
    input  logic [31:0] operand_i,             // rs1; rs2 is in wdata_i
    output logic        config_fault_o,        // of xarm
    output logic        operand_fault_o,       // of hsend
    // Debugger.
    input  logic        debug_write_i,
    input  logic [19:2] debug_address_i,
    input  logic [31:0] debug_wdata_i,
    input  logic        debug_read_i,          // data in the next cycle, as for a load
    input  logic [19:3] debug_raddress_i,
    // Exceptions of the ports themselves.
    output logic        exchange_fault_o,
    output logic [19:0] exchange_address_o,
    output logic        port_config_fault_o,
    output logic [31:0] port_config_address_o,
    // What the supervisor does with them.
    input  logic        sequencer_start_i,
    output logic        sequencer_running_o,
    output logic [19:0] armed_event_o,
    input  logic        external_phase_i,      // hsend is legal
    output logic        packet_sent_o,
    output logic        packet_requests_o,
    output logic        packet_counts_o,       // a payload word: xcount
    // Exchange and packets.
    input  logic        exchange_valid_i,
    input  logic [31:0] exchange_data_i,
    input  logic        pair_valid_i,
    input  logic [31:0] pair_data_i,
    output logic        exchange_valid_o,
    output logic [31:0] exchange_data_o,
    output logic [10:0] exchange_select_o,
    output logic        pair_valid_o,
    output logic [31:0] pair_data_o,
    output logic        paired_o,
    input  logic        packet_grant_i,
    input  logic        packet_valid_i,
    input  logic        packet_first_i,
    input  logic [31:0] packet_data_i,
    output logic        packet_request_o,
    output logic        packet_valid_o,
    output logic        packet_last_o,
    output logic [31:0] packet_data_o,
    // Written in the last cycle.
    output logic        received_o,            // by the exchange
    output logic [31:0] received_address_o,
    output logic [63:0] received_data_o,
    output logic        received_double_o,     // both words of it, else the low one
    output logic        packet_written_o,      // by the packet port
    output logic [31:0] packet_address_o,
    output logic [31:0] packet_word_o
);
  logic event_read, send, packet_out, receive, packet_in, port_clash, read_clash;
  logic [19:0] event_address, send_address, packet_out_address, receive_address, packet_in_address, port_clash_address;
  logic [31:0] send_word, send_high, packet_out_word;
  logic [63:0] event_rdata, receive_data;
  logic receive_double;
  logic packet_busy, sequencer_busy, sequencer_config, packet_config, receive_fault;
  logic [31:0] sequencer_config_address, packet_config_address;
  memory_pkg::element_t read_element;
  memory_pkg::row_t read_row;
  assign {read_element, read_row} = tile_pkg::locate(debug_raddress_i);

  tile_memory u_memory (
      .clk_i,
      .fetch_i,
      .fetch_address_i,
      .fetch_word_o,
      .data_i              (read_i | debug_read_i),
      .data1_i             (read1_i),
      .data_write_i        (write_i),
      .data_commit_i       (write_i & !freeze_i),
      .data_element_i      (debug_read_i ? read_element : element_i),
      .data_row_i          (debug_read_i ? read_row : row_i),
      .data1_element_i     (element1_i),
      .data1_row_i         (row1_i),
      .write_element_i,
      .write_row_i,
      .data_wdata_i        (wdata_i),
      .data_strobe_i       (strobe_i),
      .data_rdata_o        (rdata_o),
      .data1_rdata_o       (rdata1_o),
      .debug_write_i,
      .debug_address_i,
      .debug_wdata_i,
      .event_i             (event_read),
      .event_address_i     (event_address),
      .event_rdata_o       (event_rdata),
      .send_i              (send),
      .send_address_i      (send_address),
      .send_word_o         (send_word),
      .send_high_o         (send_high),
      .packet_out_i        (packet_out),
      .packet_out_address_i(packet_out_address),
      .packet_out_word_o   (packet_out_word),
      .receive_i           (receive),
      .receive_address_i   (receive_address),
      .receive_double_i    (receive_double),
      .receive_data_i      (receive_data),
      .packet_in_i         (packet_in),
      .packet_in_address_i (packet_in_address),
      .packet_in_word_i    (packet_data_i),
      .data_clash_o        (clash_o),
      .data_clash_port_o   (clash_access_o),
      .port_clash_o        (port_clash),
      .read_clash_o        (read_clash),
      .port_clash_address_o(port_clash_address)
  );
  exchange_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .stop_i           (excepted_i),
      .clear_i          (start_i),
      .select_latency_i,
      .in_pair_i,
      .upper_i          ((tile_id_i & words_pkg::UPPER_OF_PAIR) != '0),
      .system_i,
      .commit_i         (system_i & !freeze_i),
      .id_i,
      .list_i           (operand_i),
      .fault_o          (config_fault_o),
      .start_i          (sequencer_start_i),
      .worker_active_i  (active_i != 6'd0),
      .event_o          (event_read),
      .event_address_o  (event_address),
      .event_rdata_i    (event_rdata),
      .send_o           (send),
      .send_address_o   (send_address),
      .send_word_i      (send_word),
      .send_high_i      (send_high),
      .receive_o        (receive),
      .receive_double_o (receive_double),
      .receive_address_o(receive_address),
      .receive_data_o   (receive_data),
      .receive_fault_o  (receive_fault),
      .config_fault_o   (sequencer_config),
      .config_address_o (sequencer_config_address),
      .running_o        (sequencer_running_o),
      .armed_event_o,
      .busy_o           (sequencer_busy),
      .exchange_valid_i,
      .exchange_data_i,
      .pair_valid_i,
      .pair_data_i,
      .exchange_valid_o,
      .exchange_data_o,
      .exchange_select_o,
      .pair_valid_o,
      .pair_data_o,
      .paired_o
  );
  packet_port u_packet_port (
      .clk_i,
      .rst_ni,
      .stop_i          (excepted_i),
      .clear_i         (start_i),
      .system_i,
      .commit_i        (system_i & !freeze_i),
      .id_i,
      .address_i       (operand_i),
      .words_i         (wdata_i[31:0]),
      .external_phase_i,
      .fault_o         (operand_fault_o),
      .sent_o          (packet_sent_o),
      .busy_o          (packet_busy),
      .requests_o      (packet_requests_o),
      .out_o           (packet_out),
      .out_address_o   (packet_out_address),
      .out_word_i      (packet_out_word),
      .in_o            (packet_in),
      .in_address_o    (packet_in_address),
      .config_fault_o  (packet_config),
      .config_address_o(packet_config_address),
      .counts_o        (packet_counts_o),
      .tile_id_i,
      .packet_grant_i,
      .packet_valid_i,
      .packet_first_i,
      .packet_data_i,
      .packet_request_o,
      .packet_valid_o,
      .packet_last_o,
      .packet_data_o
  );
  assign busy_o = sequencer_busy | packet_busy;
  assign exchange_fault_o = port_clash | receive_fault;
  assign exchange_address_o = receive_fault & !read_clash ? receive_address : port_clash_address;
  assign port_config_fault_o = sequencer_config | packet_config;
  assign port_config_address_o = sequencer_config ? sequencer_config_address : packet_config_address;

  logic received_q, received_double_q, packet_q;
  logic [19:0] received_address_q, packet_address_q;
  logic [63:0] received_data_q;
  logic [31:0] packet_word_q;
  always_ff @(posedge clk_i) begin
    received_q <= receive;
    packet_q <= packet_in;
    if (receive) begin
      received_address_q <= receive_address;
      received_data_q <= receive_data;
      received_double_q <= receive_double;
    end
    if (packet_in) begin
      packet_address_q <= packet_in_address;
      packet_word_q <= packet_data_i;
    end
  end
  assign received_o = received_q;
  assign received_address_o = {12'd0, received_address_q};
  assign received_data_o = received_data_q;
  assign received_double_o = received_double_q;
  assign packet_written_o = packet_q;
  assign packet_address_o = {12'd0, packet_address_q};
  assign packet_word_o = packet_word_q;
endmodule
