// X1: what the instructions of unit Random make of a draw: integers and masks. Combinational.
module random_draw (
    input  logic        valid_i,
    input  logic [ 8:0] id_i,
    input  logic [63:0] random_i,
    input  logic [63:0] a_i,
    input  logic [16:0] keep_i,    // of masks: probability to keep a lane, in units of 2^-16; bit 16: keep all
    output logic [63:0] result_o
);
  function automatic logic [63:0] drawn(input logic [8:0] id, input logic [63:0] random, input logic [63:0] a,
                                        input logic [16:0] keep);
    logic [3:0] kept;
    for (int i = 0; i < 4; i++) kept[i] = keep[16] | (random[16*i+:16] < keep[15:0]);
    case (id)
      isa_pkg::URAND32: drawn = {32'd0, random[31:0]};
      isa_pkg::URAND64: drawn = random;
      isa_pkg::F32V2RMASK: drawn = a & {{32{kept[1]}}, {32{kept[0]}}};
      default: drawn = a & {{16{kept[3]}}, {16{kept[2]}}, {16{kept[1]}}, {16{kept[0]}}};  // F16V4RMASK
    endcase
  endfunction

  always_comb begin
    result_o = 64'd0;
    if (valid_i) result_o = drawn(id_i, random_i, a_i, keep_i);
  end
endmodule
