// References to arrays and strings, intervals and options: everything that they say of themselves.
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/StringRef.hpp>
#include <sstream>
#include <type_traits>

using namespace poplar;

TEST_CASE("an ArrayRef shows the array, and no more") {
  const std::vector<int> v = {4, 5, 6};
  const ArrayRef<int> ref(v);
  CHECK(ref.data() == v.data());
  CHECK(ref.size() == 3);
  CHECK_FALSE(ref.empty());
  CHECK(ArrayRef<int>().empty());
  CHECK(ref.front() == 4);
  CHECK(ref.back() == 6);
  CHECK(ref[1] == 5);
  CHECK(ref.begin() == v.data());
  CHECK(ref.end() == v.data() + 3);
  CHECK(ref.cbegin() == ref.begin());
  CHECK(ref.cend() == ref.end());
  CHECK(ref.max_size() == std::numeric_limits<std::size_t>::max() / sizeof(int));
  CHECK(ref == ArrayRef<int>(std::array<int, 3>{{4, 5, 6}}));
  CHECK(ref != ArrayRef<int>(v.data(), 2));
  CHECK_FALSE(std::is_constructible<ArrayRef<int>, std::nullptr_t>::value);
}

TEST_CASE("an ArrayRef has the types of a container of constants") {
  using Ref = ArrayRef<int>;
  CHECK(std::is_same<Ref::value_type, int>::value);
  CHECK(std::is_same<Ref::size_type, std::size_t>::value);
  CHECK(std::is_same<Ref::difference_type, std::ptrdiff_t>::value);
  CHECK(std::is_same<Ref::reference, const int&>::value);
  CHECK(std::is_same<Ref::const_reference, const int&>::value);
  CHECK(std::is_same<Ref::pointer, const int*>::value);
  CHECK(std::is_same<Ref::const_pointer, const int*>::value);
  CHECK(std::is_same<Ref::iterator, const int*>::value);
  CHECK(std::is_same<Ref::const_iterator, const int*>::value);
}

TEST_CASE("a StringRef is the characters that it shows, as many as it shows") {
  CHECK(StringRef("abcdef", 3).cloneAsString() == "abc");
  CHECK(StringRef().cloneAsString().empty());
  const std::string text = StringRef(std::string("a\0b", 3));
  CHECK(text.size() == 3);
  CHECK(StringRef("ab") + std::string("cd") == "abcd");
  CHECK(StringRef("ab") == StringRef("abc", 2));
  CHECK(StringRef("ab") != StringRef("abc"));
  CHECK(StringRef("ab") < StringRef("abc"));
  CHECK_FALSE(StringRef("b") < StringRef("abc"));
  std::ostringstream os;
  os << StringRef("abc", 2) << '.';
  CHECK(os.str() == "ab.");
  CHECK_FALSE(std::is_constructible<StringRef, std::nullptr_t>::value);
}

TEST_CASE("intervals have a begin, an end and an order") {
  const Interval i(2, 5);
  CHECK(i.begin() == 2);
  CHECK(i.end() == 5);
  CHECK(i.size() == 3);
  CHECK(Interval().size() == 0);
  CHECK(GenericInterval<int>(-3, 4).size() == 7);
  CHECK(i == Interval(2, 5));
  CHECK(i != Interval(2, 6));
  CHECK(i < Interval(2, 6));
  CHECK(Interval(2, 6) > i);
  CHECK(i <= Interval(2, 5));
  CHECK(i >= Interval(2, 5));
  CHECK_FALSE(i >= Interval(3, 4));
  CHECK_FALSE(Interval(3, 4) <= i);
  std::ostringstream os;
  os << i;
  CHECK(os.str() == "[2,5)");
}

TEST_CASE("options are a map of strings, written and compared as one") {
  OptionFlags a{{"x", "1"}}, b{{"x", "2"}};
  CHECK(a != b);
  CHECK(a < b);
  CHECK_FALSE(b < a);
  CHECK(a.find("x")->second == "1");
  CHECK(a.begin()->first == "x");
  CHECK(std::next(a.begin()) == a.end());
  const ProfileValue value = getAsProfileValue(OptionFlags{{"x", "1"}, {"y", "two"}});
  CHECK(value["x"].asString() == "1");
  CHECK(value["y"].asString() == "two");
  CHECK(value.size() == 2);
  std::ostringstream os;
  os << OptionFlags{{"b", "2"}, {"a", "1"}};
  CHECK(os.str().find("a") < os.str().find("b"));
  CHECK(os.str().find("1") != std::string::npos);
  a.clear();
  CHECK(a.size() == 0);
  CHECK(a == OptionFlags());
  OptionFlags::initializer_list list = {{"k", "v"}};
  CHECK(OptionFlags(list).at("k") == "v");
  OptionFlags::iterator first = b.begin();
  const OptionFlags::OptionFlag flag = *first;
  CHECK(flag.second == "2");
}

TEST_CASE("options are read from a stream of JSON as from a text") {
  OptionFlags flags{{"kept", "1"}};
  std::istringstream json(R"({"a": 0.5, "b": false})");
  readJSON(json, flags);
  CHECK(flags.at("kept") == "1");
  CHECK(flags.at("b") == "false");
  CHECK(flags.size() == 3);
}
