#include "data_set.h"

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

namespace {

std::string read_gzip(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("digits: " + path + " cannot be opened");
  std::string text;
  char buffer[65536];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<size_t>(got));
  gzclose(file);
  if (got < 0) throw std::runtime_error("digits: " + path + " is damaged");
  return text;
}

}  // namespace

DataSet read_digits(const std::string& path, unsigned train) {
  const std::string text = read_gzip(path);
  std::vector<float> images;
  std::vector<int> labels;
  const char* p = text.c_str();
  while (*p != '\0') {
    for (unsigned i = 0; i < 65; ++i) {
      char* end = nullptr;
      const long value = std::strtol(p, &end, 10);
      if (end == p)
        throw std::runtime_error("digits: line " + std::to_string(labels.size() + 1) + " of " + path +
                                 " is not 65 numbers");
      if (i < 64) {
        images.push_back(static_cast<float>(value) / 16.0f);
      } else {
        labels.push_back(static_cast<int>(value));
      }
      p = end;
      while (*p == ',' || *p == '\n' || *p == '\r' || *p == ' ') ++p;
    }
  }
  if (labels.size() <= train) throw std::runtime_error("digits: " + path + " holds too few samples");
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  uint64_t state = 1;
  for (size_t i = order.size() - 1; i > 0; --i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    std::swap(order[i], order[(state >> 33) % (i + 1)]);
  }
  DataSet set;
  for (size_t n = 0; n < order.size(); ++n) {
    auto& to_images = n < train ? set.train_images : set.test_images;
    auto& to_labels = n < train ? set.train_labels : set.test_labels;
    to_images.insert(to_images.end(), images.begin() + static_cast<long>(order[n] * 64),
                     images.begin() + static_cast<long>(order[n] * 64 + 64));
    to_labels.push_back(labels[order[n]]);
  }
  return set;
}
