// W: whether the instruction there writes a register, and the record of what the tile did (words_pkg::observe_t).
module retire (
  input  logic                    clk_i,
  input  logic [3:0]              m_cause_i,      // 0: no exception
  input  logic [4:0]              m_flags_i,
  input  memory_pkg::accesses_t    m_accesses_i,
  input  stage_pkg::instruction_t w_i,
  input  logic [63:0]             w_result_i,
  input  logic [63:0]             w_pair_i,       // for float rd + 1
  input  logic [63:0]             w_base_i,       // for rs1
  input  logic [16:0]             w_write_word_i, // of a store, in units of 8 bytes
  output stage_pkg::writes_t      w_writes_o,
  output logic [4:0]              w_flags_o,      // 0 of an instruction with an exception
  input  stage_pkg::port_writes_t port_writes_i,  // in the last cycle
  output words_pkg::observe_t     observe_o
);
  logic [63:0] wdata_q;
  logic [7:0] strobe_q;
  logic [3:0] cause_q;
  logic [4:0] flags_q;
  always_ff @(posedge clk_i) begin
    wdata_q <= m_accesses_i.wdata;
    strobe_q <= m_accesses_i.strobe;
    cause_q <= m_cause_i;
    flags_q <= m_flags_i;
  end

  logic done, to_integer, to_float, to_pair, to_base, writes_register, stores, writes_rd, updates_base;
  assign done = w_i.valid && cause_q == isa_pkg::CAUSE_NONE;
  assign writes_rd = done && w_i.writes_x && w_i.word[11:7] != 5'd0;
  assign updates_base = done && w_i.updates_x && w_i.word[19:15] != 5'd0;
  assign to_integer = writes_rd | updates_base;
  assign to_float = done & w_i.writes_f;
  assign to_pair = done & w_i.writes_pair;
  assign to_base = done & w_i.updates_f;
  assign writes_register = writes_rd | to_float;
  assign stores = done && strobe_q != 8'd0;
  assign w_writes_o.done         = done;
  assign w_flags_o = done ? flags_q : 5'd0;
  assign w_writes_o.to_integer   = to_integer;
  assign w_writes_o.to_float     = to_float;
  assign w_writes_o.to_pair      = to_pair;
  assign w_writes_o.to_base      = to_base;
  assign w_writes_o.integer_rd   = updates_base ? w_i.word[19:15] : w_i.word[11:7];
  assign w_writes_o.integer_data = w_i.updates_x ? w_base_i[31:0] : w_result_i[31:0];
  always_comb begin
    observe_o = '0;
    observe_o.retire_valid = w_i.valid;
    observe_o.context_id = w_i.context_id;
    observe_o.pc = w_i.pc;
    observe_o.instruction = w_i.word;
    observe_o.exception = cause_q;
    observe_o.flags = w_flags_o;
    observe_o.reg_write = writes_register;
    observe_o.reg_float = to_float;
    if (writes_register) begin
      observe_o.reg_number = w_i.word[11:7];
      observe_o.reg_data = w_result_i;
    end
    observe_o.pair_write = to_pair;
    if (to_pair) observe_o.pair_data = w_pair_i;
    observe_o.base_write = updates_base | to_base;
    observe_o.base_float = to_base;
    if (updates_base | to_base) begin
      observe_o.base_number = w_i.word[19:15];
      observe_o.base_data = w_base_i;
    end
    observe_o.mem_write = stores;
    if (stores) begin
      observe_o.mem_strobe = strobe_q;
      observe_o.mem_address = {12'd0, w_write_word_i, 3'd0};
      observe_o.mem_data = wdata_q;
    end
    observe_o.receive_valid = port_writes_i.received;
    observe_o.receive_address = {12'd0, port_writes_i.received_address};
    observe_o.receive_data = port_writes_i.received_data[31:0];
    observe_o.receive_double = port_writes_i.double_word;
    observe_o.receive_high = port_writes_i.received_data[63:32];
    observe_o.packet_valid = port_writes_i.packet;
    observe_o.packet_address = {12'd0, port_writes_i.packet_address};
    observe_o.packet_data = port_writes_i.packet_word;
  end

  // What others need of all this.
  logic unused;
  assign unused = ^{m_accesses_i, w_i};
endmodule
