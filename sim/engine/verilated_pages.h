// The state of a verilated model (built with --savable) as pages in memory. Pages that are equal to those of an earlier
// image, or zero, are shared, so an image costs what has changed.
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/engine/state_pages.h"

namespace tessera::chip {

class VerilatedPages {
 public:
  static constexpr size_t kBytes = kPageBytes;
  using Pages = chip::Pages;

  // Adds to `bytes` what `earlier` does not hold.
  template <class Verilated>
  static Pages save(Verilated& model, const Pages& earlier, size_t& bytes) {
    Writer writer(earlier);
    if constexpr (requires { writer << model; })
      writer << model;
    else
      throw std::logic_error("this tile was verilated without --savable: it gives no snapshots");
    writer.finish();
    bytes += writer.made() * kBytes + writer.pages().size() * sizeof(Pages::value_type);
    return writer.pages();
  }
  template <class Verilated>
  static void load(Verilated& model, const Pages& pages) {
    Reader reader(pages);
    if constexpr (requires { reader >> model; })
      reader >> model;
    else
      throw std::logic_error("this tile was verilated without --savable: it takes no snapshots");
  }

 private:
  class Writer : public VerilatedSerialize {
   public:
    explicit Writer(const Pages& earlier) : earlier_(earlier) { pages_.reserve(earlier.size()); }

    // Whole pages leave the buffer, the rest moves to its front.
    void flush() override {
      const uint8_t* from = m_bufp;
      for (; m_cp - from >= static_cast<ptrdiff_t>(kBytes); from += kBytes) add(from);
      const auto left = static_cast<size_t>(m_cp - from);
      std::memmove(m_bufp, from, left);
      m_cp = m_bufp + left;
    }
    void finish() {
      flush();
      if (m_cp == m_bufp) return;
      std::memset(m_cp, 0, kBytes - static_cast<size_t>(m_cp - m_bufp));
      add(m_bufp);
      m_cp = m_bufp;
    }
    const Pages& pages() const { return pages_; }
    size_t made() const { return made_; }

   private:
    void add(const uint8_t* data) {
      const size_t n = pages_.size();
      static const auto zero = std::make_shared<const Page>();
      if (std::memcmp(zero->data(), data, kBytes) == 0) {
        pages_.push_back(zero);
        return;
      }
      if (n < earlier_.size() && std::memcmp(earlier_[n]->data(), data, kBytes) == 0) {
        pages_.push_back(earlier_[n]);
        return;
      }
      auto page = std::make_shared<Page>();
      std::copy_n(data, kBytes, page->begin());
      pages_.push_back(std::move(page));
      ++made_;
    }
    const Pages& earlier_;
    Pages pages_;
    size_t made_ = 0;
  };

  class Reader : public VerilatedDeserialize {
   public:
    explicit Reader(const Pages& pages) : pages_(pages) { m_cp = m_endp = m_bufp; }

    void fill() override {
      const auto left = static_cast<size_t>(m_endp - m_cp);
      std::memmove(m_bufp, m_cp, left);
      m_cp = m_bufp;
      m_endp = m_bufp + left;
      while (next_ < pages_.size() && m_endp + kBytes <= m_bufp + bufferSize()) {
        std::copy(pages_[next_]->begin(), pages_[next_]->end(), m_endp);
        m_endp += kBytes;
        ++next_;
      }
    }

   private:
    const Pages& pages_;
    size_t next_ = 0;
  };
};

}  // namespace tessera::chip
