// Loads and stores: from X2 to M the addresses are checked and taken apart and store data put into its byte lanes; in W
// load data is aligned, extended and boxed.
//
// Most make one access. The others: 128 bits are two reads of neighbouring elements; an address triple makes the accesses
// that its addresses say, of 64 bits each.
module memory_access (
  input  logic                    clk_i,
  // X2.
  input  stage_pkg::instruction_t x2_i,
  input  stage_pkg::addresses_t   x2_addresses_i,
  input  logic [31:0]             x2_address_i,      // of an instruction that is none of those
  input  logic [63:0]             x2_data_i,
  input  logic                    squash_i,          // what X2 holds is squashed
  // M.
  output memory_pkg::accesses_t    m_o,
  output stage_pkg::places_t      m_places_o,
  input  logic [1:0]              m_clash_access_i,  // which access clashes: 0 the read, 1 the second read, 2 the write
  output logic [31:0]             m_clash_address_o,
  // W.
  input  stage_pkg::instruction_t w_i,
  input  logic                    w_loads_i,         // it is a load into a register
  input  logic [2:0]              w_lane_i,
  input  logic [63:0]             w_rdata_i,
  output logic [16:0]             w_write_word_o,    // of a store
  output logic [63:0]             w_load_o
);
  function automatic logic bad(input logic [20:0] word);
    bad = !tile_pkg::in_memory({8'd0, word, 3'd0});
  endfunction

  logic        valid, triple, wide;
  logic [31:0] address;
  logic [20:0] word1, word2;
  assign valid   = x2_i.valid & !x2_i.illegal & (x2_i.unit == isa_pkg::UNIT_LOAD || x2_i.unit == isa_pkg::UNIT_STORE || x2_addresses_i.valid);
  assign triple  = x2_addresses_i.triple;
  assign wide    = x2_addresses_i.wide;
  assign address = x2_addresses_i.valid ? x2_addresses_i.address : x2_address_i;
  assign word1   = x2_addresses_i.word1;
  assign word2   = x2_addresses_i.word2;

  memory_pkg::accesses_t m_q;
  stage_pkg::places_t   m_places_q;
  logic [16:0]          w_write_word_q;
  always_ff @(posedge clk_i) begin : access
    logic fault, reads, reads1, writes;
    logic [7:0] strobe;
    logic [63:0] wdata;
    memory_pkg::place_t place;
    m_q.read <= 1'b0;
    m_q.read1 <= 1'b0;
    m_q.write <= 1'b0;
    m_q.strobe <= 8'd0;
    m_q.wdata <= x2_data_i;
    m_places_q.fault <= 1'b0;
    if (valid) begin
      fault = 1'b0;
      strobe = 8'd0;
      wdata = x2_data_i;
      place = tile_pkg::locate(address[19:3]);
      m_q.words <= 2'b11;
      m_places_q.address <= address;
      m_places_q.triple <= triple;
      {m_q.element, m_q.row} <= place;
      if (triple) begin
        reads = x2_addresses_i.read0;
        reads1 = x2_addresses_i.read1;
        writes = x2_addresses_i.write2;
        strobe = {8{writes}};
        if (reads & bad(address[23:3])) fault = 1'b1;
        else if (reads1 & bad(word1)) begin
          fault = 1'b1;
          m_places_q.address <= {8'd0, word1, 3'd0};
        end else if (writes & bad(word2)) begin
          fault = 1'b1;
          m_places_q.address <= {8'd0, word2, 3'd0};
        end
        m_places_q.word1 <= word1[16:0];
        {m_q.element1, m_q.row1} <= tile_pkg::locate(word1[16:0]);
        m_places_q.write_word <= word2[16:0];
        {m_q.write_element, m_q.write_row} <= tile_pkg::locate(word2[16:0]);
      end else begin
        case (x2_i.id)
          isa_pkg::LB, isa_pkg::LBU: m_q.words <= {address[2], !address[2]};
          isa_pkg::SB: begin
            strobe = 8'h01 << address[2:0];
            wdata = {56'd0, x2_data_i[7:0]} << {address[2:0], 3'd0};
          end
          isa_pkg::LH, isa_pkg::LHU, isa_pkg::FLH, isa_pkg::LD16STEP: begin
            fault = address[0];
            m_q.words <= {address[2], !address[2]};
          end
          isa_pkg::SH, isa_pkg::FSH, isa_pkg::ST16STEP: begin
            fault = address[0];
            strobe = 8'h03 << address[2:0];
            wdata = {48'd0, x2_data_i[15:0]} << {address[2:0], 3'd0};
          end
          isa_pkg::SW, isa_pkg::FSW, isa_pkg::ST32STEP: begin
            fault = address[1:0] != 2'd0;
            strobe = address[2] ? 8'hf0 : 8'h0f;
            wdata = address[2] ? {x2_data_i[31:0], 32'd0} : {32'd0, x2_data_i[31:0]};
          end
          isa_pkg::LW, isa_pkg::FLW, isa_pkg::LD32STEP: begin
            fault = address[1:0] != 2'd0;
            m_q.words <= {address[2], !address[2]};
          end
          isa_pkg::FSD, isa_pkg::ST64STEP, isa_pkg::ST64STRIDE: begin
            fault = address[2:0] != 3'd0;
            strobe = 8'hff;
          end
          default: fault = address[2:0] != 3'd0;  // loads of 64 and 128 bits
        endcase
        if (!tile_pkg::in_memory(address)) fault = 1'b1;
        writes = strobe != 8'd0;
        reads = !writes;
        reads1 = 1'b0;
        m_places_q.write_word <= address[19:3];
        {m_q.write_element, m_q.write_row} <= place;
        if (wide) begin
          if (address[3] || address < memory_pkg::REGION1_BASE) fault = 1'b1;
          reads = 1'b1;
          reads1 = 1'b1;
          writes = 1'b0;
          m_places_q.word1 <= {address[19:4], 1'b1};
          {m_q.element1, m_q.row1} <= place + memory_pkg::PLACE_BITS'(memory_pkg::ROWS);
        end
      end
      if (!fault & !squash_i) begin
        m_q.read <= reads;
        m_q.read1 <= reads1;
        m_q.write <= writes;
      end
      m_places_q.fault <= fault;
      m_q.strobe <= strobe;
      m_q.wdata <= wdata;
    end
    w_write_word_q <= m_places_q.write_word;
  end
  assign m_o            = m_q;
  assign m_places_o     = m_places_q;
  assign w_write_word_o = w_write_word_q;

  always_comb begin
    m_clash_address_o = m_places_q.address;
    if (m_clash_access_i == 2'd1) m_clash_address_o = {12'd0, m_places_q.word1, 3'd0};
    else if (m_clash_access_i == 2'd2 && m_places_q.triple) m_clash_address_o = {12'd0, m_places_q.write_word, 3'd0};
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
    w_load_o = 64'd0;
    if (w_loads_i) w_load_o = loaded(w_i.id, w_lane_i, w_rdata_i);
  end

  // What others need of all this.
  logic unused;
  assign unused = ^{x2_i, x2_addresses_i, w_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    a_bad_address_is_not_accessed : assert (!m_places_q.fault || !(m_q.read || m_q.read1 || m_q.write));
    reads_are_of_the_memory : assert (!m_q.read || tile_pkg::in_memory(m_places_q.address));
    second_reads_are_of_the_memory : assert (!m_q.read1 || tile_pkg::in_memory({12'd0, m_places_q.word1, 3'd0}));
    writes_are_of_the_memory : assert (!m_q.write || tile_pkg::in_memory({12'd0, m_places_q.write_word, 3'd0}));
    a_write_has_bytes : assert (!m_q.write || m_q.strobe != 8'd0);
  end
`endif
endmodule
