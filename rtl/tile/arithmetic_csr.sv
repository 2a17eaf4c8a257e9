// CSRs of the workers that only the arithmetic uses: xtas, xstride1..3, xf8, and xf8i, from which launches take xf8.
// Read in X1 by the units; read and written in M or by the debugger as CSRs. Zero after reset.
module arithmetic_csr (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 2:0] reset_context_i,  // whose entries of arrays are made zero in reset
    // X1.
    input  logic        use_i,            // X1 holds an instruction that uses some of them, else all are 0
    input  logic [ 2:0] context_i,
    output logic [31:0] tas_o,
    output logic [53:0] strides_o,        // xstride3, xstride2, xstride1
    output logic [13:0] f8_o,
    // As CSRs.
    input  logic        read_i,
    input  logic [ 2:0] read_context_i,
    input  logic [11:0] read_number_i,
    output logic [31:0] rdata_o,
    input  logic        write_i,
    input  logic [ 2:0] write_context_i,
    input  logic [11:0] write_number_i,
    input  logic [31:0] wdata_i,
    input  logic [ 5:0] launch_i
);
  logic [31:0] tas_q[0:7];
  logic [17:0] stride1_q[0:7];
  logic [17:0] stride2_q[0:7];
  logic [17:0] stride3_q[0:7];
  logic [63:0] f8_q;          // by context {scale, format of weights, format of inputs}
  logic [7:0] initial_f8_q;
  function automatic logic [13:0] f8_word(input logic [7:0] f8);
    f8_word = {f8[7:2], 6'd0, f8[1:0]};
  endfunction

  always_comb begin
    tas_o = 32'd0;
    strides_o = 54'd0;
    f8_o = 14'd0;
    if (use_i) begin
      tas_o = tas_q[context_i];
      strides_o = {stride3_q[context_i], stride2_q[context_i], stride1_q[context_i]};
      f8_o = f8_word(f8_q[8*context_i+:8]);
    end
  end

  logic [17:0] stride;
  always_comb begin
    rdata_o = 32'd0;
    stride = 18'd0;
    if (read_i) begin
      case (read_number_i)
        isa_pkg::CSR_XSTRIDE1: stride = stride1_q[read_context_i];
        isa_pkg::CSR_XSTRIDE2: stride = stride2_q[read_context_i];
        isa_pkg::CSR_XSTRIDE3: stride = stride3_q[read_context_i];
        default: ;
      endcase
      case (read_number_i)
        isa_pkg::CSR_XTAS: rdata_o = tas_q[read_context_i];
        isa_pkg::CSR_XF8: rdata_o = {18'd0, f8_word(f8_q[8*read_context_i+:8])};
        isa_pkg::CSR_XF8I: rdata_o = {18'd0, f8_word(initial_f8_q)};
        default: rdata_o = {{14{stride[17]}}, stride};
      endcase
    end
  end

  logic [2:0] context_w;
  logic [31:0] data_w;
  assign context_w = rst_ni ? write_context_i : reset_context_i;
  assign data_w = rst_ni ? wdata_i : 32'd0;
  always_ff @(posedge clk_i) begin
    if (write_i | !rst_ni) begin
      if (!rst_ni || write_number_i == isa_pkg::CSR_XTAS) tas_q[context_w] <= data_w;
      if (!rst_ni || write_number_i == isa_pkg::CSR_XSTRIDE1) stride1_q[context_w] <= data_w[17:0];
      if (!rst_ni || write_number_i == isa_pkg::CSR_XSTRIDE2) stride2_q[context_w] <= data_w[17:0];
      if (!rst_ni || write_number_i == isa_pkg::CSR_XSTRIDE3) stride3_q[context_w] <= data_w[17:0];
    end
    if (write_i) begin
      case (write_number_i)
        isa_pkg::CSR_XF8: f8_q[8*write_context_i+:8] <= {wdata_i[13:8], wdata_i[1:0]};
        isa_pkg::CSR_XF8I: initial_f8_q <= {wdata_i[13:8], wdata_i[1:0]};
        default: ;
      endcase
    end
    if (launch_i != 6'd0) begin
      for (int w = 0; w < 6; w++) if (launch_i[w]) f8_q[8*(w+1)+:8] <= initial_f8_q;
    end
    if (!rst_ni) begin
      initial_f8_q <= 8'd0;
      f8_q <= 64'd0;
    end
  end
endmodule
