// The weights of the matrix engine, CW: four entries a unit, one a phase. Kept by phase, as a step reads them.
//
// A load is in W in cycle c + 5; a step that is in X1 in cycle c + 8 is the first to see it.
module amp_weights (
    input  logic          clk_i,
    input  logic          rst_ni,
    // Loads
    input  logic          write_i,         // W
    input  logic          wide_i,          // two entries
    input  logic [   5:0] index_i,         // of the first entry, even for two
    input  logic [ 127:0] data_i,          // one entry: the low half
    output logic          busy_o,          // a load is on its way
    // Steps, X1
    input  logic          step_clk_i,      // gated
    input  logic          read_i,
    input  logic [   1:0] phase_i,
    output logic [1023:0] w_o,             // X2: 64 bits a unit
    // The debugger, words of 32 bits
    input  logic          debug_read_i,
    input  logic          debug_write_i,
    input  logic [   6:0] debug_address_i,
    input  logic [  31:0] debug_wdata_i,
    output logic [  31:0] debug_rdata_o
);
  logic valid_1_q, valid_2_q, wide_1_q, wide_2_q;
  logic [5:0] index_1_q, index_2_q;
  logic [63:0] first_1_q, second_1_q, first_2_q, second_2_q;
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
      first_1_q <= data_i[63:0];
      second_1_q <= data_i[127:64];
    end
    if (valid_1_q) begin
      wide_2_q <= wide_1_q;
      index_2_q <= index_1_q;
      first_2_q <= first_1_q;
      second_2_q <= second_1_q;
    end
  end
  assign busy_o = valid_1_q | valid_2_q;

  logic gclk;
  clock_gate u_gate (
      .clk_i,
      .en_i  (valid_2_q | debug_write_i | !rst_ni),
      .gclk_o(gclk)
  );

  logic [1023:0] phase_0_q, phase_1_q, phase_2_q, phase_3_q;
  always_ff @(posedge gclk) begin
    if (!rst_ni) begin
      phase_0_q <= 1024'd0;
      phase_1_q <= 1024'd0;
      phase_2_q <= 1024'd0;
      phase_3_q <= 1024'd0;
    end else begin
      for (int u = 0; u < 16; u++) begin
        if (valid_2_q && index_2_q[5:2] == 4'(u)) begin
          case (index_2_q[1:0])
            2'd0: phase_0_q[64*u+:64] <= first_2_q;
            2'd1: phase_1_q[64*u+:64] <= first_2_q;
            2'd2: phase_2_q[64*u+:64] <= first_2_q;
            default: phase_3_q[64*u+:64] <= first_2_q;
          endcase
          if (wide_2_q) begin
            if (index_2_q[1]) phase_3_q[64*u+:64] <= second_2_q;
            else phase_1_q[64*u+:64] <= second_2_q;
          end
        end
        for (int h = 0; h < 2; h++) begin
          if (debug_write_i && debug_address_i[6:3] == 4'(u) && debug_address_i[0] == 1'(h)) begin
            case (debug_address_i[2:1])
              2'd0: phase_0_q[64*u+32*h+:32] <= debug_wdata_i;
              2'd1: phase_1_q[64*u+32*h+:32] <= debug_wdata_i;
              2'd2: phase_2_q[64*u+32*h+:32] <= debug_wdata_i;
              default: phase_3_q[64*u+32*h+:32] <= debug_wdata_i;
            endcase
          end
        end
      end
    end
  end

  // In one process with the register, so that only a step's clock makes a simulator look at it.
  always_ff @(posedge step_clk_i) begin
    if (read_i) begin
      case (phase_i)
        2'd0: w_o <= phase_0_q;
        2'd1: w_o <= phase_1_q;
        2'd2: w_o <= phase_2_q;
        default: w_o <= phase_3_q;
      endcase
    end
  end

  always_comb begin
    debug_rdata_o = 32'd0;
    if (debug_read_i) begin
      case (debug_address_i[2:1])
        2'd0: debug_rdata_o = phase_0_q[{debug_address_i[6:3], debug_address_i[0], 5'd0}+:32];
        2'd1: debug_rdata_o = phase_1_q[{debug_address_i[6:3], debug_address_i[0], 5'd0}+:32];
        2'd2: debug_rdata_o = phase_2_q[{debug_address_i[6:3], debug_address_i[0], 5'd0}+:32];
        default: debug_rdata_o = phase_3_q[{debug_address_i[6:3], debug_address_i[0], 5'd0}+:32];
      endcase
    end
  end
endmodule
