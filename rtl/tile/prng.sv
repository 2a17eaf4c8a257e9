// Random number generators of the workers, xoroshiro128aox (arithmetic.md, Random numbers): one draw in X1 as the worker's
// state stands, one step of the state in M when the instruction that drew retires. CSRs are reached from M or by the
// debugger.
module prng (
    input  logic        clk_i,
    // X1.
    input  logic        draw_i,
    input  logic [ 2:0] context_i,
    output logic [63:0] random_o,        // 0 when there is no draw
    // M.
    input  logic        advance_i,
    input  logic [ 2:0] advance_context_i,
    // CSRs xprng0..3: read combinational; writes of these and of xprngseed.
    input  logic        read_i,
    input  logic [ 2:0] read_context_i,
    input  logic [11:0] read_number_i,
    output logic [31:0] rdata_o,
    input  logic        write_i,
    input  logic [ 2:0] write_context_i,
    input  logic [11:0] write_number_i,
    input  logic [31:0] wdata_i
);
  // By context; that of worker w is w + 1.
  logic [63:0] s0_q[0:7];
  logic [63:0] s1_q[0:7];
  function automatic logic [63:0] seed0(input logic [31:0] v);
    seed0 = {~v, v};
  endfunction
  function automatic logic [63:0] rotated13(input logic [63:0] x);
    rotated13 = {x[50:0], x[63:51]};
  endfunction
  initial begin
    for (int i = 0; i < 8; i++) begin
      s0_q[i] = seed0(i - 1);
      s1_q[i] = rotated13(seed0(i - 1));
    end
  end

  logic [63:0] draw0, draw1, both;
  always_comb begin
    random_o = 64'd0;
    draw0 = 64'd0;
    draw1 = 64'd0;
    both = 64'd0;
    if (draw_i) begin
      draw0 = s0_q[context_i];
      draw1 = s1_q[context_i];
      both = draw0 & draw1;
      random_o = draw0 ^ draw1 ^ ({both[62:0], both[63]} | {both[61:0], both[63:62]});
    end
  end

  logic [63:0] read0, read1;
  always_comb begin
    rdata_o = 32'd0;
    read0 = 64'd0;
    read1 = 64'd0;
    if (read_i) begin
      read0 = s0_q[read_context_i];
      read1 = s1_q[read_context_i];
      case (read_number_i)
        isa_pkg::CSR_XPRNG0: rdata_o = read0[31:0];
        isa_pkg::CSR_XPRNG1: rdata_o = read0[63:32];
        isa_pkg::CSR_XPRNG2: rdata_o = read1[31:0];
        isa_pkg::CSR_XPRNG3: rdata_o = read1[63:32];
        default: ;
      endcase
    end
  end

  // The next state of whoever steps or is written.
  logic [ 2:0] context_w;
  logic [63:0] old0, old1, new0, new1, t;
  always_comb begin
    context_w = write_i ? write_context_i : advance_context_i;
    old0 = 64'd0;
    old1 = 64'd0;
    new0 = 64'd0;
    new1 = 64'd0;
    t = 64'd0;
    if (write_i | advance_i) begin
      old0 = s0_q[context_w];
      old1 = s1_q[context_w];
      new0 = old0;
      new1 = old1;
      if (write_i) begin
        case (write_number_i)
          isa_pkg::CSR_XPRNG0: new0[31:0] = wdata_i;
          isa_pkg::CSR_XPRNG1: new0[63:32] = wdata_i;
          isa_pkg::CSR_XPRNG2: new1[31:0] = wdata_i;
          isa_pkg::CSR_XPRNG3: new1[63:32] = wdata_i;
          isa_pkg::CSR_XPRNGSEED: begin
            new0 = seed0(wdata_i);
            new1 = rotated13(new0);
          end
          default: ;
        endcase
      end else begin
        t = old0 ^ old1;
        new0 = {old0[8:0], old0[63:9]} ^ t ^ {t[49:0], 14'd0};
        new1 = {t[27:0], t[63:28]};
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (write_i | advance_i) begin
      s0_q[context_w] <= new0;
      s1_q[context_w] <= new1;
    end
  end
endmodule
