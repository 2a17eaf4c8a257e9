// amp with its ports and nothing in it: the tile whose idle cost the benchmark compares with.
module amp (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         test_en_i,
    input  logic         wake_i,
    input  logic         valid_i,
    input  logic [  2:0] context_i,
    input  logic [  8:0] id_i,
    input  logic         step_i,
    input  logic [  4:0] number_i,
    input  logic [ 63:0] a_i,
    input  logic [ 63:0] b_i,
    input  logic [ 31:0] tas_i,
    input  logic [ 63:0] random_i,
    input  logic         stochastic_i,
    input  logic [  1:0] half_overflow_i,
    input  logic [ 13:0] f8_i,
    input  logic         commit_i,
    output logic [ 63:0] result_o,
    output logic [  4:0] flags_o,
    input  logic         cw_write_i,
    input  logic         cw_wide_i,
    input  logic [  5:0] cw_index_i,
    input  logic [127:0] cw_data_i,
    output logic         idle_o,
    input  logic         debug_read_i,
    input  logic         debug_write_i,
    input  logic         debug_weights_i,
    input  logic [  2:0] debug_context_i,
    input  logic [  6:0] debug_address_i,
    input  logic [ 31:0] debug_wdata_i,
    output logic [ 31:0] debug_rdata_o
);
  logic unused;
  assign unused = ^{clk_i, rst_ni, test_en_i, wake_i, valid_i, context_i, id_i, step_i, number_i, a_i, b_i, tas_i, random_i, stochastic_i, half_overflow_i, f8_i, commit_i, cw_write_i, cw_wide_i, cw_index_i, cw_data_i, debug_read_i, debug_write_i, debug_weights_i, debug_context_i, debug_address_i, debug_wdata_i};
  assign result_o = '0;
  assign flags_o = '0;
  assign idle_o = '1;
  assign debug_rdata_o = '0;
endmodule
