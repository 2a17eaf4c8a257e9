// What an instruction of the matrix engine does, as signals for amp.sv. Combinational, in X2.
module amp_decode (
    input  logic              valid_i,
    input  logic [ 8:0]       id_i,
    input  logic [ 2:0]       number_i,   // phase of a step
    output logic              f32_o,      // format of inputs and weights; neither f32 nor f8: f16
    output logic              f8_o,
    output logic [15:0]       units_o,    // units that compute
    output logic [ 7:0]       lanes_o,    // of a step, as in amp_unit
    output amp_format::move_t move_o,
    output logic [ 1:0]       result_o    // amp_format::RESULT_*
);
  logic amp, slic, upper_phase, all_units;
  always_comb begin
    f32_o = 1'b0;
    f8_o = 1'b0;
    units_o = 16'd0;
    lanes_o = 8'h0f;
    move_o = '0;
    result_o = amp_format::RESULT_SINGLE;
    amp = 1'b0;
    slic = 1'b0;
    upper_phase = 1'b0;
    all_units = 1'b0;
    if (valid_i) begin
      case (id_i)
        isa_pkg::F16V4HIHOV4AMP, isa_pkg::F16V4HIHOV4AMPPACE: begin
          amp = 1'b1;
          move_o.four = 1'b1;
        end
        isa_pkg::F8V8HIHOV4AMP, isa_pkg::F8V8HIHOV4AMPPACE: begin
          amp = 1'b1;
          f8_o = 1'b1;
          move_o.four = 1'b1;
        end
        isa_pkg::F16V4SISOAMP, isa_pkg::F16V4SISOAMPPACE: begin
          amp = 1'b1;
          move_o.half_units = 1'b1;
        end
        isa_pkg::F16V4SIHOAMP: begin
          amp = 1'b1;
          move_o.half_units = 1'b1;
          result_o = amp_format::RESULT_HALF_2;
        end
        isa_pkg::F32SISOV2AMP, isa_pkg::F32SISOV2AMPPACE: begin
          amp = 1'b1;
          f32_o = 1'b1;
        end
        isa_pkg::F16V4HIHOV4SLIC, isa_pkg::F16V4HIHOV4SLICPACE: begin
          slic = 1'b1;
          move_o.four = 1'b1;
        end
        isa_pkg::F8V8HIHOV4SLIC, isa_pkg::F8V8HIHOV4SLICPACE: begin
          slic = 1'b1;
          f8_o = 1'b1;
          move_o.four = 1'b1;
        end
        isa_pkg::F16V4SISOSLIC, isa_pkg::F16V4SISOSLICPACE: slic = 1'b1;
        isa_pkg::F32SISOSLIC, isa_pkg::F32SISOSLICPACE: begin
          slic = 1'b1;
          f32_o = 1'b1;
        end
        isa_pkg::F32V2GINA: move_o.gather = 1'b1;
        isa_pkg::F16V2GINA: begin
          move_o.gather = 1'b1;
          move_o.narrow_in = 1'b1;
          result_o = amp_format::RESULT_HALF_2;
        end
        isa_pkg::F16V4GINA: begin
          move_o.gather = 1'b1;
          move_o.four = 1'b1;
        end
        isa_pkg::F32V2MAC, isa_pkg::F32V2ACC, isa_pkg::F32V2AXPY: begin
          move_o.addend = id_i == isa_pkg::F32V2AXPY;
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
        default: move_o.clear = 1'b1;
      endcase
      if (move_o.four) begin
        move_o.narrow_in = 1'b1;
        result_o = amp_format::RESULT_HALF_4;
      end
      if (amp || slic) begin
        upper_phase = f32_o & number_i[0];
        if (f8_o) lanes_o = 8'hff;
        else if (upper_phase) lanes_o = 8'hf0;
        move_o.turn = amp & (number_i == 3'd0);
        move_o.chain = amp;
        move_o.tap = slic & !upper_phase;
        all_units = move_o.four | (amp & !move_o.half_units);
        units_o = {{8{all_units}}, 8'hff};
      end
    end
  end
endmodule
