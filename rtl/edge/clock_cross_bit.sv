// A bit from another clock: two registers, so that one that has caught it on its way settles before it is used. It may
// be seen a cycle earlier or later; whatever goes with it has to stand still meanwhile.
module clock_cross_bit (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic bit_i,
  output logic bit_o
);
  logic first_q, second_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      first_q  <= bit_i;
      second_q <= first_q;
    end
  end
  assign bit_o = second_q;
endmodule
