#include "models/tables/text_source.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/tables/zstd_frames.h"

namespace photon::models {
namespace {

namespace io = boost::iostreams;

constexpr std::string_view kGzip = "\x1F\x8B";
constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";
constexpr const char* kReadable = "give the path of a readable CSV or TSV file";

InputFault unreadable(const std::string& path, int error) {
  return {path, 0, std::strerror(error), kReadable};
}

}  // namespace

class TextSource::Stream {
 public:
  Stream(std::string path, int file) : path_(std::move(path)) {
    std::array<char, kZstd.size()> bytes{};
    const ::ssize_t count = ::pread(file, bytes.data(), bytes.size(), 0);
    const std::string_view start(bytes.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
    if (start.starts_with(kGzip)) {
      packed_with_ = "gzip";
      buffer_.push(io::gzip_decompressor());
    } else if (start.starts_with(kZstd)) {
      packed_with_ = "zstd";
      cut_off_ = !has_whole_frames(file);
      buffer_.push(io::zstd_decompressor());
    }
    constexpr std::streamsize kBlock = std::streamsize{1} << 16U;
    buffer_.push(io::file_descriptor_source(file, io::close_handle), kBlock);
  }

  Result<std::size_t, InputFault> read(std::span<char> block) {
    if (cut_off_) return damaged();
    errno = 0;
    try {
      const auto wanted = static_cast<std::streamsize>(block.size());
      return static_cast<std::size_t>(buffer_.sgetn(block.data(), wanted));
    } catch (const std::exception&) {
      if (packed_with_ == nullptr) return unreadable(path_, errno == 0 ? EIO : errno);
      return damaged();
    }
  }

 private:
  InputFault damaged() const {
    return {path_, 0, std::string("its ") + packed_with_ + " data is damaged or cut off",
            "pack or copy the file again"};
  }

  std::string path_;
  const char* packed_with_ = nullptr;  // null: it is not packed
  bool cut_off_ = false;
  io::filtering_istreambuf buffer_;
};

TextSource::TextSource(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
TextSource::TextSource(TextSource&&) noexcept = default;
TextSource& TextSource::operator=(TextSource&&) noexcept = default;
TextSource::~TextSource() = default;

Result<TextSource, InputFault> TextSource::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return unreadable(path, errno);
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(file);
    return unreadable(path, EISDIR);
  }
  return TextSource(std::make_unique<Stream>(path, file));
}

Result<std::size_t, InputFault> TextSource::read(std::span<char> block) {
  return stream_->read(block);
}

}  // namespace photon::models
