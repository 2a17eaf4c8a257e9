// Facts that a library keeps beside a tensor and passes through its caller's hands.
#pragma once

#include <memory>

namespace poputil {

class TensorMetaDataBase {
 public:
  virtual ~TensorMetaDataBase();
  virtual std::unique_ptr<TensorMetaDataBase> clone() const = 0;
};

class TensorMetaData {
 public:
  TensorMetaData();
  TensorMetaData(std::unique_ptr<TensorMetaDataBase> data);
  TensorMetaData(const TensorMetaData& other);
  TensorMetaData(TensorMetaData&& other);
  TensorMetaData& operator=(const TensorMetaData& other);
  TensorMetaData& operator=(TensorMetaData&& other);
  ~TensorMetaData();
  const TensorMetaDataBase* getData() const { return data_.get(); }

 private:
  std::unique_ptr<TensorMetaDataBase> data_;
};

}  // namespace poputil
