// X1: what the instructions of unit Random make of a draw: integers and masks. Combinational.
module random_draw (
    input  logic        valid_i,
    input  logic [ 8:0] id_i,
    input  logic [63:0] random_i,
    input  logic [63:0] a_i,
    input  logic [16:0] keep_i,    // of masks: probability to keep a lane, in units of 2^-16; bit 16: keep all
    output logic [63:0] result_o
);
  logic [3:0] kept;
  always_comb begin
    result_o = 64'd0;
    kept = 4'd0;
    if (valid_i) begin
      for (int i = 0; i < 4; i++) kept[i] = keep_i[16] | (random_i[16*i+:16] < keep_i[15:0]);
      case (id_i)
        isa_pkg::URAND32: result_o = {32'd0, random_i[31:0]};
        isa_pkg::URAND64: result_o = random_i;
        isa_pkg::F32V2RMASK: result_o = a_i & {{32{kept[1]}}, {32{kept[0]}}};
        default: result_o = a_i & {{16{kept[3]}}, {16{kept[2]}}, {16{kept[1]}}, {16{kept[0]}}};  // F16V4RMASK
      endcase
    end
  end
endmodule
