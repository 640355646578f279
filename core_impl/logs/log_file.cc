#include "core_impl/logs/log_file.h"

#include <algorithm>
#include <charconv>

#include "core_impl/base/check.h"
#include "core_impl/runtime/file_name.h"

namespace photon::logs {
namespace {

constexpr std::size_t kDigits = 5;
constexpr std::uint32_t kSequenceBits = 15;
constexpr std::uint32_t kServerBits = 16;

std::optional<std::uint32_t> parse_number(std::string_view digits, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value > most) return {};
  return value;
}

}  // namespace

std::uint32_t LogFile::number() const {
  PHOTON_CHECK(sequence < (1U << kSequenceBits), "a log file's sequence number fits its field");
  return (static_cast<std::uint32_t>(type) << (kServerBits + kSequenceBits)) |
         (std::uint32_t{server} << kSequenceBits) | sequence;
}

LogFile LogFile::from_number(std::uint32_t number) {
  LogFile file;
  file.type = (number >> (kServerBits + kSequenceBits)) == 0 ? LogType::primary : LogType::foreign;
  file.server = static_cast<std::uint16_t>(number >> kSequenceBits);
  file.sequence = static_cast<std::uint16_t>(number & ((1U << kSequenceBits) - 1));
  return file;
}

FileName LogFile::name() const {
  FileName name = directory_of(type, server);
  append_number(name, sequence, kDigits);
  return name;
}

FileName directory_of(LogType type, std::uint32_t server) {
  constexpr std::uint32_t kNobody = 99'999;  // above every 16-bit server number
  const std::string_view prefix = type == LogType::primary ? kPrimaryPrefix : kForeignPrefix;
  FileName name(prefix.data(), prefix.size());
  append_number(name, std::min(server, kNobody), kDigits);
  name.push_back('/');
  return name;
}

std::optional<LogFile> LogFile::parse(std::string_view name) {
  static_assert(kPrimaryPrefix.size() == kForeignPrefix.size());
  LogFile file;
  if (name.starts_with(kForeignPrefix)) {
    file.type = LogType::foreign;
  } else if (!name.starts_with(kPrimaryPrefix)) {
    return std::nullopt;
  }
  name.remove_prefix(kPrimaryPrefix.size());
  if (name.size() != 2 * kDigits + 1 || name[kDigits] != '/') return std::nullopt;
  const auto server = parse_number(name.substr(0, kDigits), 0xffff);
  const auto sequence = parse_number(name.substr(kDigits + 1), (1U << kSequenceBits) - 1);
  if (!server || !sequence) return std::nullopt;
  file.server = static_cast<std::uint16_t>(*server);
  file.sequence = static_cast<std::uint16_t>(*sequence);
  return file;
}

}  // namespace photon::logs
