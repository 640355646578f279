// Rebuilds the log file map from the journals of earlier lives of a log store.
//
// It lists the directory, reads each journal to its end and puts the entries into the map. A volume
// that fails is asked again after a pause, without limit: a map with holes would turn existing
// queries into `not_found`. Damage is reported to the owner, which trusts such a map less.
// A journal that ends inside a record counts as damaged. A crash tears only what was not
// acknowledged, but wrong bytes on an acknowledged record can look the same. To doubt a map without
// holes costs only reads.
#pragma once

#include <cstdint>

#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/event_store/log_file_map.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

// What one journal record holds: the entries of one put.
struct MapJournalRecord {
  PooledVector<MapEntry> entries;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.entries);
  }
};

class MapRecovery {
 public:
  struct Options {
    VolumeId cell{};
    FileName prefix{};
    Duration retry_delay{};
    TimerKind timer = 0;
  };

  void start(Context& context, const Options& options);
  bool is_finished() const { return phase_ == Phase::finished; }
  bool is_damaged() const { return damaged_; }

  // True if the completion was this object's.
  bool on_io(Context& context, Ticket ticket, IoResult& result, LogFileMap& map);
  void on_timer(Context& context);

 private:
  enum class Phase : std::uint8_t { idle, listing, reading, finished };
  static constexpr std::uint32_t kReadBytes = 256U << 10U;

  void submit(Context& context);
  bool on_journal_bytes(IoResult& result, LogFileMap& map);

  Options options_;
  Phase phase_ = Phase::idle;
  bool damaged_ = false;
  VolumeRetry retry_{};
  PooledVector<FileInfo> files_;
  std::size_t current_ = 0;
  std::uint32_t asked_ = 0;  // bytes of the read under way
  logs::LogReader reader_{};
};

}  // namespace photon
