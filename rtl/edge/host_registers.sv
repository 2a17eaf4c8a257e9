// The host's side of the host port, on its clock: what it alone uses (identity, debug select and address, mailboxes), and
// its accesses to the chip. An access to the chip is a request to the other side: `request_o` changes, what goes with it
// stands still until `answer_i` has changed as well, and the answer stands still until the next request (four-phase
// handshakes would take as long again). The host holds an access until `mmio_ready_o`; a read shows its value then.
module host_registers (
  input  logic        clk_host_i,
  input  logic        rst_ni,
  input  logic        alike_i,         // both clocks are one: the chip's side takes an access in its cycle
  input  logic        mmio_valid_i,
  input  logic        mmio_write_i,
  input  logic [11:0] mmio_address_i,
  input  logic [31:0] mmio_wdata_i,
  output logic        mmio_ready_o,
  output logic [31:0] mmio_rdata_o,
  // The chip's side
  output logic        request_o,
  input  logic        answer_i,        // on the chip's clock
  output logic        access_write_o,
  output logic [11:0] access_address_o,
  output logic [31:0] access_wdata_o,
  output words_pkg::debug_select_t select_o,
  output logic [31:0] debug_address_o,
  input  logic [31:0] rdata_i
);
  words_pkg::debug_select_t wdata_select;
  logic [10:0] tile_q;
  logic [2:0]  space_q, context_q;
  logic [31:0] address_q, mailbox0_q, mailbox1_q, mailbox2_q, mailbox3_q;
  logic        to_chip, answer, asked_q, taken;

  always_comb begin
    case (mmio_address_i)
      machine_pkg::REG_STATUS, machine_pkg::REG_MARK, machine_pkg::REG_CYCLE_LO, machine_pkg::REG_CYCLE_HI,
      machine_pkg::REG_DEBUG_DATA, machine_pkg::REG_EXCEPTION_TILE, machine_pkg::REG_PLACE, machine_pkg::REG_LINK_SELECT,
      machine_pkg::REG_LINK_DATA: to_chip = 1'b1;
      default: to_chip = 1'b0;
    endcase
  end

  clock_cross_bit u_answer (
    .clk_i (clk_host_i),
    .rst_ni,
    .bit_i (answer_i),
    .bit_o (answer)
  );

  // asked_q: the access that the host holds has been asked for.
  assign mmio_ready_o = alike_i || !to_chip || (asked_q && answer == request_o);
  assign taken        = mmio_valid_i && mmio_ready_o;

  logic        write_q;
  logic [11:0] offset_q;
  logic [31:0] wdata_q;
  assign access_write_o   = alike_i ? mmio_write_i : write_q;
  assign access_address_o = alike_i ? mmio_address_i : offset_q;
  assign access_wdata_o   = alike_i ? mmio_wdata_i : wdata_q;

  assign wdata_select = mmio_wdata_i;
  always_comb begin
    select_o            = '0;
    select_o.tile       = tile_q;
    select_o.space      = space_q;
    select_o.context_id = context_q;
  end
  assign debug_address_o = address_q;

  always_ff @(posedge clk_host_i) begin
    if (mmio_valid_i && !asked_q) begin
      write_q  <= mmio_write_i;
      offset_q <= mmio_address_i;
      wdata_q  <= mmio_wdata_i;
    end
    if (!rst_ni) begin
      request_o  <= 1'b0;
      asked_q    <= 1'b0;
      tile_q     <= '0;
      space_q    <= '0;
      context_q  <= '0;
      address_q  <= '0;
      mailbox0_q <= '0;
      mailbox1_q <= '0;
      mailbox2_q <= '0;
      mailbox3_q <= '0;
    end else begin
      if (taken) asked_q <= 1'b0;
      else if (mmio_valid_i && to_chip && !asked_q && !alike_i) begin
        asked_q   <= 1'b1;
        request_o <= !request_o;
      end
      if (taken && mmio_address_i == machine_pkg::REG_DEBUG_DATA)
        address_q <= address_q + (space_q == words_pkg::SPACE_MEMORY ? 32'd4 : 32'd1);
      if (taken && mmio_write_i) begin
        case (mmio_address_i)
          machine_pkg::REG_DEBUG_SELECT: begin
            tile_q    <= wdata_select.tile;
            space_q   <= wdata_select.space;
            context_q <= wdata_select.context_id;
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
  end

  always_comb begin
    case (mmio_address_i)
      machine_pkg::REG_IDENTITY: mmio_rdata_o = machine_pkg::IDENTITY_MAGIC;
      machine_pkg::REG_MAILBOX0: mmio_rdata_o = mailbox0_q;
      machine_pkg::REG_MAILBOX1: mmio_rdata_o = mailbox1_q;
      machine_pkg::REG_MAILBOX2: mmio_rdata_o = mailbox2_q;
      machine_pkg::REG_MAILBOX3: mmio_rdata_o = mailbox3_q;
      machine_pkg::REG_DEBUG_SELECT: mmio_rdata_o = select_o;
      machine_pkg::REG_DEBUG_ADDRESS: mmio_rdata_o = address_q;
      default:
      if (to_chip) mmio_rdata_o = rdata_i;
      else
        mmio_rdata_o = mmio_address_i < machine_pkg::REG_STATUS ? machine_pkg::description(mmio_address_i[11:2] - 10'd1)
            : 32'd0;
    endcase
  end

  logic unused;
  assign unused = &{1'b0, wdata_select.reserved23, wdata_select.reserved19, wdata_select.reserved11};

`ifndef SYNTHESIS
  // Promises of docs/reference/edge.md, Two clocks: what goes with a request stands still until it is answered.
  logic held_q, asked_before_q, request_before_q, write_before_q;
  logic [11:0] offset_before_q, held_offset_q;
  logic [31:0] wdata_before_q, address_before_q;
  words_pkg::debug_select_t select_before_q;
  always_ff @(posedge clk_host_i) begin
    held_q           <= rst_ni && mmio_valid_i && !mmio_ready_o;
    held_offset_q    <= mmio_address_i;
    asked_before_q   <= rst_ni && asked_q && !taken;
    request_before_q <= request_o;
    write_before_q   <= access_write_o;
    offset_before_q  <= access_address_o;
    wdata_before_q   <= access_wdata_o;
    address_before_q <= debug_address_o;
    select_before_q  <= select_o;
    if (rst_ni) begin
      access_is_held_until_ready : assert (!held_q || (mmio_valid_i && mmio_address_i == held_offset_q));
      one_request_at_a_time : assert (!asked_before_q || request_o == request_before_q);
      access_stands_still : assert (!asked_before_q || {access_write_o, access_address_o, access_wdata_o} == {write_before_q, offset_before_q, wdata_before_q});
      target_stands_still : assert (!asked_before_q || {select_o, debug_address_o} == {select_before_q, address_before_q});
      no_request_where_clocks_are_alike : assert (!alike_i || !asked_q);
    end
  end
`endif
endmodule
