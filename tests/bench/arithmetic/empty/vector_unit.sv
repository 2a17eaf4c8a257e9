// vector_unit with its ports and nothing in it: the tile whose idle cost the benchmark compares with.
module vector_unit (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        test_en_i,
    input  logic        wake_i,
    input  logic        valid_i,
    input  logic [ 8:0] id_i,
    input  logic [ 2:0] rm_i,
    input  logic [63:0] a_i,
    input  logic [63:0] b_i,
    input  logic [63:0] c_i,
    input  logic [63:0] random_i,
    input  logic        stochastic_i,
    input  logic [ 1:0] half_overflow_i,
    input  logic [13:0] f8_i,
    output logic [63:0] result_o,
    output logic [ 4:0] flags_o
);
  logic unused;
  assign unused = ^{clk_i, rst_ni, test_en_i, wake_i, valid_i, id_i, rm_i, a_i, b_i, c_i, random_i, stochastic_i, half_overflow_i, f8_i};
  assign result_o = '0;
  assign flags_o = '0;
endmodule
