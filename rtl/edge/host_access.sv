// The chip's side of the host port, on its clock: makes the host's accesses to tiles, marks, and what it reads of the chip.
// A request of the other side is a change of `request_i`; the access is made in the cycle in which it is seen, a read of a
// tile shows its data four cycles later, and then `answer_o` follows. Where the clocks are alike there is no handshake: an
// access is made in the cycle in which the host makes it, and what it reads is shown while it holds the address.
module host_access (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             alike_i,
  // The host's side
  input  logic                             request_i,   // on the host's clock
  output logic                             answer_o,
  input  logic                             valid_i,     // alike_i: an access in this cycle
  input  logic                             write_i,
  input  logic [11:0]                      address_i,
  input  logic [31:0]                      wdata_i,
  input  words_pkg::debug_select_t         select_i,
  output logic [31:0]                      rdata_o,
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
  input  logic [31:0]                      debug_address_i,
  output logic [machine_pkg::TILES-1:0]    debug_valid_o,
  output logic                             debug_write_o,
  output logic [2:0]                       debug_space_o,
  output logic [2:0]                       debug_context_o,
  output logic [31:0]                      debug_address_o,
  output logic [31:0]                      debug_wdata_o,
  input  logic [machine_pkg::TILES*32-1:0] debug_data_i,
  input  logic [machine_pkg::TILES-1:0]    debug_refused_i
);
  localparam int Tiles = machine_pkg::TILES;
  typedef enum logic [2:0] { READ_CYCLES = 3'd4 } read_cycles_e;  // from an access to its data

  logic request, seen_q, comes, valid, access;
  logic [2:0] wait_q;  // cycles until the answer is there
  clock_cross_bit u_request (
    .clk_i,
    .rst_ni,
    .bit_i (request_i),
    .bit_o (request)
  );
  assign comes  = !alike_i && request != seen_q && wait_q == '0;
  assign valid  = alike_i ? valid_i : comes;
  assign access = valid && address_i == machine_pkg::REG_DEBUG_DATA;

  assign debug_write_o   = write_i;
  assign debug_space_o   = select_i.space;
  assign debug_context_o = select_i.context_id;
  assign debug_address_o = debug_address_i;
  assign debug_wdata_o   = wdata_i;

  logic [31:0] debug_data;
  always_comb begin
    debug_data = '0;
    for (int t = 0; t < Tiles; t++) begin
      debug_valid_o[t] = access && (select_i.tile == 11'(t) || (write_i && select_i.tile == words_pkg::NO_TILE));
      debug_data |= debug_data_i[t*32+:32] & {32{select_i.tile == 11'(t)}};
    end
  end

  // The lowest tile that excepted: node n of a tree has the children 2n and 2n + 1, the leaves are from Leaves on.
  localparam int Leaves = 1 << $clog2(Tiles);
  logic [Leaves-1:0]      exceptions;
  logic [2*Leaves-1:1]    some;
  logic [2*Leaves*11-1:11] lowest;
  logic [10:0] exception_tile;
  assign exceptions = Leaves'(exception_i);
  always_comb begin
    for (int t = 0; t < Leaves; t++) begin
      some[Leaves+t]            = exceptions[t];
      lowest[(Leaves+t)*11+:11] = 11'(t);
    end
    for (int n = Leaves - 1; n > 0; n--) begin
      some[n]            = some[2*n] || some[2*n+1];
      lowest[n*11+:11] = some[2*n] ? lowest[2*n*11+:11] : lowest[(2*n+1)*11+:11];
    end
    exception_tile = some[1] ? lowest[11+:11] : words_pkg::NO_TILE;
  end
  assign starts_o = debug_valid_o != '0 && write_i && select_i.space == words_pkg::SPACE_CONTROL
      && debug_address_i == words_pkg::CONTROL_START;

  // The host's answer, kept to be read until it has been acknowledged to the tiles.
  logic [15:0] mark_q;
  assign mark_o       = wdata_i[15:0];
  assign mark_valid_o = valid && write_i && address_i == machine_pkg::REG_MARK && mark_o != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || acknowledged_i || starts_o) mark_q <= '0;
    else if (mark_valid_o && host_waiting_i) mark_q <= mark_o;
  end

  // What stays until the host changes it.
  words_pkg::place_in_system_t place, new_place;
  logic writes;
  assign writes         = valid && write_i;
  assign new_place      = wdata_i;
  assign table_data_o   = wdata_i;
  assign table_write_o  = writes && address_i == machine_pkg::REG_LINK_DATA;
  always_comb begin
    place                 = '0;
    place.chip            = chip_o;
    place.grouped         = grouped_o[0];
    place.replica_grouped = grouped_o[1];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chip_o         <= '0;
      grouped_o      <= '0;
      table_select_o <= '0;
    end else if (writes && address_i == machine_pkg::REG_PLACE) begin
      chip_o    <= new_place.chip;
      grouped_o <= {new_place.replica_grouped, new_place.grouped};
    end else if (writes && address_i == machine_pkg::REG_LINK_SELECT) table_select_o <= wdata_i[6:0];
  end

  words_pkg::host_status_t status;
  always_comb begin
    status           = '0;
    status.running   = !(&idle_i);
    status.host_sync = host_waiting_i;
    status.exception = |exception_i;
    status.refused   = refused_q;
  end

  // Refused accesses, told by the tiles a cycle behind a write and in time with the data of a read; kept until the status is read.
  logic [Tiles-1:0] target_q;
  logic [3:0]       told_q;  // bit n: told in n cycles
  logic             refused_q;
  always_ff @(posedge clk_i) begin
    if (access) target_q <= debug_valid_o;
    if (!rst_ni) begin
      told_q    <= '0;
      refused_q <= 1'b0;
    end else begin
      told_q <= access ? 4'd1 << (write_i ? 3'd0 : READ_CYCLES - 3'd1) : told_q >> 1;
      if (told_q[0] && (debug_refused_i & target_q) != '0) refused_q <= 1'b1;
      else if (valid && !write_i && address_i == machine_pkg::REG_STATUS) refused_q <= 1'b0;
    end
  end

  logic [31:0] shown, shown_q;
  always_comb begin
    case (address_i)
      machine_pkg::REG_STATUS: shown = status;
      machine_pkg::REG_MARK: shown = {16'd0, mark_q};
      machine_pkg::REG_CYCLE_LO: shown = cycle_i[31:0];
      machine_pkg::REG_CYCLE_HI: shown = cycle_i[63:32];
      machine_pkg::REG_DEBUG_DATA: shown = debug_data;
      machine_pkg::REG_EXCEPTION_TILE: shown = {21'd0, exception_tile};
      machine_pkg::REG_PLACE: shown = place;
      machine_pkg::REG_LINK_SELECT: shown = {25'd0, table_select_o};
      machine_pkg::REG_LINK_DATA: shown = table_data_i;
      default: shown = '0;
    endcase
  end
  assign rdata_o = alike_i ? shown : shown_q;

  always_ff @(posedge clk_i) begin
    if (comes || wait_q != '0) shown_q <= shown;
    if (!rst_ni) begin
      seen_q   <= 1'b0;
      wait_q   <= '0;
      answer_o <= 1'b0;
    end else begin
      if (comes) begin
        seen_q <= request;
        wait_q <= access && !write_i ? READ_CYCLES : 3'd0;
      end else if (wait_q != '0) wait_q <= wait_q - 1'b1;
      if (!comes && wait_q == '0) answer_o <= seen_q;
    end
  end

  logic unused;
  assign unused = &{1'b0, new_place.reserved6, new_place.reserved10, select_i.reserved23, select_i.reserved19, select_i.reserved11};

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Host port.
  logic answer_q, owed_q;
  always_ff @(posedge clk_i) begin
    answer_q <= rst_ni && answer_o;
    owed_q   <= rst_ni && seen_q != answer_o;
    if (rst_ni) begin
      access_is_to_one_tile_or_all : assert ((debug_valid_o & (debug_valid_o - Tiles'(1))) == '0 || debug_valid_o == '1);
      all_tiles_are_only_written : assert (debug_write_o || (debug_valid_o & (debug_valid_o - Tiles'(1))) == '0);
      answered_only_what_was_asked : assert (answer_o == answer_q || owed_q);
      mark_is_not_zero : assert (!mark_valid_o || mark_o != '0);
      start_is_a_debug_write : assert (!starts_o || (debug_valid_o != '0 && debug_write_o));
    end
  end
`endif
endmodule
