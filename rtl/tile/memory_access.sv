// Loads and stores: from X2 to M the addresses are checked and taken apart and store data put into its byte lanes; in W
// load data is aligned, extended and boxed.
//
// Most make one access. The others: 128 bits are two reads of neighbouring elements; an address triple makes the accesses
// of uses_i, of 64 bits each.
module memory_access (
    input  logic        clk_i,
    // X2
    input  logic        valid_i,          // X2 holds a legal instruction that accesses memory
    input  logic        squash_i,         // it is squashed
    input  logic        wide_i,
    input  logic        triple_i,
    input  logic [ 2:0] uses_i,           // a2 (write), a1 (read), a0 (read)
    input  logic [ 8:0] id_i,
    input  logic [31:0] address_i,        // the only one, or a0
    input  logic [20:0] word1_i,          // a1 and a2 in units of 8 bytes
    input  logic [20:0] word2_i,
    input  logic [63:0] data_i,
    // M
    output logic        fault_o,          // some address outside memory or misaligned
    output logic [31:0] address_o,        // of the first access; of the first bad one
    output logic        read_o,           // accesses to good addresses: first read, second read, write
    output logic        read1_o,
    output logic        write_o,
    output logic [ 1:0] read_words_o,     // words of 64 bits that the first read takes: low, high
    output logic [19:3] address1_o,       // of the second read, of the write
    output logic [19:3] write_address_m_o,
    output memory_pkg::element_t element_o,
    output memory_pkg::row_t row_o,
    output memory_pkg::element_t element1_o,
    output memory_pkg::row_t row1_o,
    output memory_pkg::element_t write_element_o,
    output memory_pkg::row_t write_row_o,
    output logic [63:0] wdata_o,          // lanes without strobe are 0; without an access data_i as it is
    output logic [ 7:0] strobe_o,
    input  logic [ 1:0] clash_access_i,   // which access clashes: read, second read, write
    output logic [31:0] clash_address_o,
    // W
    output logic [19:3] write_address_o,
    input  logic        load_i,           // W holds a load into a register
    input  logic [ 8:0] load_id_i,
    input  logic [ 2:0] load_lane_i,
    input  logic [63:0] rdata_i,
    output logic [63:0] load_o
);
  function automatic logic bad(input logic [20:0] word);
    bad = !tile_pkg::in_memory({8'd0, word, 3'd0});
  endfunction

  logic [2:0] access_q;  // write, second read, first read
  logic fault_q, triple_q;
  logic [31:0] address_q;
  memory_pkg::place_t place_q, place1_q, write_place_q;
  logic [19:3] address1_q, write_address_q, w_write_address_q;
  logic [63:0] wdata_q;
  logic [7:0] strobe_q;
  logic [1:0] read_words_q;
  always_ff @(posedge clk_i) begin : access
    logic fault;
    logic [2:0] uses;
    logic [7:0] strobe;
    logic [63:0] wdata;
    memory_pkg::place_t place;
    access_q <= 3'b000;
    fault_q <= 1'b0;
    strobe_q <= 8'd0;
    wdata_q <= data_i;
    if (valid_i) begin
      fault = 1'b0;
      strobe = 8'd0;
      wdata = data_i;
      place = tile_pkg::locate(address_i[19:3]);
      read_words_q <= 2'b11;
      address_q <= address_i;
      place_q <= place;
      triple_q <= triple_i;
      if (triple_i) begin
        uses = uses_i;
        strobe = {8{uses_i[2]}};
        if (uses_i[0] & bad(address_i[23:3])) fault = 1'b1;
        else if (uses_i[1] & bad(word1_i)) begin
          fault = 1'b1;
          address_q <= {8'd0, word1_i, 3'd0};
        end else if (uses_i[2] & bad(word2_i)) begin
          fault = 1'b1;
          address_q <= {8'd0, word2_i, 3'd0};
        end
        address1_q <= word1_i[16:0];
        place1_q <= tile_pkg::locate(word1_i[16:0]);
        write_address_q <= word2_i[16:0];
        write_place_q <= tile_pkg::locate(word2_i[16:0]);
      end else begin
        case (id_i)
          isa_pkg::LB, isa_pkg::LBU: read_words_q <= {address_i[2], !address_i[2]};
          isa_pkg::SB: begin
            strobe = 8'h01 << address_i[2:0];
            wdata = {56'd0, data_i[7:0]} << {address_i[2:0], 3'd0};
          end
          isa_pkg::LH, isa_pkg::LHU, isa_pkg::FLH, isa_pkg::LD16STEP: begin
            fault = address_i[0];
            read_words_q <= {address_i[2], !address_i[2]};
          end
          isa_pkg::SH, isa_pkg::FSH, isa_pkg::ST16STEP: begin
            fault = address_i[0];
            strobe = 8'h03 << address_i[2:0];
            wdata = {48'd0, data_i[15:0]} << {address_i[2:0], 3'd0};
          end
          isa_pkg::SW, isa_pkg::FSW, isa_pkg::ST32STEP: begin
            fault = address_i[1:0] != 2'd0;
            strobe = address_i[2] ? 8'hf0 : 8'h0f;
            wdata = address_i[2] ? {data_i[31:0], 32'd0} : {32'd0, data_i[31:0]};
          end
          isa_pkg::LW, isa_pkg::FLW, isa_pkg::LD32STEP: begin
            fault = address_i[1:0] != 2'd0;
            read_words_q <= {address_i[2], !address_i[2]};
          end
          isa_pkg::FSD, isa_pkg::ST64STEP, isa_pkg::ST64STRIDE: begin
            fault = address_i[2:0] != 3'd0;
            strobe = 8'hff;
          end
          default: fault = address_i[2:0] != 3'd0;  // loads of 64 and 128 bits
        endcase
        if (!tile_pkg::in_memory(address_i)) fault = 1'b1;
        uses = strobe != 8'd0 ? 3'b100 : 3'b001;
        write_address_q <= address_i[19:3];
        write_place_q <= place;
        if (wide_i) begin
          if (address_i[3] || address_i < memory_pkg::REGION1_BASE) fault = 1'b1;
          uses = 3'b011;
          address1_q <= {address_i[19:4], 1'b1};
          place1_q <= place + memory_pkg::PLACE_BITS'(memory_pkg::ROWS);
        end
      end
      if (!fault & !squash_i) access_q <= uses;
      fault_q <= fault;
      strobe_q <= strobe;
      wdata_q <= wdata;
    end
    w_write_address_q <= write_address_q;
  end
  assign {write_o, read1_o, read_o} = access_q;
  assign read_words_o = read_words_q;
  assign address1_o = address1_q;
  assign write_address_m_o = write_address_q;
  assign fault_o = fault_q;
  assign address_o = address_q;
  assign {element_o, row_o} = place_q;
  assign {element1_o, row1_o} = place1_q;
  assign {write_element_o, write_row_o} = write_place_q;
  assign wdata_o = wdata_q;
  assign strobe_o = strobe_q;
  assign write_address_o = w_write_address_q;

  always_comb begin
    clash_address_o = address_q;
    if (clash_access_i == 2'd1) clash_address_o = {12'd0, address1_q, 3'd0};
    else if (clash_access_i == 2'd2 && triple_q) clash_address_o = {12'd0, write_address_q, 3'd0};
  end

  function automatic logic [63:0] loaded(input logic [8:0] id, input logic [2:0] lane, input logic [63:0] rdata);
    logic [31:0] low;
    low = 32'(rdata >> {lane, 3'd0});
    case (id)
      isa_pkg::LB: loaded = {32'd0, {24{low[7]}}, low[7:0]};
      isa_pkg::LBU: loaded = {56'd0, low[7:0]};
      isa_pkg::LH: loaded = {32'd0, {16{low[15]}}, low[15:0]};
      isa_pkg::LHU: loaded = {48'd0, low[15:0]};
      isa_pkg::FLH, isa_pkg::LD16STEP: loaded = {48'hffff_ffff_ffff, low[15:0]};
      isa_pkg::FLW, isa_pkg::LD32STEP: loaded = {32'hffff_ffff, low};
      isa_pkg::LW: loaded = {32'd0, low};
      default: loaded = rdata;  // 64 bits: lane 0
    endcase
  endfunction
  always_comb begin
    load_o = 64'd0;
    if (load_i) load_o = loaded(load_id_i, load_lane_i, rdata_i);
  end
endmodule
