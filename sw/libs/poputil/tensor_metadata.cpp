#include <poputil/TensorMetaData.hpp>

namespace poputil {

namespace {

std::unique_ptr<TensorMetaDataBase> copy_of(const TensorMetaDataBase* data) {
  return data == nullptr ? nullptr : data->clone();
}

}  // namespace

TensorMetaDataBase::~TensorMetaDataBase() = default;
TensorMetaData::TensorMetaData() = default;
TensorMetaData::TensorMetaData(std::unique_ptr<TensorMetaDataBase> data) : data_(std::move(data)) {}
TensorMetaData::TensorMetaData(const TensorMetaData& other) : data_(copy_of(other.getData())) {}
TensorMetaData::TensorMetaData(TensorMetaData&& other) = default;
TensorMetaData& TensorMetaData::operator=(const TensorMetaData& other) {
  data_ = copy_of(other.getData());
  return *this;
}
TensorMetaData& TensorMetaData::operator=(TensorMetaData&& other) = default;
TensorMetaData::~TensorMetaData() = default;

}  // namespace poputil
