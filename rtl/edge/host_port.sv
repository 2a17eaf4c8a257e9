// The registers behind PCIe BAR 0 (docs/reference/edge.md): identity, status, mark, debug access to tiles. Those that only
// the host uses are on its clock, what reaches into the chip crosses to the chip's by a handshake, whatever the ratio and
// phase of the two. With `alike_i` (a strap) they are one clock, and an access is made in the cycle in which the host makes it.
module host_port (
  input  logic                             clk_i,       // chip
  input  logic                             clk_host_i,
  input  logic                             rst_ni,
  input  logic                             alike_i,
  // Accesses: held until ready
  input  logic                             mmio_valid_i,
  input  logic                             mmio_write_i,
  input  logic [11:0]                      mmio_address_i,
  input  logic [31:0]                      mmio_wdata_i,
  output logic                             mmio_ready_o,
  output logic [31:0]                      mmio_rdata_o,
  output logic                             interrupt_o,  // on the host's clock: a host sync awaits its mark
  // Chip state
  input  logic [63:0]                      cycle_i,
  input  logic [machine_pkg::TILES-1:0]    idle_i,
  input  logic [machine_pkg::TILES-1:0]    exception_i,
  input  logic                             host_waiting_i,
  input  logic                             acknowledged_i,  // a sync
  output logic                             mark_valid_o,
  output logic [15:0]                      mark_o,
  output logic                             starts_o,    // an access starts a tile
  // What the host tells the chip of its system
  output logic [5:0]                       chip_o,      // its number
  output logic [1:0]                       grouped_o,   // syncs of zone 3 (bit 0), 7 (bit 1) are acknowledged from outside
  output logic                             table_write_o,
  output logic [6:0]                       table_select_o,
  output logic [31:0]                      table_data_o,
  input  logic [31:0]                      table_data_i,
  // Debug ports of the tiles
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output logic                             debug_write_o,
  output logic [2:0]                       debug_space_o,
  output logic [2:0]                       debug_context_o,
  output logic [31:0]                      debug_address_o,
  output logic [31:0]                      debug_wdata_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i,
  input  logic [machine_pkg::TILES-1:0]    debug_refused_i
);
  logic        request, answer, write, interrupt;
  logic [11:0] address;
  logic [31:0] wdata, rdata, debug_address;
  words_pkg::debug_select_t select;

  host_registers u_registers (
    .clk_host_i,
    .rst_ni,
    .alike_i,
    .mmio_valid_i,
    .mmio_write_i,
    .mmio_address_i,
    .mmio_wdata_i,
    .mmio_ready_o,
    .mmio_rdata_o,
    .request_o       (request),
    .answer_i        (answer),
    .access_write_o  (write),
    .access_address_o(address),
    .access_wdata_o  (wdata),
    .select_o        (select),
    .debug_address_o (debug_address),
    .rdata_i         (rdata)
  );

  host_access u_access (
    .clk_i,
    .rst_ni,
    .alike_i,
    .request_i      (request),
    .answer_o       (answer),
    .valid_i        (mmio_valid_i),
    .write_i        (write),
    .address_i      (address),
    .wdata_i        (wdata),
    .select_i       (select),
    .rdata_o        (rdata),
    .cycle_i,
    .idle_i,
    .exception_i,
    .host_waiting_i,
    .acknowledged_i,
    .mark_valid_o,
    .mark_o,
    .starts_o,
    .chip_o,
    .grouped_o,
    .table_write_o,
    .table_select_o,
    .table_data_o,
    .table_data_i,
    .debug_address_i(debug_address),
    .debug_valid_o,
    .debug_write_o,
    .debug_space_o,
    .debug_context_o,
    .debug_address_o,
    .debug_wdata_o,
    .debug_data_i,
    .debug_refused_i
  );

  clock_cross_bit u_interrupt (
    .clk_i (clk_host_i),
    .rst_ni,
    .bit_i (host_waiting_i),
    .bit_o (interrupt)
  );
  assign interrupt_o = alike_i ? host_waiting_i : interrupt;
endmodule
