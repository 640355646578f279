// The durable table of granted incarnations: two copies in the cell.
//
// The content of a damaged table must not be guessed: an incarnation granted twice is a duplicate
// output. With one copy, wrong bytes in it would stop all grants of a datacenter for ever.
//
// Invariants:
//  * `saved` is answered when both copies are durable. The copies are replaced one after the other,
//    so at most one of them is in doubt, and every copy that can be read is at least as new as the
//    last `saved`.
//  * At start the newest copy that can be read counts. Copies that cannot be read, or are older,
//    are written again before `loaded`.
//  * Damage accumulates in bytes that are not read. So each scrub reads the copies, and writes a
//    copy again that differs from what was saved. Both copies are lost only if both are damaged
//    within one scrub period, or while the owner is down.
//  * If no copy exists, nothing was ever `saved`.
//  * If a copy exists and no copy can be read, the table is lost: `loaded` never comes, and
//    `is_lost` is true. The copies are read again after a delay, since an operator may put one
//    back.
//
// A copy is one file, replaced whole: a framed record (base/record_codec.h) of a number that grows
// with each save and of all rows, ordered by address. The files of earlier lives of the owner are
// fenced with its life number before they are read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

// The latest grant of one process.
struct GrantedLife {
  std::uint32_t address = 0;
  std::uint32_t incarnation = 0;
  std::uint64_t request = 0;

  friend bool operator==(const GrantedLife&, const GrantedLife&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.incarnation, self.request);
  }
};

// The content of one copy.
struct GrantedLives {
  std::uint64_t number = 0;  // of the save that wrote it
  PooledVector<GrantedLife> rows{};

  friend bool operator==(const GrantedLives&, const GrantedLives&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.rows);
  }
};

inline constexpr std::uint32_t kIncarnationTableCopies = 2;
FileName incarnation_table_copy(std::uint32_t copy);  // below kIncarnationTableCopies

class IncarnationTable {
 public:
  struct Options {
    VolumeId cell{};
    Duration retry_after = std::chrono::milliseconds(200);  // after a failed volume request
    Duration scrub_period = std::chrono::seconds(10);       // between two checks of the copies
  };

  explicit IncarnationTable(const Options& options)
      : options_(options), retry_(options.retry_after) {}

  enum class Event : std::uint8_t {
    none,
    loaded,   // once: rows() are those of the newest copy
    saved,    // rows() are durable in both copies
    deposed,  // a later life of the owner has fenced the files; nothing follows
  };
  struct Statistics {
    std::uint64_t repaired = 0;  // copies written again at start
    std::uint64_t lost = 0;      // times that no copy could be read
  };

  void start(Context& context);
  // Replaces both copies. Requires that the table is loaded and that no save is under way; rows
  // ordered by address.
  void save(Context& context, PooledVector<GrantedLife> rows);
  bool owns(Ticket ticket) const { return retry_.owns(ticket); }
  Event on_io(Context& context, const IoResult& result);  // requires owns(its ticket)
  MonotonicTime due() const;  // of the next on_timer; max(): nothing waits
  void on_timer(Context& context);

  const PooledVector<GrantedLife>& rows() const { return lives_.rows; }
  bool is_lost() const { return lost_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  enum class Stage : std::uint8_t { fencing, reading, repairing, idle, saving, deposed };
  // Of a copy. `same`: it holds lives_.
  enum class Condition : std::uint8_t { missing, unreadable, readable, same };
  // What a copy holds, while the table is read and repaired.
  struct Copy {
    Condition condition = Condition::missing;
    GrantedLives found{};
  };

  void submit(Context& context);
  Event on_answer(Context& context, const IoResult& result);
  Event on_read(Context& context, const IoResult& result);
  Event choose(Context& context);
  Event repair_next(Context& context);
  Event become_idle(Context& context);
  void begin_save(Context& context);
  VolumeRequest request(Context& context) const;

  Options options_;
  VolumeRetry retry_;
  Stage stage_ = Stage::fencing;
  std::uint32_t copy_ = 0;  // which one is read or written
  bool loaded_ = false;     // lives_ is valid; before, the newest copy is
  bool lost_ = false;
  GrantedLives lives_;
  std::optional<PooledVector<GrantedLife>> next_{};  // to be saved when the scrub is over
  MonotonicTime scrub_due_ = MonotonicTime::max();
  std::array<Copy, kIncarnationTableCopies> copies_{};
  Statistics statistics_;
};

}  // namespace photon
