// W: whether the instruction there writes a register, and the record of what the tile did (words_pkg::observe_t).
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
    // Words that ports wrote in the last cycle.
    input  logic               received_i,
    input  logic        [31:0] received_address_i,
    input  logic        [63:0] received_data_i,
    input  logic               received_double_i,
    input  logic               packet_written_i,
    input  logic        [31:0] packet_address_i,
    input  logic        [31:0] packet_word_i,
    output words_pkg::observe_t observe_o
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
  always_comb begin
    observe_o = '0;
    observe_o.retire_valid = valid_i;
    observe_o.context_id = context_i;
    observe_o.pc = pc_i;
    observe_o.instruction = word_i;
    observe_o.exception = cause_q;
    if (done) observe_o.flags = flags_q;
    observe_o.reg_write = writes_register;
    observe_o.reg_float = write_float_o;
    if (writes_register) begin
      observe_o.reg_number = word_i[11:7];
      observe_o.reg_data = result_i;
    end
    observe_o.pair_write = write_pair_o;
    if (write_pair_o) observe_o.pair_data = pair_i;
    observe_o.base_write = updates_base | write_base_o;
    observe_o.base_float = write_base_o;
    if (updates_base | write_base_o) begin
      observe_o.base_number = word_i[19:15];
      observe_o.base_data = base_i;
    end
    observe_o.mem_write = stores;
    if (stores) begin
      observe_o.mem_strobe = strobe_q;
      observe_o.mem_address = {12'd0, address_i, 3'd0};
      observe_o.mem_data = wdata_q;
    end
    observe_o.receive_valid = received_i;
    observe_o.receive_address = received_address_i;
    observe_o.receive_data = received_data_i[31:0];
    observe_o.receive_double = received_double_i;
    observe_o.receive_high = received_data_i[63:32];
    observe_o.packet_valid = packet_written_i;
    observe_o.packet_address = packet_address_i;
    observe_o.packet_data = packet_word_i;
  end
endmodule
