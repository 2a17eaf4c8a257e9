// Random number generators of the workers, xoroshiro128aox (arithmetic.md, Random numbers): one draw in X1 as the worker's
// state stands, one step of the state in M when the instruction that drew retires. CSRs are reached from M or by the
// debugger. In reset the generator of context reset_context_i gets its first state.
module prng (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [ 2:0] reset_context_i,
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
  function automatic logic [63:0] drawn(input logic [63:0] s0, input logic [63:0] s1);
    logic [63:0] both;
    both = s0 & s1;
    drawn = s0 ^ s1 ^ ({both[62:0], both[63]} | {both[61:0], both[63:62]});
  endfunction
  always_comb begin
    random_o = 64'd0;
    if (draw_i) random_o = drawn(s0_q[context_i], s1_q[context_i]);
  end

  function automatic logic [31:0] word(input logic [11:0] number, input logic [63:0] s0, input logic [63:0] s1);
    case (number)
      isa_pkg::CSR_XPRNG0: word = s0[31:0];
      isa_pkg::CSR_XPRNG1: word = s0[63:32];
      isa_pkg::CSR_XPRNG2: word = s1[31:0];
      isa_pkg::CSR_XPRNG3: word = s1[63:32];
      default: word = 32'd0;
    endcase
  endfunction
  always_comb begin
    rdata_o = 32'd0;
    if (read_i) rdata_o = word(read_number_i, s0_q[read_context_i], s1_q[read_context_i]);
  end

  logic own_write;
  assign own_write = write_i && write_number_i >= isa_pkg::CSR_XPRNG0 && write_number_i <= isa_pkg::CSR_XPRNGSEED;

  // The next state of whoever steps, is written or reset.
  always_ff @(posedge clk_i) begin : next_state
    logic [ 2:0] context_w;
    logic [63:0] s0, s1, t;
    if (own_write | advance_i | !rst_ni) begin
      context_w = !rst_ni ? reset_context_i : own_write ? write_context_i : advance_context_i;
      s0 = s0_q[context_w];
      s1 = s1_q[context_w];
      if (!rst_ni) begin
        s0 = seed0({29'd0, reset_context_i} - 32'd1);
        s1 = rotated13(s0);
      end else if (own_write) begin
        case (write_number_i)
          isa_pkg::CSR_XPRNG0: s0[31:0] = wdata_i;
          isa_pkg::CSR_XPRNG1: s0[63:32] = wdata_i;
          isa_pkg::CSR_XPRNG2: s1[31:0] = wdata_i;
          isa_pkg::CSR_XPRNG3: s1[63:32] = wdata_i;
          default: begin  // xprngseed
            s0 = seed0(wdata_i);
            s1 = rotated13(s0);
          end
        endcase
      end else begin
        t = s0 ^ s1;
        s0 = {s0[8:0], s0[63:9]} ^ t ^ {t[49:0], 14'd0};
        s1 = {t[27:0], t[63:28]};
      end
      s0_q[context_w] <= s0;
      s1_q[context_w] <= s1;
    end
  end
endmodule
