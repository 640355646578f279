#include "core_impl/logs/log_file.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/runtime/file_name.h"

namespace photon::logs {
namespace {

constexpr std::size_t kDigits = 5;
constexpr std::uint32_t kSequenceBits = 14;
constexpr std::uint32_t kReinjectedBit = 1U << kSequenceBits;
constexpr std::uint32_t kServerShift = kSequenceBits + 1;
constexpr std::uint32_t kNotPrimaryBit = 1U << 31U;
constexpr std::uint32_t kMostSequences = 1U << kSequenceBits;

}  // namespace

std::string_view prefix_of(LogType type) {
  switch (type) {
    case LogType::primary:
      return kPrimaryPrefix;
    case LogType::foreign:
      return kForeignPrefix;
    case LogType::reinjected:
      break;
  }
  return kReinjectedPrefix;
}

std::uint32_t LogFile::number() const {
  PHOTON_CHECK(sequence < kMostSequences, "a log file's sequence number fits its field");
  return (type == LogType::primary ? 0 : kNotPrimaryBit) | (std::uint32_t{server} << kServerShift) |
         (type == LogType::reinjected ? kReinjectedBit : 0) | sequence;
}

LogFile LogFile::from_number(std::uint32_t number) {
  LogFile file;
  if ((number & kNotPrimaryBit) != 0) {
    file.type = (number & kReinjectedBit) != 0 ? LogType::reinjected : LogType::foreign;
  }
  file.server = static_cast<std::uint16_t>(number >> kServerShift);
  file.sequence = static_cast<std::uint16_t>(number & (kMostSequences - 1));
  return file;
}

FileName LogFile::name() const {
  FileName name = directory_of(type, server);
  append_number(name, sequence, kDigits);
  return name;
}

FileName directory_of(LogType type, std::uint32_t server) {
  constexpr std::uint32_t kNone = 99'999;  // above every 16-bit server number
  const std::string_view prefix = prefix_of(type);
  FileName name(prefix.data(), prefix.size());
  append_number(name, std::min(server, kNone), kDigits);
  name.push_back('/');
  return name;
}

std::optional<LogFile> LogFile::parse(std::string_view name) {
  for (const LogType type : {LogType::primary, LogType::foreign, LogType::reinjected}) {
    if (!name.starts_with(prefix_of(type))) continue;
    name.remove_prefix(prefix_of(type).size());
    if (name.size() != 2 * kDigits + 1 || name[kDigits] != '/') return std::nullopt;
    const auto server = parse_number(name.substr(0, kDigits), 0xffff);
    const auto sequence = parse_number(name.substr(kDigits + 1), kMostSequences - 1);
    if (!server || !sequence) return std::nullopt;
    LogFile file;
    file.type = type;
    file.server = static_cast<std::uint16_t>(*server);
    file.sequence = static_cast<std::uint16_t>(*sequence);
    return file;
  }
  return std::nullopt;
}

FileName prefix_name(LogType type) {
  const std::string_view text = prefix_of(type);
  return FileName(text.data(), text.size());
}

bool is_log_file(std::string_view name) { return LogFile::parse(name).has_value(); }

LogFile log_file_of(const FileName& name) {
  const auto file = LogFile::parse(view_of(name));
  PHOTON_CHECK(file.has_value(), "only names of log files are taken for log files");
  return *file;
}

}  // namespace photon::logs
