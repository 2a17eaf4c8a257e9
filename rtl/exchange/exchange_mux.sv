// The multiplexer of a tile, at the base of its column. A selection names one word of one side; three levels of registers, of
// which the first takes a word of each side, the second joins sides by eight, the third all. Words that come outwards along a
// trunk and those that come back have a tree each, since tiles differ in what lies behind it (exchange_drop.sv): what is
// put out follows its selection by three cycles. A selection that names no tile gives an invalid word.
module exchange_mux (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // By side, row and lane of that side.
  input  logic [machine_pkg::EXCHANGE_WORDS-1:0]     valid_i,
  input  logic [machine_pkg::EXCHANGE_WORDS*32-1:0]  data_i,
  input  logic [machine_pkg::EXCHANGE_SIDES-1:0]     sides_back_i,  // whose words come back
  input  logic [10:0]                        outward_i,
  input  logic [10:0]                        back_i,
  output logic [1:0]                         valid_o,       // outwards, back
  output logic [63:0]                        data_o
);
  localparam int Sides = machine_pkg::EXCHANGE_SIDES;
  localparam int SideWords = machine_pkg::EXCHANGE_SIDE_WORDS;
  localparam int Joined = (Sides + 7) / 8;

  logic [Sides-1:0]       side_valid_d, side_valid_q;
  logic [Sides*32-1:0]    side_data_d, side_data_q;
  logic [2*Joined-1:0]    joined_valid_d, joined_valid_q;  // outwards, then back
  logic [2*Joined*32-1:0] joined_data_d, joined_data_q;
  logic [1:0]             valid_d, valid_q;
  logic [63:0]            data_d, data_q;

  logic [10:0] selected;
  int          side, word;
  always_comb begin
    side_valid_d = '0;
    side_data_d  = '0;
    for (int d = 0; d < 2; d++) begin
      selected = d != 0 ? back_i : outward_i;
      side     = exchange_pkg::side_of(selected);
      word     = side * SideWords + exchange_pkg::word_of(selected);
      if ({21'd0, selected} < machine_pkg::TILES && sides_back_i[side] == (d != 0)) begin
        side_valid_d[side]        = valid_i[word];
        side_data_d[side*32+:32] = data_i[word*32+:32];
      end
    end
  end

  always_comb begin
    joined_valid_d = '0;
    joined_data_d  = '0;
    for (int g = 0; g < Sides; g++) begin
      joined_valid_d[g/8] |= side_valid_q[g] & ~sides_back_i[g];
      joined_data_d[g/8*32+:32] |= side_data_q[g*32+:32] & {32{~sides_back_i[g]}};
      joined_valid_d[Joined+g/8] |= side_valid_q[g] & sides_back_i[g];
      joined_data_d[(Joined+g/8)*32+:32] |= side_data_q[g*32+:32] & {32{sides_back_i[g]}};
    end
    valid_d = '0;
    data_d  = '0;
    for (int j = 0; j < 2 * Joined; j++) begin
      valid_d[j/Joined] |= joined_valid_q[j];
      data_d[j/Joined*32+:32] |= joined_data_q[j*32+:32];
    end
  end

  always_ff @(posedge clk_i) begin
    side_data_q   <= side_data_d;
    joined_data_q <= joined_data_d;
    data_q        <= data_d;
    if (!rst_ni) begin
      side_valid_q   <= '0;
      joined_valid_q <= '0;
      valid_q        <= '0;
    end else begin
      side_valid_q   <= side_valid_d;
      joined_valid_q <= joined_valid_d;
      valid_q        <= valid_d;
    end
  end

  assign valid_o = valid_q;
  assign data_o  = data_q;

`ifndef SYNTHESIS
  // At most one side has the selected word of a direction, so that levels may join by OR.
  logic [Sides-1:0] outward_sides, back_sides;
  assign outward_sides = side_valid_q & ~sides_back_i;
  assign back_sides    = side_valid_q & sides_back_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_side_is_heard_outwards : assert ((outward_sides & (outward_sides - Sides'(1))) == '0);
      one_side_is_heard_back : assert ((back_sides & (back_sides - Sides'(1))) == '0);
    end
  end
`endif
endmodule
