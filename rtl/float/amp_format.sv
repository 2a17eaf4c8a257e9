// Operands of the matrix engine as factors, and f16 widened to f32.
//
// A factor is {sign, shift[4:0], significand[11:0]}: value = significand * 2^shift in units of 2^-24 (f16 and f8) or of
// the operand's last place (a half of an f32's significand). NaN and infinity are told apart elsewhere (amp_special).
package amp_format;
  // What a result holds.
  typedef enum logic [1:0] {
    RESULT_SINGLE = 2'd0,  // two f32
    RESULT_HALF_2 = 2'd1,  // two f16, boxed
    RESULT_HALF_4 = 2'd2   // four f16
  } result_e;

  // Where an accumulator meets the sum of products T, both in the unit of T (amp_addend, amp_sum).
  typedef enum logic [2:0] {
    MEETS_LOW = 3'd0,    // its last place is 2^0 to 2^31 (or it is 0),
    MEETS_HIGH = 3'd1,   // 2^32 to 2^63,
    MEETS_ABOVE = 3'd2,  // 2^64 to 2^85,
    MEETS_SIGN = 3'd3,   // or more: of T no more than the sign counts
    MEETS_BELOW = 3'd4   // below 2^0
  } meeting_e;

  // What an instruction does with the accumulators.
  typedef struct packed {
    logic turn;        // the rows change places first
    logic chain;       // S moves
    logic tap;         // A moves to the tap below
    logic gather;      // gina
    logic clear;       // zacc
    logic addend;      // axpy: the partial sums are the addends
    logic narrow_in;   // partial sums in are f16
    logic four;        // four partial sums, else two
    logic half_units;  // the chain is 8 long, else 16
  } move_t;

  function automatic logic [17:0] half_factor(input logic [15:0] x);
    logic normal;
    normal = x[14:10] != 5'd0;
    half_factor = {x[15], x[14:10] - {4'b0, normal}, 1'b0, normal, x[9:0]};
  endfunction

  // wide: 1-5-2, else 1-4-3. Every f8 is an f16; shifts stay below 31, so that two of them stay below 62.
  function automatic logic [17:0] byte_factor(input logic wide, input logic [7:0] x);
    logic normal;
    if (wide) begin
      normal = x[6:2] != 5'd0;
      byte_factor = {x[7], x[6:2] - {4'b0, normal}, 2'b0, normal, x[1:0], 7'b0};
    end else begin
      normal = x[6:3] != 4'd0;
      byte_factor = {x[7], {1'b0, x[6:3]} + {4'b0, !normal} + 5'd6, 1'b0, normal, x[2:0], 7'b0};
    end
  endfunction

  function automatic logic half_snan(input logic [14:0] x);
    half_snan = x[14:10] == 5'd31 && !x[9] && x[8:0] != 9'd0;
  endfunction

  // The f16 x in f32, exactly; a NaN becomes the canonical one.
  function automatic logic [31:0] widen(input logic [15:0] x);
    logic [4:0] exponent;
    logic [9:0] fraction;
    exponent = x[14:10];
    fraction = x[9:0];
    if (exponent == 5'd31) begin
      widen = fraction == 10'd0 ? {x[15], 31'h7f80_0000} : 32'h7fc0_0000;
    end else if (exponent != 5'd0) begin
      widen = {x[15], {3'b0, exponent} + 8'd112, fraction, 13'b0};
    end else begin
      // A subnormal is fraction / 2^10 * 2^-14: its leading one is moved out by as many places as the exponent falls.
      widen = {x[15], 31'd0};
      for (int i = 0; i < 10; i++) begin
        if (fraction[i]) widen[30:0] = {8'd103 + i[7:0], fraction << (10 - i), 13'b0};
      end
    end
  endfunction
endpackage
