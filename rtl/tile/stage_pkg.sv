// What stands between the stages of a tile, and what stages and the parts beside them tell each other (tile.md, Stages); which stage it
// is in, the name of the signal says. Each is put together by field where it arises, and goes whole to whoever needs some of it. Fields of
// 32 and 64 bits come last: a simulator finds them on words of its own then.
package stage_pkg;
  // F: whose turn it is, between instructions.
  typedef struct packed {
    logic [2:0]  worker;         // the context that has the slot
    logic [31:0] worker_pc;
    logic [31:0] supervisor_pc;
  } turn_t;

  // M: where pcs go when an exception squashes what is before W.
  typedef struct packed {
    logic        valid;
    logic        supervisor;  // M, X2 or X1 hold an instruction of the supervisor
    logic [31:0] pc;          // of the oldest of these
  } squash_t;

  // D: what has issued.
  typedef struct packed {
    logic        valid;
    logic        fetch_fault;
    logic [2:0]  context_id;
    logic [5:0]  active;       // workers active in the issue cycle
    logic [31:0] pc;
    logic [31:0] word;
  } issued_t;

  // D: what decode makes of it besides its control.
  typedef struct packed {
    logic        illegal;
    logic [2:0]  slots;      // 1 when illegal
    logic [31:0] immediate;
  } decoded_t;

  // D: registers as they were read.
  typedef struct packed {
    logic [31:0] x1;
    logic [31:0] x2;
    logic [63:0] f1;
    logic [63:0] f2;
    logic [63:0] f3;
  } registers_t;

  // What every instruction carries through X1, X2, M and W.
  typedef struct packed {
    logic        valid;
    logic        illegal;      // from X2 on
    logic        fetch_fault;
    logic [2:0]  context_id;
    logic [5:0]  active;       // workers active in the issue cycle
    logic [8:0]  id;
    logic [4:0]  unit;
    logic        writes_x;     // an integer register
    logic        writes_f;     // a float register
    logic        writes_pair;  // float rd + 1 as well
    logic        updates_x;    // rs1 is written, an integer or a float register
    logic        updates_f;
    logic        redirects;
    logic [31:0] pc;
    logic [31:0] word;
  } instruction_t;

  // X1: what it works on. Integers stand in the low 32 bits; scalar operands of the FPU are unboxed, those of moves and stores are as they are.
  typedef struct packed {
    logic [31:0] immediate;
    logic [63:0] a;
    logic [63:0] b;          // register or immediate
    logic [63:0] c;
  } operands_t;

  // X1: for which unit, and how.
  typedef struct packed {
    logic       illegal;    // by decode, or its rounding mode
    logic       first;      // pass
    logic       last;
    logic [4:0] fp_op;
    logic       fp_format;  // fp_pkg::FMT_*, of the operands; of the result where they are integers
    logic [2:0] rm;
    logic       stream;     // several accesses or an updated address: Stream, Weights, paced steps of Amp
    logic       random;     // work of the unit, and of the next ones
    logic       amp;
    logic       special;
    logic       lanes;      // Packed
    logic       divide;
    logic       fdivide;
    logic       fpu;
  } work_t;

  // D: units with a clock of their own that may have work in X1.
  typedef struct packed {
    logic amp;
    logic special;
    logic lanes;
    logic divide;
    logic fdivide;
    logic fpu;
  } wake_t;

  // X1: what it gets of the arithmetic's registers.
  typedef struct packed {
    logic [53:0] strides;  // of selectors 3, 2, 1
    logic [63:0] drawn;    // result of unit Random
    logic [63:0] partial;  // latch R, which a paced step stores
  } latches_t;

  // X2: addresses of an instruction of several accesses, or that updates one.
  typedef struct packed {
    logic [20:0] word1;    // a1 and a2 in units of 8 bytes
    logic [20:0] word2;
    logic        valid;    // it is one
    logic        wide;     // 128 bits
    logic        triple;
    logic        write2;   // of a triple: a2 is written, a1 and a0 are read
    logic        read1;
    logic        read0;
    logic [31:0] address;  // the only one, or a0
    logic [63:0] base;     // the updated rs1
  } addresses_t;

  // M: what the instruction's accesses (memory_pkg) are to watchpoints and exceptions.
  typedef struct packed {
    logic [16:0] word1;          // of the second read and of the write, in units of 8 bytes
    logic [16:0] write_word;
    logic        fault;          // some address outside memory or misaligned
    logic        triple;
    logic [31:0] address;        // of the first access; of the first bad one
  } places_t;

  // M: what the instruction has come to.
  typedef struct packed {
    logic [4:0]  flags;          // of float instructions
    logic        address_fault;
    logic [31:0] operand;        // rs1 of system instructions, data address of loads and stores
    logic [31:0] next_pc;
    logic [31:0] result;         // integer, of what is not a load
  } executed_t;

  // M: two accesses meet in an element.
  typedef struct packed {
    logic       valid;
    logic [1:0] access;  // which of the instruction's: 0 the read, 1 the second read, 2 the write
  } clash_t;

  // M: whether it takes effect.
  typedef struct packed {
    logic       commits;
    logic       retires;  // ends here, with or without an exception
    logic [3:0] cause;    // its exception: 0 none
    logic       freeze;   // an exception in this cycle: M and what is before it do not take place
  } effect_t;

  // W: writes of registers.
  typedef struct packed {
    logic        done;          // an instruction retires without exception
    logic        to_integer;
    logic        to_float;      // rd
    logic        to_pair;       // float rd + 1
    logic        to_base;       // float rs1
    logic [4:0]  integer_rd;
    logic [31:0] integer_data;
  } writes_t;

  // W: workers that start, and where.
  typedef struct packed {
    logic [5:0]  workers;
    logic [31:0] entry;
  } launch_t;

  // Reads and writes of CSRs that are kept beside csr.sv.
  typedef struct packed {
    logic        valid;
    logic [2:0]  context_id;
    logic [11:0] number;
  } csr_read_t;
  typedef struct packed {
    logic        valid;
    logic [2:0]  context_id;
    logic [11:0] number;
    logic [31:0] data;
  } csr_write_t;

  // The exchange's and packets' ports: exceptions of their own.
  typedef struct packed {
    logic        parity;         // of a word that was read two cycles before
    logic [19:0] parity_address;
    logic        exchange;
    logic [19:0] exchange_address;
    logic        config_fault;
    logic [31:0] config_address;
  } port_faults_t;

  // What is wrong with an instruction in M that is for them.
  typedef struct packed {
    logic xarm;
    logic hsend;
  } port_operands_t;

  // What the supervisor waits for there.
  typedef struct packed {
    logic sequencer_running;
    logic packet_sent;
    logic packet_counts;      // a payload word: xcount
  } ports_t;

  // Who issues the last pass of an instruction: what breakpoints and single steps count.
  typedef struct packed {
    logic        supervisor;
    logic        worker;  // the one in D
  } consumes_t;

  // The tile's wires: words of the exchange and of the other tile of a pair (exchange.md), packets (edge.md, Packets).
  typedef struct packed {
    logic        valid;
    logic [31:0] data;
  } port_word_t;
  typedef struct packed {
    logic        valid;
    logic        first;
    logic [31:0] data;
  } packet_word_t;
  typedef struct packed {
    logic        requests;
    logic        valid;
    logic        last;
    logic [31:0] data;
  } packet_out_t;

  // Words that they wrote in the last cycle.
  typedef struct packed {
    logic        received;
    logic        double_word;       // both words, else the low one
    logic [19:0] received_address;
    logic        packet;
    logic [19:0] packet_address;
    logic [31:0] packet_word;
    logic [63:0] received_data;
  } port_writes_t;

  // The first exception.
  typedef struct packed {
    logic [3:0]  cause;
    logic [2:0]  context_id;
    logic [31:0] pc;
    logic [31:0] value;
    logic [63:0] cycle;
  } exception_t;

  // What the supervisor waits for, and what stands of exceptions.
  typedef struct packed {
    logic       excepted;
    logic       requests;         // a sync that is not acknowledged
    logic       sends;            // hsend
    logic       awaits_words;     // that have not come
    logic       many_syncs;       // automatic ones are outstanding
    logic [7:0] automatic_syncs;  // how many
  } status_t;

  // The debugger: writes and control, in the cycle of the access.
  typedef struct packed {
    logic        memory;
    logic        integer_register;
    logic        float_register;
    logic        csr;
    logic        vectors;
    logic        start;
    logic        automatic_syncs;
    logic        pc;                // start as well
    logic        clear_exception;   // start, resume or step
    logic        breakpoint0;
    logic        breakpoint1;
    logic        watchpoint;
    logic        step;
    logic [6:0]  chosen;            // contexts that a write is to of what each has; context 7: all
    logic [2:0]  context_id;
    logic [31:0] address;
    logic [31:0] data;
  } debug_write_t;
  // Reads, in the cycle behind it.
  typedef struct packed {
    logic        memory;
    logic        integer_register;
    logic        float_register;
    logic        csr;
    logic [2:0]  context_id;
    logic [19:0] address;
  } debug_read_t;
  typedef struct packed {
    logic [31:0] breakpoint;
    logic [31:0] pc;
    logic [31:0] integer_register;
    logic [31:0] float_register;
  } front_read_t;
  // Of vectors a cycle later, so that weights of the last load are seen.
  typedef struct packed {
    logic       valid;
    logic [2:0] context_id;
    logic [6:0] address;
  } vector_read_t;
endpackage
