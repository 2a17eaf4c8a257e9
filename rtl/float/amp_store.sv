// Weight loads of the matrix engine on their way to the weights: a load is in W in cycle c + 5 and a step that is in X1 in
// cycle c + 8 is the first to see it.
module amp_store (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         write_i,         // W
    input  logic         wide_i,          // two entries
    input  logic [  5:0] index_i,         // of the first entry, even for two
    input  logic [127:0] data_i,          // one entry: the low half
    input  logic         debug_write_i,
    input  logic [  6:0] debug_address_i,  // words
    input  logic [ 31:0] debug_wdata_i,
    output logic         busy_o,          // a load is on its way
    output logic         write_o,         // in this cycle:
    output logic [  3:0] unit_o,
    output logic [  7:0] words_o,         // of the unit's four entries
    output logic [ 63:0] even_o,          // data of entries 0 and 2
    output logic [ 63:0] odd_o
);
  logic valid_1_q, valid_2_q, wide_1_q, wide_2_q;
  logic [5:0] index_1_q, index_2_q;
  logic [63:0] even_1_q, odd_1_q, even_2_q, odd_2_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
    end else begin
      valid_1_q <= write_i;
      valid_2_q <= valid_1_q;
    end
    if (write_i) begin
      wide_1_q <= wide_i;
      index_1_q <= index_i;
      even_1_q <= data_i[63:0];
      odd_1_q <= wide_i ? data_i[127:64] : data_i[63:0];
    end
    if (valid_1_q) begin
      wide_2_q <= wide_1_q;
      index_2_q <= index_1_q;
      even_2_q <= even_1_q;
      odd_2_q <= odd_1_q;
    end
  end

  assign busy_o = valid_1_q | valid_2_q;
  always_comb begin
    write_o = valid_2_q | debug_write_i;
    unit_o = 4'd0;
    words_o = 8'd0;
    even_o = 64'd0;
    odd_o = 64'd0;
    if (valid_2_q) begin
      unit_o = index_2_q[5:2];
      words_o = 8'h03 << {index_2_q[1:0], 1'b0};
      if (wide_2_q) words_o = index_2_q[1] ? 8'hf0 : 8'h0f;
      even_o = even_2_q;
      odd_o = odd_2_q;
    end else if (debug_write_i) begin
      unit_o = debug_address_i[6:3];
      words_o = 8'h01 << debug_address_i[2:0];
      even_o = {2{debug_wdata_i}};
      odd_o = even_o;
    end
  end
endmodule
