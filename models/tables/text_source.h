// The text of a file from front to back. A file packed with gzip or zstd is unpacked; it is known
// by its first bytes, not by its name.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core_impl/base/result.h"
#include "models/tables/input_fault.h"

namespace photon::models {

class TextSource {
 public:
  static Result<TextSource, InputFault> open(const std::string& path);
  TextSource(TextSource&&) noexcept;
  TextSource& operator=(TextSource&&) noexcept;
  ~TextSource();

  // Fills the front of `block` and returns how many bytes; 0: the file has ended.
  Result<std::size_t, InputFault> read(std::span<char> block);

 private:
  class Stream;
  explicit TextSource(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

}  // namespace photon::models
