// Loads and stores: in X2 the address is checked and taken apart and store data put into its byte lanes; in W load data is
// aligned, extended and boxed. Combinational.
module memory_access (
    // X2
    input  logic        valid_i,      // X2 holds a load or store
    input  logic [8:0] id_i,
    input  logic [31:0] address_i,
    input  logic [63:0] data_i,
    output logic        fault_o,      // outside memory or misaligned
    output logic [ 5:0] element_o,
    output logic [10:0] row_o,
    output logic [63:0] wdata_o,      // lanes without strobe are 0
    output logic [ 7:0] strobe_o,
    // W
    input  logic        load_i,       // W holds a load
    input  logic [8:0] load_id_i,
    input  logic [ 2:0] load_lane_i,
    input  logic [63:0] rdata_i,
    output logic [63:0] load_o
);
  always_comb begin
    fault_o = 1'b0;
    {element_o, row_o} = 17'd0;
    wdata_o = data_i;
    strobe_o = 8'd0;
    if (valid_i) begin
      {element_o, row_o} = tile_pkg::locate(address_i[19:3]);
      fault_o = !tile_pkg::in_memory(address_i);
      case (id_i)
        isa_pkg::LB, isa_pkg::LBU: ;
        isa_pkg::SB: begin
          strobe_o = 8'h01 << address_i[2:0];
          wdata_o = {56'd0, data_i[7:0]} << {address_i[2:0], 3'd0};
        end
        isa_pkg::LH, isa_pkg::LHU, isa_pkg::FLH: if (address_i[0]) fault_o = 1'b1;
        isa_pkg::SH, isa_pkg::FSH: begin
          if (address_i[0]) fault_o = 1'b1;
          strobe_o = 8'h03 << address_i[2:0];
          wdata_o = {48'd0, data_i[15:0]} << {address_i[2:0], 3'd0};
        end
        isa_pkg::SW, isa_pkg::FSW: begin
          if (address_i[1:0] != 2'd0) fault_o = 1'b1;
          strobe_o = address_i[2] ? 8'hf0 : 8'h0f;
          wdata_o = address_i[2] ? {data_i[31:0], 32'd0} : {32'd0, data_i[31:0]};
        end
        isa_pkg::FLD: if (address_i[2:0] != 3'd0) fault_o = 1'b1;
        isa_pkg::FSD: begin
          if (address_i[2:0] != 3'd0) fault_o = 1'b1;
          strobe_o = 8'hff;
        end
        default: if (address_i[1:0] != 2'd0) fault_o = 1'b1;  // LW, FLW
      endcase
    end
  end

  logic [63:0] low;
  always_comb begin
    low = 64'd0;
    load_o = 64'd0;
    if (load_i) begin
      low = rdata_i >> {load_lane_i, 3'd0};
      case (load_id_i)
        isa_pkg::LB: load_o = {32'd0, {24{low[7]}}, low[7:0]};
        isa_pkg::LBU: load_o = {56'd0, low[7:0]};
        isa_pkg::LH: load_o = {32'd0, {16{low[15]}}, low[15:0]};
        isa_pkg::LHU: load_o = {48'd0, low[15:0]};
        isa_pkg::FLH: load_o = {48'hffff_ffff_ffff, low[15:0]};
        isa_pkg::FLW: load_o = {32'hffff_ffff, low[31:0]};
        isa_pkg::FLD: load_o = low;
        default: load_o = {32'd0, low[31:0]};  // LW
      endcase
    end
  end
endmodule
