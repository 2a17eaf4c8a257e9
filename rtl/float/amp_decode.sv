// What an instruction of the matrix engine does, as signals for amp.sv. Combinational, in X1.
module amp_decode (
    input  logic        valid_i,
    input  logic [ 8:0] id_i,
    input  logic [ 2:0] number_i,      // phase of a step, n of gina
    output logic        f32_o,         // format of inputs and weights; neither f32 nor f8: f16
    output logic        f8_o,
    output logic [ 1:0] entry_o,       // weight entry of each unit
    output logic [15:0] units_o,       // units that compute
    output logic        weights_o,     // they take their weight from CW, else from the operands
    output logic        turn_o,        // the rows change places first
    output logic        chain_o,       // S moves
    output logic        tap_o,         // A moves to the tap below
    output logic        gather_o,      // gina
    output logic        clear_o,       // zacc
    output logic        narrow_in_o,   // partial sums in are f16
    output logic        four_o,        // four partial sums (of f16, either side), else two
    output logic        half_units_o,  // the chain is 8 long, else 16
    output logic [ 1:0] result_o       // amp_format::RESULT_*
);
  logic amp, slic, upper_phase, all_units;
  always_comb begin
    f32_o = 1'b0;
    f8_o = 1'b0;
    entry_o = 2'd0;
    units_o = 16'd0;
    weights_o = 1'b0;
    turn_o = 1'b0;
    chain_o = 1'b0;
    tap_o = 1'b0;
    gather_o = 1'b0;
    clear_o = 1'b0;
    narrow_in_o = 1'b0;
    four_o = 1'b0;
    half_units_o = 1'b0;
    result_o = amp_format::RESULT_SINGLE;
    amp = 1'b0;
    slic = 1'b0;
    upper_phase = 1'b0;
    all_units = 1'b0;
    if (valid_i) begin
      case (id_i)
        isa_pkg::F16V4HIHOV4AMP, isa_pkg::F16V4HIHOV4AMPPACE: begin
          amp = 1'b1;
          four_o = 1'b1;
        end
        isa_pkg::F8V8HIHOV4AMP, isa_pkg::F8V8HIHOV4AMPPACE: begin
          amp = 1'b1;
          f8_o = 1'b1;
          four_o = 1'b1;
        end
        isa_pkg::F16V4SISOAMP, isa_pkg::F16V4SISOAMPPACE: begin
          amp = 1'b1;
          half_units_o = 1'b1;
        end
        isa_pkg::F16V4SIHOAMP: begin
          amp = 1'b1;
          half_units_o = 1'b1;
          result_o = amp_format::RESULT_HALF_2;
        end
        isa_pkg::F32SISOV2AMP, isa_pkg::F32SISOV2AMPPACE: begin
          amp = 1'b1;
          f32_o = 1'b1;
        end
        isa_pkg::F16V4HIHOV4SLIC, isa_pkg::F16V4HIHOV4SLICPACE: begin
          slic = 1'b1;
          four_o = 1'b1;
        end
        isa_pkg::F8V8HIHOV4SLIC, isa_pkg::F8V8HIHOV4SLICPACE: begin
          slic = 1'b1;
          f8_o = 1'b1;
          four_o = 1'b1;
        end
        isa_pkg::F16V4SISOSLIC, isa_pkg::F16V4SISOSLICPACE: slic = 1'b1;
        isa_pkg::F32SISOSLIC, isa_pkg::F32SISOSLICPACE: begin
          slic = 1'b1;
          f32_o = 1'b1;
        end
        isa_pkg::F32V2GINA: gather_o = 1'b1;
        isa_pkg::F16V2GINA: begin
          gather_o = 1'b1;
          narrow_in_o = 1'b1;
          result_o = amp_format::RESULT_HALF_2;
        end
        isa_pkg::F16V4GINA: begin
          gather_o = 1'b1;
          four_o = 1'b1;
        end
        isa_pkg::F32V2MAC, isa_pkg::F32V2ACC, isa_pkg::F32V2AXPY: begin
          f32_o = 1'b1;
          units_o = 16'h0003;
        end
        isa_pkg::F32V2AOP: begin
          f32_o = 1'b1;
          units_o = 16'h000f;
        end
        isa_pkg::F16V2CMAC: units_o = 16'h0001;
        isa_pkg::F16V4CMAC: units_o = 16'h0003;
        isa_pkg::F16V4ACC: units_o = 16'h000f;
        default: clear_o = 1'b1;
      endcase
      if (four_o) begin
        narrow_in_o = 1'b1;
        result_o = amp_format::RESULT_HALF_4;
      end
      if (amp || slic) begin
        weights_o = 1'b1;
        entry_o = f32_o ? number_i[2:1] : number_i[1:0];
        upper_phase = f32_o & number_i[0];
        turn_o = amp & (number_i == 3'd0);
        chain_o = amp;
        tap_o = slic & !upper_phase;
        all_units = four_o | (amp & !half_units_o);
        units_o = {{8{all_units}}, 8'hff};
      end
    end
  end
endmodule
