// D: what the instruction is, its immediate, and whether this context may execute it. Combinational.
//
// The supervisor's instruction was decoded in its fetch register (issue.sv); a worker's comes from memory just now.
module decode (
  input  logic                from_register_i,  // decoded already: control_i
  input  isa_pkg::control_t   control_i,
  input  logic [31:0]         word_i,
  input  logic                supervisor_i,
  input  logic                in_body_i,        // the worker repeats: nothing may leave the body
  output isa_pkg::control_t   control_o,
  output stage_pkg::decoded_t decoded_o
);
  isa_pkg::control_t control;
  logic              illegal;
  logic [31:0]       immediate;
  assign control_o = control;
  always_comb begin
    if (from_register_i) control = control_i;
    else control = isa_pkg::decode(word_i);
    illegal = supervisor_i ? !control.by_supervisor : !control.by_worker;
    if (in_body_i) begin
      case (control.unit)
        isa_pkg::UNIT_BRANCH, isa_pkg::UNIT_FENCE, isa_pkg::UNIT_SYSTEM, isa_pkg::UNIT_CSR, isa_pkg::UNIT_REPEAT:
        illegal = 1'b1;
        default: ;
      endcase
    end
    // A stride selector above 3.
    if ((control.id == isa_pkg::LD64STRIDE || control.id == isa_pkg::LD128STRIDE) && word_i[22]) illegal = 1'b1;
  end

  always_comb begin
    case (control.immediate)
      isa_pkg::IMM_S: immediate = {{20{word_i[31]}}, word_i[31:25], word_i[11:7]};
      isa_pkg::IMM_B: immediate = {{20{word_i[31]}}, word_i[7], word_i[30:25], word_i[11:8], 1'b0};
      isa_pkg::IMM_U: immediate = {word_i[31:12], 12'd0};
      isa_pkg::IMM_J: immediate = {{12{word_i[31]}}, word_i[19:12], word_i[20], word_i[30:21], 1'b0};
      isa_pkg::IMM_N64: immediate = {23'd0, word_i[25:20], 3'd0};
      isa_pkg::IMM_N128: immediate = {23'd0, word_i[24:20], 4'd0};
      isa_pkg::IMM_SHIFT: immediate = {27'd0, word_i[24:20]};
      default: immediate = {{20{word_i[31]}}, word_i[31:20]};
    endcase
  end

  assign decoded_o.illegal   = illegal;
  assign decoded_o.slots     = illegal ? 3'd1 : control.slots;
  assign decoded_o.immediate = immediate;
endmodule
