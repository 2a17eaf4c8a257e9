// The handwritten digits, read from data/optdigits.csv.gz and split into training and held-out samples.
#pragma once

#include <string>
#include <vector>

struct DataSet {
  std::vector<float> train_images, test_images;  // 64 pixels a sample, scaled to 0..1
  std::vector<int> train_labels, test_labels;
};

// `train` samples for training, the rest held out; a fixed shuffle makes the parts alike. Throws std::runtime_error
// with one line.
DataSet read_digits(const std::string& path, unsigned train);
