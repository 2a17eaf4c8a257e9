#include "inspect/waves/fst_file.h"

#include <filesystem>
#include <stdexcept>

#include "formats/fst_seal.h"
#include "fst_names.h"
#include "gtkwave/fstapi.h"

namespace tessera::inspect::waves {
namespace {

// The library writes its changes out after so many bytes of them: few enough to stay in a cache, which is twice as fast
// as sections of its own choice (by the machine's memory), and costs a tenth of the file.
constexpr uint64_t kSection = 8u << 20;

}  // namespace

FstWriter::FstWriter(const std::string& path) try : file_(path), width_(1, 0) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw std::runtime_error("waves: " + path + " is no regular file");
  writer_ = fstWriterCreate(file_.unfinished().c_str(), 1);
  if (!writer_) throw std::runtime_error("waves: " + path + " cannot be written");
  fstWriterSetDate(writer_, "");
  fstWriterSetVersion(writer_, "Tessera");
  fstWriterSetComment(writer_, "one time unit is one tile cycle");
  fstWriterSetTimescaleFromString(writer_, "1ns");
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
} catch (const formats::CannotWrite& error) {
  throw std::runtime_error(std::string("waves: ") + error.what());
}

FstWriter::~FstWriter() { end_library(); }

void FstWriter::end_library() {
  if (writer_) fstWriterClose(writer_);
  writer_ = nullptr;
}

void FstWriter::fail(int error) {
  discard();
  throw std::runtime_error(std::string("waves: ") + formats::CannotWrite(path(), error).what());
}

void FstWriter::open_scope(const std::string& name) {
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}
void FstWriter::close_scope() { fstWriterSetUpscope(writer_); }

FstWriter::Handle FstWriter::bits(const std::string& name, unsigned width) {
  width_.push_back(static_cast<uint8_t>(width));
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name.c_str(), 0);
}
FstWriter::Handle FstWriter::text(const std::string& name) {
  width_.push_back(0);
  return fstWriterCreateVar(writer_, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name.c_str(), 0);
}

void FstWriter::time(uint64_t cycle) {
  if (!writer_ || (begun_ && cycle <= time_)) return;
  if (written_ >= kSection) {
    fstWriterFlushContext(writer_);
    written_ = 0;
    if (const int error = formats::take_fst_error(file_.descriptor()); error != 0) fail(error);
  }
  fstWriterEmitTimeChange(writer_, cycle);
  time_ = cycle;
  begun_ = true;
}

void FstWriter::set(Handle handle, uint64_t value) {
  const unsigned width = width_[handle];
  char bits[64];
  for (unsigned i = width; i-- > 0; value >>= 1) bits[i] = static_cast<char>('0' + (value & 1));
  fstWriterEmitValueChange(writer_, handle, bits);
  written_ += width + 8;
}

void FstWriter::set(Handle handle, std::string_view value) {
  fstWriterEmitVariableLengthValueChange(writer_, handle, value.data(), static_cast<uint32_t>(value.size()));
  written_ += value.size() + 8;
}

void FstWriter::close() {
  if (!writer_) return;
  end_library();
  try {
    formats::keep_fst(file_);
  } catch (const formats::CannotWrite& error) {
    throw std::runtime_error(std::string("waves: ") + error.what());
  }
}

void FstWriter::discard() {
  end_library();
  file_.discard();
}

FstReader::FstReader(const std::string& path) {
  // The library reads what it is given: it may crash on what nobody has written.
  if (const std::string damage = formats::fst_damage(path); !damage.empty())
    throw std::runtime_error("waves: " + path + " " + damage);
  reader_ = fstReaderOpen(path.c_str());
  if (!reader_) throw std::runtime_error("waves: " + path + " is no whole FST file of Tessera");
  std::vector<std::string> scopes;
  fstReaderIterateHierRewind(reader_);
  while (const fstHier* entry = fstReaderIterateHier(reader_)) {
    if (entry->htyp == FST_HT_SCOPE) {
      scopes.push_back((scopes.empty() ? "" : scopes.back() + ".") + entry->u.scope.name);
    } else if (entry->htyp == FST_HT_UPSCOPE) {
      if (!scopes.empty()) scopes.pop_back();
    } else if (entry->htyp == FST_HT_VAR) {
      const bool is_text = entry->u.var.typ == FST_VT_GEN_STRING;
      signals_.push_back({scopes.empty() ? "" : scopes.back(), entry->u.var.name, is_text ? 0 : entry->u.var.length,
                          entry->u.var.handle});
    }
  }
}

FstReader::~FstReader() {
  if (reader_) fstReaderClose(reader_);
}

uint64_t FstReader::first_time() const { return fstReaderGetStartTime(reader_); }
uint64_t FstReader::last_time() const { return fstReaderGetEndTime(reader_); }

void FstReader::read(const std::vector<uint32_t>& handles, const Change& change) {
  fstReaderClrFacProcessMaskAll(reader_);
  for (uint32_t handle : handles) fstReaderSetFacProcessMask(reader_, handle);
  const auto fixed = [](void* to, uint64_t time, fstHandle handle, const unsigned char* value) {
    (*static_cast<const Change*>(to))(time, handle, reinterpret_cast<const char*>(value));
  };
  const auto variable = [](void* to, uint64_t time, fstHandle handle, const unsigned char* value, uint32_t bytes) {
    (*static_cast<const Change*>(to))(time, handle, {reinterpret_cast<const char*>(value), bytes});
  };
  fstReaderIterBlocks2(reader_, fixed, variable, const_cast<Change*>(&change), nullptr);
}

}  // namespace tessera::inspect::waves
