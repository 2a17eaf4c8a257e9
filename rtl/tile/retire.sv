// W: whether the instruction there writes a register, and the record of what the tile did (tile_pkg::observe_t).
module retire (
    input  logic               clk_i,
    // M.
    input  logic        [ 3:0] m_cause_i,           // 0: no exception
    input  logic        [ 4:0] m_flags_i,
    input  logic        [63:0] m_wdata_i,
    input  logic        [ 7:0] m_strobe_i,
    // W.
    input  logic               valid_i,
    input  logic        [ 2:0] context_i,
    input  logic        [31:0] pc_i,
    input  logic        [31:0] word_i,
    input  logic               writes_x_i,
    input  logic               writes_f_i,
    input  logic               writes_pair_i,
    input  logic               updates_x_i,
    input  logic               updates_f_i,
    input  logic        [19:3] address_i,           // of a store
    input  logic        [63:0] result_i,
    input  logic        [63:0] pair_i,              // for float rd + 1
    input  logic        [63:0] base_i,              // for rs1
    output logic               done_o,              // an instruction retires without exception
    output logic               write_integer_o,
    output logic        [ 4:0] integer_rd_o,        // rs1 where that is updated
    output logic               write_float_o,
    output logic               write_pair_o,
    output logic               write_base_o,        // a float rs1
    // Port write of the last cycle.
    input  logic               port_written_i,
    input  logic               port_packet_i,
    input  logic        [31:0] port_address_i,
    input  logic        [31:0] port_data_i,
    output tile_pkg::observe_t observe_o
);
  logic [63:0] wdata_q;
  logic [7:0] strobe_q;
  logic [3:0] cause_q;
  logic [4:0] flags_q;
  always_ff @(posedge clk_i) begin
    wdata_q <= m_wdata_i;
    strobe_q <= m_strobe_i;
    cause_q <= m_cause_i;
    flags_q <= m_flags_i;
  end

  logic done, writes_register, stores, writes_rd, updates_base;
  assign done = valid_i && cause_q == isa_pkg::CAUSE_NONE;
  assign done_o = done;
  assign writes_rd = done && writes_x_i && word_i[11:7] != 5'd0;
  assign updates_base = done && updates_x_i && word_i[19:15] != 5'd0;
  assign write_integer_o = writes_rd | updates_base;
  assign integer_rd_o = updates_base ? word_i[19:15] : word_i[11:7];
  assign write_pair_o = done & writes_pair_i;
  assign write_base_o = done & updates_f_i;
  assign write_float_o = done & writes_f_i;
  assign writes_register = writes_rd | write_float_o;
  assign stores = done && strobe_q != 8'd0;
  assign observe_o = {
    write_pair_o,
    updates_base | write_base_o,
    write_base_o,
    updates_base | write_base_o ? word_i[19:15] : 5'd0,
    24'd0,
    write_pair_o ? pair_i : 64'd0,
    updates_base | write_base_o ? base_i : 64'd0,
    valid_i,
    port_written_i,
    port_packet_i,
    writes_register,
    write_float_o,
    stores,
    context_i,
    writes_register ? word_i[11:7] : 5'd0,
    done ? flags_q : 5'd0,
    1'b0,
    cause_q,
    stores ? strobe_q : 8'd0,
    pc_i,
    word_i,
    writes_register ? result_i : 64'd0,
    stores ? {12'd0, address_i, 3'd0} : 32'd0,
    stores ? wdata_q : 64'd0,
    port_address_i,
    port_data_i
  };
endmodule
