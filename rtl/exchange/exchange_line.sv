// The words of one side along a trunk: Entry registers to the first column that they reach, Step from one to the next.
// Tap i is what the i-th of them hears. Taps: 1 or more.
module exchange_line #(
  parameter int Entry = 1,
  parameter int Step = 1,
  parameter int Taps = 1,
  parameter int Words = 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Words-1:0]         valid_i,
  input  logic [Words*32-1:0]      data_i,
  output logic [Taps*Words-1:0]    valid_o,
  output logic [Taps*Words*32-1:0] data_o
);
  exchange_wire #(
    .Depth(Entry),
    .Words(Words)
  ) u_entry (
    .clk_i,
    .rst_ni,
    .valid_i,
    .data_i,
    .valid_o(valid_o[0+:Words]),
    .data_o (data_o[0+:Words*32])
  );

  for (genvar i = 1; i < Taps; i++) begin : g_step
    exchange_wire #(
      .Depth(Step),
      .Words(Words)
    ) u_step (
      .clk_i,
      .rst_ni,
      .valid_i(valid_o[(i-1)*Words+:Words]),
      .data_i (data_o[(i-1)*Words*32+:Words*32]),
      .valid_o(valid_o[i*Words+:Words]),
      .data_o (data_o[i*Words*32+:Words*32])
    );
  end
endmodule
