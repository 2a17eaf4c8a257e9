// poplar::constraint on vertex classes: what is found, and what is refused.
#include <catch2/catch.hpp>

#include "tests/codelet/codelet_text.h"

using namespace tessera;
using compiler::CodeletLibrary;
using test::compiled;

namespace {

// The constraints of each codelet as text.
std::vector<std::string> constraints_of(const CodeletLibrary& library) {
  std::vector<std::string> texts;
  for (const graph::CodeletInfo& codelet : library.codelets) {
    std::string text = codelet.name + ":";
    for (const graph::FieldConstraint& constraint : codelet.constraints)
      text += " " + graph::text_of(codelet, constraint);
    texts.push_back(text);
  }
  return texts;
}

// What is said of that text on a class with fields a, b and the state s.
std::string refusal(const std::string& constraint) {
  return test::message_of("struct [[poplar::constraint(" + constraint + ")]] V : Vertex {\n" + R"(
    Input<Vector<float>> a; Output<Vector<float>> b; int s;
    void compute() {}
  };)");
}

}  // namespace

TEST_CASE("constraints are found on classes, structures, templates and in namespaces, and nowhere else") {
  const CodeletLibrary library = compiled(R"code(
    class [[poplar::constraint("elem(*in) != elem(*out)")]] Plain : public Vertex {
     public:
      Input<Vector<float>> in; Output<Vector<float>> out;
      bool compute() { return true; }
    };
    namespace deep {
    template <typename T, bool fast>
    struct [[poplar::constraint("elem(**in)!=elem( * out )",
                                "region(*out) != "
                                "region(*last)")]] [[maybe_unused]] Rows : public MultiVertex {
      Vector<Input<Vector<T>>> in; InOut<Vector<T>> out; Input<T> last;
      bool compute(unsigned) { return true; }
    };
    template struct Rows<half, true>;
    }
    struct None : Vertex {
      struct [[poplar::constraint("elem(*a) != elem(*b)")]] Inside { int a, b; };
      Input<float> a; Output<float> b;
      void compute() {}
    };)code");
  CHECK(constraints_of(library) ==
        std::vector<std::string>{"Plain: elem(*in) != elem(*out)",
                                 "deep::Rows<half,true>: elem(*in) != elem(*out) region(*out) != region(*last)",
                                 "None:"});
  CHECK(constraints_of(compiler::from_gp(compiler::to_gp(library), "x.gp")) == constraints_of(library));
}

TEST_CASE("a constraint that cannot be is refused in one line that names codelet and field") {
  const std::string form = "is neither elem(*a) != elem(*b) nor region(*a) != region(*b)";
  const auto said = [](const std::string& constraint, const std::string& why) {
    return "codelet 'V': constraint '" + constraint + "' " + why;
  };
  for (const char* constraint :
       {"elem(*a) == elem(*b)", "elem(a) != elem(*b)", "elem(*a) != region(*b)", "", "elem(*a)",
        "elem(*a) != elem(*b) x", "bank(*a) != bank(*b)", "elem(*) != elem(*b)", "elem(*a) !="})
    CHECK(refusal("\"" + std::string(constraint) + "\"") == said(constraint, form));
  CHECK(refusal("42") == said("42", form));
  CHECK(refusal("\"elem(*a) != elem(*q)\"") == said("elem(*a) != elem(*q)", "names 'q', which is none of its fields"));
  CHECK(refusal("\"elem(*a) != elem(*b)\", \"region(*s) != region(*b)\"") ==
        said("region(*s) != region(*b)", "names field 's', which is no input or output"));
  CHECK(refusal("\"elem(*a) != elem(*a)\"") == said("elem(*a) != elem(*a)", "names field 'a' twice"));
  CHECK(refusal("\"elem(*b) != elem(*a)\"") == "compiled");
}
