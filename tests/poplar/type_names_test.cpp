// Element types: names, sizes, what they are equal to on the host; and halves on the host.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <poplar/CSRFunctions.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HalfFloat.hpp>
#include <poplar/Target.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <unordered_set>

using namespace poplar;

TEST_CASE("every element type has its C++ spelling and its size on a tile") {
  const Target target = Target::createIPUTarget(1, 4, "ipu2");
  const struct {
    Type type;
    const char* name;
    std::size_t bytes;
    bool floating;
  } all[] = {{BOOL, "bool", 1, false},
             {CHAR, "char", 1, false},
             {UNSIGNED_CHAR, "unsigned char", 1, false},
             {SIGNED_CHAR, "signed char", 1, false},
             {SHORT, "short", 2, false},
             {UNSIGNED_SHORT, "unsigned short", 2, false},
             {INT, "int", 4, false},
             {UNSIGNED_INT, "unsigned int", 4, false},
             {LONG, "long", 4, false},
             {UNSIGNED_LONG, "unsigned long", 4, false},
             {LONGLONG, "long long", 8, false},
             {UNSIGNED_LONGLONG, "unsigned long long", 8, false},
             {QUARTER, "quarter", 1, true},
             {QUARTER_METADATA, "quarter_metadata", 1, false},
             {HALF, "half", 2, true},
             {FLOAT, "float", 4, true}};
  std::unordered_set<Type> different;
  for (const auto& one : all) {
    CAPTURE(one.name);
    CHECK(one.type.toString() == one.name);
    CHECK(target.getTypeSize(one.type) == one.bytes);
    CHECK(one.type.isFloatingPoint() == one.floating);
    CHECK(one.type.requiresMetadata() == (one.type == QUARTER));
    std::ostringstream os;
    os << one.type;
    CHECK(os.str() == one.name);
    different.insert(one.type);
  }
  CHECK(different.size() == 16);
  CHECK(INT.id() != FLOAT.id());
  CHECK(INT.hash() != FLOAT.hash());
  CHECK(INT != FLOAT);
  CHECK((INT < FLOAT) != (FLOAT < INT));
  CHECK(Type(INT.id()) == INT);
}

TEST_CASE("DOUBLE is a name, and the type of nothing") {
  const Target target = Target::createIPUTarget(1, 4, "ipu2");
  Graph graph(target);
  CHECK(DOUBLE.toString() == "double");
  CHECK(DOUBLE.isFloatingPoint());
  CHECK_FALSE(DOUBLE.requiresMetadata());
  CHECK(DOUBLE != FLOAT);
  CHECK_THROWS_AS(graph.addVariable(DOUBLE, {2}, "d"), type_error);
  CHECK_THROWS_AS(graph.addConstant(DOUBLE, {2}, 1.0), type_error);
  CHECK_THROWS_AS(graph.addHostToDeviceFIFO("s", DOUBLE, 4), type_error);
  CHECK_THROWS_WITH(target.getTypeSize(DOUBLE), Catch::Matchers::ContainsText("FLOAT"));
}

TEST_CASE("host types have their element types") {
  CHECK(equivalent_device_type<bool>().value == BOOL);
  CHECK(equivalent_device_type<char>().value == CHAR);
  CHECK(equivalent_device_type<unsigned char>().value == UNSIGNED_CHAR);
  CHECK(equivalent_device_type<signed char>().value == SIGNED_CHAR);
  CHECK(equivalent_device_type<short>().value == SHORT);
  CHECK(equivalent_device_type<unsigned short>().value == UNSIGNED_SHORT);
  CHECK(equivalent_device_type<int>().value == INT);
  CHECK(equivalent_device_type<unsigned long>().value == UNSIGNED_LONG);
  CHECK(equivalent_device_type<long long>().value == LONGLONG);
  CHECK(equivalent_device_type<unsigned long long>().value == UNSIGNED_LONGLONG);
  CHECK(equivalent_device_type<half>().value == HALF);
  CHECK(equivalent_device_type<float>().value == FLOAT);
}

TEST_CASE("traits say what a host value is") {
  const TypeTraits real = TypeTraits::make<float>(), small = TypeTraits::make<half>(),
                   whole = TypeTraits::make<unsigned>();
  CHECK(real.size == sizeof(float));
  CHECK(real.align == alignof(float));
  CHECK((real.isFloat && real.isSigned && real.isSimple && !real.isHalf));
  CHECK((small.isHalf && small.isFloat && small.isSigned && small.size == 2));
  CHECK((!whole.isFloat && !whole.isSigned && whole.isSimple));
  CHECK(TypeTraits::isSimpleType<int>());
  CHECK(TypeTraits::isSimpleType<half>());
  CHECK_FALSE(TypeTraits::isSimpleType<std::string>());
}

TEST_CASE("arrays of floats become device halves, and come back") {
  const Target target = Target::createIPUTarget(1, 4, "ipu2");
  const float floats[3] = {1.0f, -2.5f, 1e6f};
  std::uint16_t bits[3] = {};
  copyFloatToDeviceHalf(target, floats, bits, 3);
  CHECK((bits[0] == 0x3c00 && bits[1] == 0xc100 && bits[2] == 0x7c00));
  float back[3] = {};
  copyDeviceHalfToFloat(target, bits, back, 3);
  CHECK((back[0] == 1.0f && back[1] == -2.5f && std::isinf(back[2])));
  const double doubles[2] = {1.0 + 1.0 / 2048 + 1e-12, -0.5};  // just above the middle of two halves
  copyDoubleToDeviceHalf(target, doubles, bits, 2);
  CHECK((bits[0] == 0x3c01 && bits[1] == 0xb800));
  double wide[2] = {};
  copyDeviceHalfToDouble(target, bits, wide, 2);
  CHECK((wide[0] == 1.0 + 1.0 / 1024 && wide[1] == -0.5));
}

TEST_CASE("a half is two bytes of its bits, and changes in place with one rounding") {
  half h(1.5f);
  CHECK(sizeof(half) == 2);
  CHECK(h.bits() == 0x3e00);
  CHECK(half::fromBits(0x3e00) == h);
  h += 0.25f;
  CHECK(float(h) == 1.75f);
  h -= 0.75f;
  CHECK(float(h) == 1.0f);
  h *= 3.0f;
  CHECK(float(h) == 3.0f);
  h /= 2.0f;
  CHECK(float(h) == 1.5f);
  CHECK(float(-h) == -1.5f);
  CHECK(float(half(2048.0f) + half(1.0f)) == 2048.0f);  // 2049 is no half
  CHECK(float(half(3.0f) - half(1.0f)) == 2.0f);
  CHECK(float(half(3.0f) * half(0.5f)) == 1.5f);
  CHECK(float(half(1.0f) / half(3.0f)) == float(half(1.0f / 3.0f)));
  std::istringstream in("0.1");
  in >> h;
  CHECK(h.bits() == half(0.1f).bits());
  std::ostringstream out;
  out << half(0.5f);
  CHECK(out.str() == "0.5");
}

TEST_CASE("floating-point behaviour is five switches, turned together") {
  const FloatingPointBehaviour all, some(true, false, true, false, true), turned = !some;
  CHECK((all.inv && all.div0 && all.oflo && all.esr && all.nanoo));
  CHECK((some.inv && !some.div0 && some.oflo && !some.esr && some.nanoo));
  CHECK((!turned.inv && turned.div0 && !turned.oflo && turned.esr && !turned.nanoo));
}
