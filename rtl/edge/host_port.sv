// The registers behind PCIe BAR 0 (docs/reference/edge.md): identity, status, mark, debug access to tiles.
// The access port and the registers that only the host uses run on the host's clock, so that setting up an access takes no
// chip time. Accesses that reach into the chip (DEBUG_DATA, MARK) are made in a cycle in which both clocks rise.
// A read shows its value while the address is held; a DEBUG_DATA read does so from the fourth chip cycle on.
module host_port (
  input  logic                             clk_i,       // chip
  input  logic                             clk_host_i,
  input  logic                             rst_ni,
  // Accesses
  input  logic                             mmio_valid_i,
  input  logic                             mmio_write_i,
  input  logic [11:0]                      mmio_address_i,
  input  logic [31:0]                      mmio_wdata_i,
  output logic [31:0]                      mmio_rdata_o,
  // Chip state
  input  logic [63:0]                      cycle_i,
  input  logic [machine_pkg::TILES-1:0]    idle_i,
  input  logic [machine_pkg::TILES-1:0]    exception_i,
  input  logic                             host_waiting_i,
  input  logic                             acknowledged_i,  // a sync
  output logic                             mark_valid_o,
  output logic [15:0]                      mark_o,
  output logic                             starts_o,    // an access starts a tile
  // Debug ports of the tiles
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output logic                             debug_write_o,
  output logic [2:0]                       debug_space_o,
  output logic [2:0]                       debug_context_o,
  output logic [31:0]                      debug_address_o,
  output logic [31:0]                      debug_wdata_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i
);
  localparam int Tiles = machine_pkg::TILES;

  // DEBUG_SELECT: written, kept, read.
  words_pkg::debug_select_t select_wdata, select_rdata;
  logic [10:0] select_tile_q;
  logic [2:0]  select_space_q, select_context_q;
  logic [31:0] address_q, mailbox0_q, mailbox1_q, mailbox2_q, mailbox3_q;
  logic        access;

  assign access = mmio_valid_i && mmio_address_i == machine_pkg::REG_DEBUG_DATA;

  always_ff @(posedge clk_host_i) begin
    if (!rst_ni) begin
      select_tile_q    <= '0;
      select_space_q   <= '0;
      select_context_q <= '0;
      address_q  <= '0;
      mailbox0_q <= '0;
      mailbox1_q <= '0;
      mailbox2_q <= '0;
      mailbox3_q <= '0;
    end else if (access) begin
      address_q <= address_q + (debug_space_o == words_pkg::SPACE_MEMORY ? 32'd4 : 32'd1);
    end else if (mmio_valid_i && mmio_write_i) begin
      case (mmio_address_i)
        machine_pkg::REG_DEBUG_SELECT: begin
          select_tile_q    <= select_wdata.tile;
          select_space_q   <= select_wdata.space;
          select_context_q <= select_wdata.context_id;
        end
        machine_pkg::REG_DEBUG_ADDRESS: address_q <= mmio_wdata_i;
        machine_pkg::REG_MAILBOX0: mailbox0_q <= mmio_wdata_i;
        machine_pkg::REG_MAILBOX1: mailbox1_q <= mmio_wdata_i;
        machine_pkg::REG_MAILBOX2: mailbox2_q <= mmio_wdata_i;
        machine_pkg::REG_MAILBOX3: mailbox3_q <= mmio_wdata_i;
        default: ;
      endcase
    end
  end

  assign debug_write_o   = mmio_write_i;
  assign select_wdata = mmio_wdata_i;
  logic unused;
  assign unused = &{1'b0, select_wdata.reserved23, select_wdata.reserved19, select_wdata.reserved11};
  always_comb begin
    select_rdata            = '0;
    select_rdata.tile       = select_tile_q;
    select_rdata.space      = select_space_q;
    select_rdata.context_id = select_context_q;
  end
  assign debug_space_o   = select_space_q;
  assign debug_context_o = select_context_q;
  assign debug_address_o = address_q;
  assign debug_wdata_o   = mmio_wdata_i;

  logic [31:0] debug_data;
  logic [10:0] exception_tile;
  always_comb begin
    debug_data     = '0;
    exception_tile = words_pkg::NO_TILE;
    for (int t = Tiles - 1; t >= 0; t--) begin
      debug_valid_o[t] = access && (select_tile_q == 11'(t) || (mmio_write_i && select_tile_q == words_pkg::NO_TILE));
      if (select_tile_q == 11'(t)) debug_data = debug_data_i[t*32+:32];
      if (exception_i[t]) exception_tile = 11'(t);
    end
  end

  assign starts_o = debug_valid_o != '0 && debug_write_o && debug_space_o == words_pkg::SPACE_CONTROL
      && debug_address_o == words_pkg::CONTROL_START;

  // The host's answer, kept to be read until it has been acknowledged to the tiles.
  logic [15:0] mark_q;
  assign mark_o       = mmio_wdata_i[15:0];
  assign mark_valid_o = mmio_valid_i && mmio_write_i && mmio_address_i == machine_pkg::REG_MARK && mark_o != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || acknowledged_i || starts_o) mark_q <= '0;
    else if (mark_valid_o && host_waiting_i) mark_q <= mark_o;
  end

  words_pkg::host_status_t status;
  always_comb begin
    status           = '0;
    status.running   = !(&idle_i);
    status.host_sync = host_waiting_i;
    status.exception = |exception_i;
  end

  always_comb begin
    case (mmio_address_i)
      machine_pkg::REG_IDENTITY: mmio_rdata_o = machine_pkg::IDENTITY_MAGIC;
      machine_pkg::REG_STATUS: mmio_rdata_o = status;
      machine_pkg::REG_MARK: mmio_rdata_o = {16'd0, mark_q};
      machine_pkg::REG_CYCLE_LO: mmio_rdata_o = cycle_i[31:0];
      machine_pkg::REG_CYCLE_HI: mmio_rdata_o = cycle_i[63:32];
      machine_pkg::REG_MAILBOX0: mmio_rdata_o = mailbox0_q;
      machine_pkg::REG_MAILBOX1: mmio_rdata_o = mailbox1_q;
      machine_pkg::REG_MAILBOX2: mmio_rdata_o = mailbox2_q;
      machine_pkg::REG_MAILBOX3: mmio_rdata_o = mailbox3_q;
      machine_pkg::REG_DEBUG_SELECT: mmio_rdata_o = select_rdata;
      machine_pkg::REG_DEBUG_ADDRESS: mmio_rdata_o = address_q;
      machine_pkg::REG_DEBUG_DATA: mmio_rdata_o = debug_data;
      machine_pkg::REG_EXCEPTION_TILE: mmio_rdata_o = {21'd0, exception_tile};
      default:
      mmio_rdata_o = mmio_address_i < machine_pkg::REG_STATUS ? machine_pkg::description(mmio_address_i[11:2] - 10'd1)
          : 32'd0;
    endcase
  end
endmodule
