// Codelets with something wrong in them. The line that fails is marked `planted: NAME`.
#include <assert.h>

#include <poplar/Vertex.hpp>

using namespace poplar;

class Fill : public Vertex {  // nothing wrong
 public:
  Output<Vector<int>> out;
  int value;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = value + i;
    return true;
  }
};

class Sum : public Vertex {  // nothing wrong
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    int sum = 0;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];  // reads: mismatch
    *out = sum;
    return true;
  }
};

class BadAddress : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    const int far = in[1] << 20;
    *out = in[far];  // planted: bad_address
    return true;
  }
};

inline int first_of(const int* values) {
  return *values;  // planted: null_pointer
}

class NullPointer : public Vertex {
 public:
  Output<int> out;
  unsigned address;
  bool compute() {
    *out = first_of(reinterpret_cast<const int*>(address));  // calls: null_pointer
    return true;
  }
};

class Misaligned : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    const volatile char* bytes = reinterpret_cast<const char*>(&in[2]) + 1;
    *out = *reinterpret_cast<const volatile int*>(bytes);  // planted: misaligned
    return true;
  }
};

// Writes behind its output, where another vertex has its pointers; that one fails.
class WritesTooMuch : public Vertex {
 public:
  Output<Vector<int>> out;
  unsigned reach;
  bool compute() {
    volatile int* data = &out[0];
    for (unsigned i = 0; i < reach; ++i) data[i] = 0x7ff;  // writer: write_past_end
    return true;
  }
};

class Follows : public Vertex {
 public:
  Input<Vector<unsigned>> links;
  Output<int> out;
  bool compute() {
    *out = *reinterpret_cast<const volatile int*>(links[0]);  // planted: write_past_end
    return true;
  }
};

class ReadsText : public Vertex {
 public:
  Output<Vector<int>> out;
  unsigned address;
  bool compute() {
    int sum = 0;
    const volatile int* text = reinterpret_cast<const volatile int*>(address);
    for (unsigned i = 0; i < 100; ++i) sum += text[i];  // planted: bank_clash
    out[0] = sum;
    return true;
  }
};

class EndlessLoop : public Vertex {
 public:
  InOut<int> counter;
  bool compute() {
    volatile int* value = &*counter;
    while (*value >= 0)  // planted: endless_loop
      *value = (*value + 1) & 0xff;
    return true;
  }
};

class SupervisorLoop : public SupervisorVertex {
 public:
  InOut<int> counter;
  bool compute() {
    volatile int* value = &*counter;
    while (*value >= 0) *value = *value ^ 1;  // planted: supervisor_loop
    return true;
  }
};

__attribute__((noinline)) int deep(int depth) {  // planted: stack_overflow
  volatile int kept[4] = {depth};
  return depth == 0 ? 0 : kept[0] + deep(depth - 1);
}

class StackOverflow : public Vertex {
 public:
  Input<int> depth;
  Output<int> out;
  bool compute() TESSERA_STACK_SIZE(256) {
    *out = deep(*depth);  // calls: stack_overflow
    return true;
  }
};

class IllegalInstruction : public Vertex {
 public:
  Output<int> out;
  bool compute() {
    asm volatile("addi t0, zero, 1365");  // planted: illegal_instruction
    *out = 1;
    return true;
  }
};

class AddsFloats : public Vertex {
 public:
  Output<int> out;
  bool compute() {
    asm volatile("fadd.s ft0, ft0, ft0" : : : "ft0");  // planted: double_arithmetic
    *out = 1;
    return true;
  }
};

class ExecutesData : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    const auto function = reinterpret_cast<int (*)()>(reinterpret_cast<unsigned>(&in[0]));
    *out = function();  // from: data_executed
    return true;
  }
};

class FloatInvalid : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;
  bool compute() {
    *out = in[0] - in[1];  // planted: float_invalid
    return true;
  }
};

class FloatDivide : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;
  bool compute() {
    *out = in[0] / in[1];  // planted: float_divide
    return true;
  }
};

class FloatOverflow : public Vertex {
 public:
  Input<Vector<float>> in;
  Output<float> out;
  bool compute() {
    *out = in[0] * in[1];  // planted: float_overflow
    return true;
  }
};

class PacketLength : public SupervisorVertex {
 public:
  InOut<Vector<int>> packet;
  unsigned words;
  bool compute() {
    register int* address asm("a0") = &packet[0];
    register unsigned count asm("a1") = words;
    asm volatile(".insn r 0x0b, 5, 0, zero, a0, a1" : : "r"(address), "r"(count));  // planted: packet_length
    return true;
  }
};

class CorruptedState : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    *out = in[0] + 1;  // planted: corrupted_state
    return true;
  }
};

// A name that is also that of a mangled type.
extern "C" __attribute__((noinline)) int f(int value) {
  assert(value == 4);  // planted: failed_assert
  return value + 1;
}

class FailedAssert : public Vertex {
 public:
  Input<int> in;
  Output<int> out;
  bool compute() {
    *out = f(*in);
    return true;
  }
};

class MisalignedJump : public Vertex {
 public:
  Output<int> out;
  bool compute() {
    volatile unsigned place = reinterpret_cast<unsigned>(&f) + 2;
    *out = reinterpret_cast<int (*)(int)>(place)(3);  // from: misaligned_jump
    return true;
  }
};

class JumpToNull : public SupervisorVertex {
 public:
  Output<int> out;
  unsigned address;
  bool compute() {
    *out = reinterpret_cast<int (*)()>(address)();  // from: jump_to_null
    return true;
  }
};

class TurnedRegister : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    int value;
    asm volatile(  // planted: turned_register
        "mv t0, %1\n"
        "li t1, 4000\n"
        "1: lw %0, 0(t0)\n"
        "addi t1, t1, -1\n"
        "bnez t1, 1b"
        : "=&r"(value)
        : "r"(&in[0])
        : "t0", "t1", "memory");
    *out = value;
    return true;
  }
};
