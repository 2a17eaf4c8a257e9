// D: what the instruction is, its immediate, and whether this context may execute it. Combinational.
//
// The supervisor's instruction was decoded in its fetch register (issue.sv); a worker's comes from memory just now.
module decode (
    input  logic              from_register_i,  // decoded already: control_i
    input  isa_pkg::control_t control_i,
    input  logic       [31:0] word_i,
    input  logic              supervisor_i,
    input  logic              in_body_i,        // the worker repeats: nothing may leave the body
    output logic       [8:0] id_o,
    output logic       [4:0] unit_o,
    output logic              reads_x2_o,
    output logic       [ 2:0] reads_f_o,        // bit 2: first operand, 1: second, 0: third
    output logic              writes_x_o,
    output logic              writes_f_o,
    output logic              writes_pair_o,    // float rd + 1 as well
    output logic              updates_x_o,      // rs1 is written, an integer or a float register
    output logic              updates_f_o,
    output logic       [ 1:0] rounding_o,       // where the mode is, see control_t
    output logic              redirects_o,
    output logic              illegal_o,
    output logic       [ 2:0] slots_o,          // 1 when illegal
    output logic       [31:0] immediate_o
);
  isa_pkg::control_t control;
  always_comb begin
    if (from_register_i) control = control_i;
    else control = isa_pkg::decode(word_i);
    illegal_o = supervisor_i ? !control.by_supervisor : !control.by_worker;
    if (in_body_i) begin
      case (control.unit)
        isa_pkg::UNIT_BRANCH, isa_pkg::UNIT_FENCE, isa_pkg::UNIT_SYSTEM, isa_pkg::UNIT_CSR, isa_pkg::UNIT_REPEAT:
        illegal_o = 1'b1;
        default: ;
      endcase
    end
    // A stride selector above 3.
    if ((control.id == isa_pkg::LD64STRIDE || control.id == isa_pkg::LD128STRIDE) && word_i[22]) illegal_o = 1'b1;
    slots_o = illegal_o ? 3'd1 : control.slots;
  end
  // Of the supervisor's interlock only.
  logic unused;
  assign unused = &{1'b0, control.reads_x1, control.serialising};

  assign id_o = control.id;
  assign unit_o = control.unit;
  assign reads_x2_o = control.reads_x2;
  assign reads_f_o = {control.reads_f1, control.reads_f2, control.reads_f3};
  assign writes_x_o = control.writes_x;
  assign writes_f_o = control.writes_f;
  assign writes_pair_o = control.writes_pair;
  assign updates_x_o = control.updates_x;
  assign updates_f_o = control.updates_f;
  assign rounding_o = control.rounding;
  assign redirects_o = control.redirects;

  always_comb begin
    case (control.immediate)
      isa_pkg::IMM_S: immediate_o = {{20{word_i[31]}}, word_i[31:25], word_i[11:7]};
      isa_pkg::IMM_B: immediate_o = {{20{word_i[31]}}, word_i[7], word_i[30:25], word_i[11:8], 1'b0};
      isa_pkg::IMM_U: immediate_o = {word_i[31:12], 12'd0};
      isa_pkg::IMM_J: immediate_o = {{12{word_i[31]}}, word_i[19:12], word_i[20], word_i[30:21], 1'b0};
      isa_pkg::IMM_N64: immediate_o = {23'd0, word_i[25:20], 3'd0};
      isa_pkg::IMM_N128: immediate_o = {23'd0, word_i[24:20], 4'd0};
      isa_pkg::IMM_SHIFT: immediate_o = {27'd0, word_i[24:20]};
      default: immediate_o = {{20{word_i[31]}}, word_i[31:20]};
    endcase
  end
endmodule
