// X1|X2: the addresses of instructions that make several accesses or update their address, and the updated rs1
// (arithmetic.md, Loads and stores with address update). The outputs are those of the instruction in X2 while kind says so.
module stream_address (
    input  logic        clk_i,
    input  logic        valid_i,      // X1 holds a load or store with update, a weight load or a paced step
    input  logic [ 8:0] id_i,
    input  logic [31:0] word_i,
    input  logic [63:0] a_i,          // rs1: an address or an address triple
    input  logic [31:0] immediate_i,
    input  logic [53:0] strides_i,    // of selectors 3, 2, 1
    output logic        stream_o,     // X2 holds one
    output logic        wide_o,       // 128 bits
    output logic        triple_o,
    output logic [ 2:0] uses_o,       // of a triple: a2 (write), a1 (read), a0 (read)
    output logic [31:0] address_o,    // the only one, or a0
    output logic [20:0] word1_o,      // a1 and a2 in units of 8 bytes
    output logic [20:0] word2_o,
    output logic [63:0] base_o        // the updated rs1
);
  function automatic logic [17:0] stride(input logic [1:0] selector, input logic [53:0] strides);
    case (selector)
      2'd0: stride = 18'd1;
      2'd1: stride = strides[17:0];
      2'd2: stride = strides[35:18];
      default: stride = strides[53:36];
    endcase
  endfunction
  // An address of a triple after use.
  function automatic logic [20:0] moved(input logic used, input logic [20:0] word, input logic [17:0] by);
    moved = used ? word + {{3{by[17]}}, by} : word;
  endfunction

  logic [2:0] kind_q;  // stream, wide, triple
  logic [2:0] uses_q;
  logic [31:0] address_q;
  logic [20:0] word1_q, word2_q;
  logic [63:0] base_q;
  always_ff @(posedge clk_i) begin : address
    logic [1:0] select0, select1, select2;
    logic [2:0] uses;
    logic [17:0] by;
    kind_q <= 3'b000;
    if (valid_i) begin
      uses = 3'b000;
      select0 = word_i[26:25];
      select1 = word_i[28:27];
      select2 = word_i[28:27];
      by = 18'd0;
      kind_q <= 3'b100;
      address_q <= a_i[31:0];
      case (id_i)
        isa_pkg::LD128STEP: begin
          kind_q <= 3'b110;
          base_q <= {32'd0, a_i[31:0] + immediate_i};
        end
        isa_pkg::LD64STEP, isa_pkg::LD32STEP, isa_pkg::LD16STEP, isa_pkg::ST64STEP, isa_pkg::ST32STEP,
        isa_pkg::ST16STEP:
        base_q <= {32'd0, a_i[31:0] + immediate_i};
        isa_pkg::LD64STRIDE: begin
          by = stride(word_i[21:20], strides_i);
          base_q <= {32'd0, a_i[31:0] + {{11{by[17]}}, by, 3'd0}};
        end
        isa_pkg::ST64STRIDE: begin
          by = stride(word_i[8:7], strides_i);
          base_q <= {32'd0, a_i[31:0] + {{11{by[17]}}, by, 3'd0}};
        end
        isa_pkg::LD128STRIDE: begin
          kind_q <= 3'b110;
          by = stride(word_i[21:20], strides_i);
          base_q <= {32'd0, a_i[31:0] + {{10{by[17]}}, by, 4'd0}};
        end
        isa_pkg::LD64PUTCS: address_q <= a_i[31:0] + immediate_i;
        isa_pkg::LD128PUTCS: begin
          kind_q <= 3'b110;
          address_q <= a_i[31:0] + immediate_i;
        end
        default: begin
          case (id_i)
            isa_pkg::LD2XST64PACE: begin
              uses = 3'b111;
              select2 = word_i[30:29];
            end
            isa_pkg::LDST64PACE: uses = 3'b101;
            isa_pkg::LD2X64PACE: uses = 3'b011;
            default: begin  // paced steps
              uses = word_i[24:22];
              select0 = word_i[8:7];
              select1 = word_i[10:9];
              select2 = word_i[21:20];
            end
          endcase
          kind_q <= 3'b101;
          address_q <= {8'd0, a_i[20:0], 3'd0};
          base_q <= {
            1'b0,
            moved(uses[2], a_i[62:42], stride(select2, strides_i)),
            moved(uses[1], a_i[41:21], stride(select1, strides_i)),
            moved(uses[0], a_i[20:0], stride(select0, strides_i))
          };
        end
      endcase
      uses_q <= uses;
      word1_q <= a_i[41:21];
      word2_q <= a_i[62:42];
    end
  end
  assign {stream_o, wide_o, triple_o} = kind_q;
  assign uses_o = uses_q;
  assign address_o = address_q;
  assign word1_o = word1_q;
  assign word2_o = word2_q;
  assign base_o = base_q;

  // Fields of other formats; the top of a triple is cleared.
  logic unused;
  assign unused = &{1'b0, word_i[31], word_i[19:11], word_i[6:0], a_i[63]};
endmodule
