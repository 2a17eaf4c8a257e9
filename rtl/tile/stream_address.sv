// X1|X2: the addresses of instructions that make several accesses or update their address, and the updated rs1
// (arithmetic.md, Loads and stores with address update). The outputs are those of the instruction in X2 while kind says so.
module stream_address (
  input  logic                    clk_i,
  input  stage_pkg::instruction_t x1_i,
  input  stage_pkg::work_t        x1_work_i,      // a stream: a load or store with update, a weight load or a paced step
  input  stage_pkg::operands_t    x1_operands_i,
  input  logic [53:0]             x1_strides_i,   // of selectors 3, 2, 1
  output stage_pkg::addresses_t   x2_o
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

  logic [31:0] word;
  logic [63:0] a;  // rs1: an address or an address triple
  assign word = x1_i.word;
  assign a    = x1_operands_i.a;

  stage_pkg::addresses_t x2_q;
  always_ff @(posedge clk_i) begin : address
    logic [1:0] select0, select1, select2;
    logic [2:0] uses;
    logic [17:0] by;
    x2_q.valid <= 1'b0;
    x2_q.wide <= 1'b0;
    x2_q.triple <= 1'b0;
    if (x1_work_i.stream) begin
      uses = 3'b000;
      select0 = word[26:25];
      select1 = word[28:27];
      select2 = word[28:27];
      by = 18'd0;
      x2_q.valid <= 1'b1;
      x2_q.address <= a[31:0];
      case (x1_i.id)
        isa_pkg::LD128STEP: begin
          x2_q.wide <= 1'b1;
          x2_q.base <= {32'd0, a[31:0] + x1_operands_i.immediate};
        end
        isa_pkg::LD64STEP, isa_pkg::LD32STEP, isa_pkg::LD16STEP, isa_pkg::ST64STEP, isa_pkg::ST32STEP,
        isa_pkg::ST16STEP:
        x2_q.base <= {32'd0, a[31:0] + x1_operands_i.immediate};
        isa_pkg::LD64STRIDE: begin
          by = stride(word[21:20], x1_strides_i);
          x2_q.base <= {32'd0, a[31:0] + {{11{by[17]}}, by, 3'd0}};
        end
        isa_pkg::ST64STRIDE: begin
          by = stride(word[8:7], x1_strides_i);
          x2_q.base <= {32'd0, a[31:0] + {{11{by[17]}}, by, 3'd0}};
        end
        isa_pkg::LD128STRIDE: begin
          x2_q.wide <= 1'b1;
          by = stride(word[21:20], x1_strides_i);
          x2_q.base <= {32'd0, a[31:0] + {{10{by[17]}}, by, 4'd0}};
        end
        isa_pkg::LD64PUTCS: x2_q.address <= a[31:0] + x1_operands_i.immediate;
        isa_pkg::LD128PUTCS: begin
          x2_q.wide <= 1'b1;
          x2_q.address <= a[31:0] + x1_operands_i.immediate;
        end
        default: begin
          case (x1_i.id)
            isa_pkg::LD2XST64PACE: begin
              uses = 3'b111;
              select2 = word[30:29];
            end
            isa_pkg::LDST64PACE: uses = 3'b101;
            isa_pkg::LD2X64PACE: uses = 3'b011;
            default: begin  // paced steps
              uses = word[24:22];
              select0 = word[8:7];
              select1 = word[10:9];
              select2 = word[21:20];
            end
          endcase
          x2_q.triple <= 1'b1;
          x2_q.address <= {8'd0, a[20:0], 3'd0};
          x2_q.base <= {
            1'b0,
            moved(uses[2], a[62:42], stride(select2, x1_strides_i)),
            moved(uses[1], a[41:21], stride(select1, x1_strides_i)),
            moved(uses[0], a[20:0], stride(select0, x1_strides_i))
          };
        end
      endcase
      x2_q.write2 <= uses[2];
      x2_q.read1 <= uses[1];
      x2_q.read0 <= uses[0];
      x2_q.word1 <= a[41:21];
      x2_q.word2 <= a[62:42];
    end
  end
  assign x2_o = x2_q;

  // Fields of other formats, and what others need; the top of a triple is cleared.
  logic unused;
  assign unused = ^{x1_i, x1_work_i, x1_operands_i, word, a};
endmodule
