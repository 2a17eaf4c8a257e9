// The device's character classes, compiled for the host, against the host's "C" locale.
#include <catch2/catch.hpp>
#include <cctype>

#define DEVICE(name) extern "C" int device_##name(int)
DEVICE(isdigit);
DEVICE(islower);
DEVICE(isupper);
DEVICE(isalpha);
DEVICE(isalnum);
DEVICE(isblank);
DEVICE(isspace);
DEVICE(isgraph);
DEVICE(isprint);
DEVICE(iscntrl);
DEVICE(ispunct);
DEVICE(isxdigit);
DEVICE(tolower);
DEVICE(toupper);

TEST_CASE("character classes agree with the C library's for every character and EOF") {
  for (int c = -1; c < 256; ++c) {
    INFO("character " << c);
#define AGREE(name) CHECK((device_##name(c) != 0) == (std::name(c) != 0))
    AGREE(isdigit);
    AGREE(islower);
    AGREE(isupper);
    AGREE(isalpha);
    AGREE(isalnum);
    AGREE(isblank);
    AGREE(isspace);
    AGREE(isgraph);
    AGREE(isprint);
    AGREE(iscntrl);
    AGREE(ispunct);
    AGREE(isxdigit);
    CHECK(device_tolower(c) == std::tolower(c));
    CHECK(device_toupper(c) == std::toupper(c));
  }
}
