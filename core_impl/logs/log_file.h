// Names and numbers of log files: of the two input logs, and of clicks that verification brings
// back.
//
// A log is a directory of files; one generating server writes a sequence of files per log type,
// each growing by appends until it is full (SPEC A-22). The name encodes the server, as the event
// id does, so that the EventStore can go from an id to its file. The number is the compact
// form used in traces and persisted state: foreign or not (1 bit), server (16), re-injected or not
// (1), sequence (14). Files of re-injected clicks lie in a datacenter's cell, one per life of the
// process that wrote them, which stands in place of the server.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core_impl/runtime/volume.h"

namespace photon::logs {

enum class LogType : std::uint8_t { primary = 0, foreign = 1, reinjected = 2 };

struct LogFile {
  LogType type = LogType::primary;
  std::uint16_t server = 0;    // == EventId::server of its events
  std::uint16_t sequence = 0;  // 0, 1, 2 ... below 2^14

  friend auto operator<=>(const LogFile&, const LogFile&) = default;

  std::uint32_t number() const;
  static LogFile from_number(std::uint32_t number);
  // "primary/00012/00003": names sort as (type name, server, sequence).
  FileName name() const;
  static std::optional<LogFile> parse(std::string_view name);
};

// Directory prefixes for VolumeOperation::list.
inline constexpr std::string_view kPrimaryPrefix = "primary/";
inline constexpr std::string_view kForeignPrefix = "foreign/";
inline constexpr std::string_view kReinjectedPrefix = "reinjected/";

std::string_view prefix_of(LogType type);
FileName prefix_name(LogType type);
// For a DirectoryScan.
bool is_log_file(std::string_view name);
// Requires is_log_file(name).
LogFile log_file_of(const FileName& name);

// "primary/00012/": the files of one server, for VolumeOperation::list. A server whose number no
// file name can carry gets a directory that does not exist.
FileName directory_of(LogType type, std::uint32_t server);

}  // namespace photon::logs
