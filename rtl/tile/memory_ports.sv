// The memory and who reaches it without an instruction: the exchange sequencer and the packet port. Shows the word that
// either of them wrote in the last cycle, for the record.
module memory_ports (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  memory_pkg::clear_t        clear_i,              // tile.md, Reset
  input  words_pkg::tile_site_t          site_i,
  input  logic                      excepted_i,
  input  logic [5:0]                active_i,
  output logic                      busy_o,               // something happens that no input causes, or a packet comes in
  input  logic                      fetch_i,
  input  logic [19:2]               fetch_address_i,
  output logic [31:0]               fetch_word_o,
  // M: loads and stores, xarm, hsend.
  input  memory_pkg::accesses_t      m_accesses_i,
  input  logic                      m_system_i,           // M holds a legal system instruction
  input  logic [8:0]                m_id_i,
  input  logic [31:0]               m_operand_i,          // its rs1; rs2 is the data of m_accesses_i
  input  logic                      m_freeze_i,
  output stage_pkg::clash_t         m_clash_o,
  output stage_pkg::port_operands_t m_wrong_o,
  output logic [63:0]               w_rdata_o,            // of the first and second read
  output logic [63:0]               w_rdata1_o,
  // Debugger; what it reads is that of a first read.
  input  stage_pkg::debug_write_t   debug_write_i,
  input  stage_pkg::debug_read_t    debug_read_i,
  // What the supervisor does with the ports.
  output stage_pkg::port_faults_t   faults_o,
  output stage_pkg::ports_t         ports_o,
  input  logic                      sequencer_start_i,
  output logic [19:0]               armed_event_o,
  input  logic                      external_phase_i,     // hsend is legal
  output logic                      packet_requests_o,
  input  stage_pkg::port_word_t     exchange_i,
  input  stage_pkg::port_word_t     pair_i,
  output stage_pkg::port_word_t     exchange_o,
  output stage_pkg::port_word_t     pair_o,
  output logic [10:0]               exchange_select_o,
  output logic                      paired_o,
  input  logic                      packet_grant_i,
  input  stage_pkg::packet_word_t   packet_i,
  output stage_pkg::packet_out_t    packet_o,
  output stage_pkg::port_writes_t   writes_o              // in the last cycle
);
  logic event_read, send, packet_out, receive, packet_in, port_clash, read_clash;
  logic [19:0] event_address, send_address, packet_out_address, receive_address, packet_in_address, port_clash_address;
  logic [31:0] send_word, send_high, packet_out_word;
  logic [63:0] event_rdata, receive_data;
  logic receive_double, send_double;
  logic packet_busy, sequencer_busy, sequencer_config, packet_config, receive_fault;
  logic [31:0] sequencer_config_address, packet_config_address;

  tile_memory u_memory (
    .clk_i,
    .rst_ni,
    .clear_i,
    .freeze_i            (m_freeze_i),
    .fetch_i,
    .fetch_address_i,
    .fetch_word_o,
    .data_i              (m_accesses_i),
    .data_commit_i       (m_accesses_i.write & !m_freeze_i),
    .debug_read_i        (debug_read_i.memory),
    .debug_raddress_i    (debug_read_i.address[19:3]),
    .data_rdata_o        (w_rdata_o),
    .data1_rdata_o       (w_rdata1_o),
    .debug_write_i       (debug_write_i.memory),
    .debug_address_i     (debug_write_i.address[19:2]),
    .debug_wdata_i       (debug_write_i.data),
    .event_i             (event_read),
    .event_address_i     (event_address),
    .event_rdata_o       (event_rdata),
    .send_i              (send),
    .send_address_i      (send_address),
    .send_word_o         (send_word),
    .send_high_o         (send_high),
    .send_double_i       (send_double),
    .packet_out_i        (packet_out),
    .packet_out_address_i(packet_out_address),
    .packet_out_word_o   (packet_out_word),
    .receive_i           (receive),
    .receive_address_i   (receive_address),
    .receive_double_i    (receive_double),
    .receive_data_i      (receive_data),
    .packet_in_i         (packet_in),
    .packet_in_address_i (packet_in_address),
    .packet_in_word_i    (packet_i.data),
    .data_clash_o        (m_clash_o),
    .port_clash_o        (port_clash),
    .read_clash_o        (read_clash),
    .port_clash_address_o(port_clash_address),
    .parity_fault_o      (faults_o.parity),
    .parity_address_o    (faults_o.parity_address)
  );
  exchange_sequencer u_sequencer (
    .clk_i,
    .rst_ni,
    .stop_i           (excepted_i),
    .clear_i          (debug_write_i.start),
    .site_i,
    .system_i         (m_system_i),
    .commit_i         (m_system_i & !m_freeze_i),
    .id_i             (m_id_i),
    .list_i           (m_operand_i),
    .fault_o          (m_wrong_o.xarm),
    .start_i          (sequencer_start_i),
    .worker_active_i  (active_i != 6'd0),
    .event_o          (event_read),
    .event_address_o  (event_address),
    .event_rdata_i    (event_rdata),
    .send_o           (send),
    .send_address_o   (send_address),
    .send_double_o    (send_double),
    .send_word_i      (send_word),
    .send_high_i      (send_high),
    .receive_o        (receive),
    .receive_double_o (receive_double),
    .receive_address_o(receive_address),
    .receive_data_o   (receive_data),
    .receive_fault_o  (receive_fault),
    .config_fault_o   (sequencer_config),
    .config_address_o (sequencer_config_address),
    .running_o        (ports_o.sequencer_running),
    .armed_event_o,
    .busy_o           (sequencer_busy),
    .exchange_i,
    .pair_i,
    .exchange_o,
    .pair_o,
    .exchange_select_o,
    .paired_o
  );
  packet_port u_packet_port (
    .clk_i,
    .rst_ni,
    .stop_i          (excepted_i),
    .clear_i         (debug_write_i.start),
    .system_i        (m_system_i),
    .commit_i        (m_system_i & !m_freeze_i),
    .id_i            (m_id_i),
    .address_i       (m_operand_i),
    .words_i         (m_accesses_i.wdata[31:0]),
    .external_phase_i,
    .fault_o         (m_wrong_o.hsend),
    .sent_o          (ports_o.packet_sent),
    .busy_o          (packet_busy),
    .requests_o      (packet_requests_o),
    .out_o           (packet_out),
    .out_address_o   (packet_out_address),
    .out_word_i      (packet_out_word),
    .in_o            (packet_in),
    .in_address_o    (packet_in_address),
    .config_fault_o  (packet_config),
    .config_address_o(packet_config_address),
    .counts_o        (ports_o.packet_counts),
    .tile_id_i       (site_i.tile_id),
    .grant_i         (packet_grant_i),
    .packet_i,
    .packet_o
  );
  assign busy_o = sequencer_busy | packet_busy;
  assign faults_o.exchange         = port_clash | receive_fault;
  assign faults_o.exchange_address = receive_fault & !read_clash ? receive_address : port_clash_address;
  assign faults_o.config_fault     = sequencer_config | packet_config;
  assign faults_o.config_address   = sequencer_config ? sequencer_config_address : packet_config_address;

  stage_pkg::port_writes_t writes_q;
  always_ff @(posedge clk_i) begin
    writes_q.received <= receive;
    writes_q.packet <= packet_in;
    if (receive) begin
      writes_q.received_address <= receive_address;
      writes_q.received_data <= receive_data;
      writes_q.double_word <= receive_double;
    end
    if (packet_in) begin
      writes_q.packet_address <= packet_in_address;
      writes_q.packet_word <= packet_i.data;
    end
  end
  assign writes_o = writes_q;

  // What others need of all this.
  logic unused;
  assign unused = ^{debug_write_i, debug_read_i};
endmodule
