// How the lanes of special_unit name what they compute, and what travels with an operand down a lane.
package special_plan;
  typedef enum logic [3:0] {
    EXP,
    EXP2,
    LN,
    LOG2,
    TANH,
    SIGMOID,  // by the hyperbolic tangent
    SIGMOID_TAIL,  // below -2 the exponential times the other lane's sigmoid
    RECIPROCAL,
    SQRT,
    RECIPROCAL_SQRT,
    GAUSS
  } function_e;

  // What a result is, unless it is what the table gives.
  typedef enum logic [1:0] {
    NUMBER,
    NOT_A_NUMBER,
    INFINITE,
    ZERO
  } kind_e;

  typedef struct packed {
    logic [1:0] kind;   // kind_e
    logic f16;
    logic sign;         // of an infinity or zero by kind
    logic invalid;
    logic by_zero;
    logic may_overflow;
    logic may_underflow;
  } tag_t;
endpackage
