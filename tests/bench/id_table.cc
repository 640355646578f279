// Memory and speed of one shard's store of ids, at every size that matters (SPEC B-69, B-76).
//
//   id_table tokens|cleared|slide [--most N] [--rate R]
//
// The store grows to N ids (20 million), R a second (77: N in three days), most of them up to 10 s
// late, one in a hundred up to 10 minutes.
//   tokens   nothing is cleared
//   cleared  every token is cleared a minute after its insert, as in a running system
//   slide    cleared; and every half million ids the window slides: one id is collected per insert
// Then: a snapshot, a restore, and everything is collected.
// Memory is measured in three ways: by the store itself; by what operator new and delete have
// handed out (counted here, with malloc's rounding, at every moment: so the peak while growing is
// exact); by the resident set of the process. Times are of a loop of applications, including the
// creation of the ids; an insert's time includes the clear that it is paired with.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "core_impl/photon/registry/id_store.h"
#include "tests/bench/heap_meter.h"

namespace {

using namespace photon;

constexpr std::uint64_t kStep = 500'000;
constexpr std::uint64_t kPortion = 1'000;  // ids between two reads of the allocator's count
constexpr std::uint64_t kFewest = 5'000'000;
constexpr std::uint32_t kCollect = 1'000;  // ids of one transaction
constexpr std::uint64_t kAsked = 100'000;  // look-ups of one kind at each step

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double per(double total, std::uint64_t count) {
  return count == 0 ? 0 : total / static_cast<double>(count);
}

std::size_t resident() {
  long total = 0;
  long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%ld %ld", &total, &pages) != 2) std::abort();
  std::fclose(file);
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

enum class Mode { tokens, cleared, slide };

// Bytes per id, from kFewest ids on.
struct Worst {
  void look(double bytes, std::uint64_t ids) { value = std::max(value, per(bytes, ids)); }
  double value = 0;
};

class Bench {
 public:
  Bench(Mode mode, std::uint64_t most, double rate)
      : mode_(mode),
        most_(most),
        gap_(static_cast<std::int64_t>(1e9 / rate)),
        clear_after_(static_cast<std::uint64_t>(rate * 60)) {}

  void run() {
    std::printf(
        "     ids   bytes per id: store allocator resident   ns: insert  collect  "
        "look-up recent, any, absent\n");
    while (store_.size() < most_) {
      double collecting = 0;
      const double inserting = insert(kStep);
      const double slide = mode_ == Mode::slide ? slide_window(kStep / 2, collecting) : 0;
      report((inserting + slide) / (mode_ == Mode::slide ? 1.5 : 1.0), collecting);
    }
    std::printf(
        "worst of %llu to %llu ids: store %.1f, allocator %.1f, resident %.1f bytes per id;"
        " peak while growing %.1f\nlongest %llu operations: %.2f ms\n",
        kFewest + 0ULL, most_ + 0ULL, own_.value, allocator_.value, resident_.value, peak_.value,
        kPortion + 0ULL, longest_ * 1e3);
    snapshot();
    drain();
  }

 private:
  EventId id_of(std::uint64_t number) const {
    const std::uint64_t word = mix(number);
    const std::uint64_t late = word >> 20U;
    const std::int64_t late_most = number % 100 == 0 ? 600'000'000'000 : 10'000'000'000;
    const std::int64_t stamp =
        static_cast<std::int64_t>(number) * gap_ -
        static_cast<std::int64_t>(late % static_cast<std::uint64_t>(late_most));
    return {static_cast<std::uint32_t>(word % 100), static_cast<std::uint32_t>(word % 7),
            from_nanoseconds<Stamp>(stamp)};
  }
  static Token token_of(std::uint64_t number) { return {1, 1, number + 1}; }

  void apply_insert() {
    store_.apply({.id = id_of(next_), .token = token_of(next_)});
    if (mode_ != Mode::tokens && next_ >= clear_after_) {
      const std::uint64_t old = next_ - clear_after_;
      store_.apply(
          {.operation = RegistryOperation::clear, .id = id_of(old), .token = token_of(old)});
    }
    ++next_;
  }

  // The seconds it took.
  double insert(std::uint64_t count) {
    double total = 0;
    for (std::uint64_t done = 0; done < count; done += kPortion) {
      bench::forget_heap_peak();
      const double began = seconds();
      for (std::uint64_t i = 0; i < kPortion; ++i) apply_insert();
      const double took = seconds() - began;
      total += took;
      longest_ = std::max(longest_, took);
      look();
    }
    return total;
  }

  double slide_window(std::uint64_t count, double& collecting) {
    double inserting = 0;
    const std::uint64_t begin = collected_;
    for (std::uint64_t done = 0; done < count; done += kStep / 50) {
      inserting += insert(kStep / 50);
      boundary_ += static_cast<std::int64_t>(kStep / 50) * gap_;
      store_.apply({.operation = RegistryOperation::move_boundary,
                    .boundary = from_nanoseconds<Stamp>(boundary_)});
      collecting += collect();
    }
    collecting = per(collecting, collected_ - begin);
    return inserting;
  }

  double collect() {
    const double began = seconds();
    while (store_.has_garbage()) {
      store_.apply({.operation = RegistryOperation::collect, .limit = kCollect});
      collected_ += store_.collected().size();
    }
    return seconds() - began;
  }

  void look() {
    if (store_.size() < kFewest) return;
    allocator_.look(static_cast<double>(bench::heap_live() - base_), store_.size());
    peak_.look(static_cast<double>(bench::heap_peak() - base_), store_.size());
    if (store_.size() % (kPortion * 50) < kPortion) {
      own_.look(static_cast<double>(store_.memory_bytes()), store_.size());
      resident_.look(static_cast<double>(resident() - base_resident_), store_.size());
    }
  }

  // Nanoseconds for the look-up of ids of the last `among`; `other` turns them into absent ones.
  double ask(std::uint64_t among, std::uint32_t other) {
    among = std::min<std::uint64_t>(among, store_.size());
    const double began = seconds();
    for (std::uint64_t i = 0; i < kAsked; ++i) {
      EventId id = id_of(next_ - 1 - mix(next_ + i) % among);
      id.process += other;
      found_ += store_.lookup(id) == RegistryCode::exists ? 1 : 0;
    }
    return (seconds() - began) * 1e9 / kAsked;
  }

  void report(double inserting, double collecting) {
    const auto ids = static_cast<double>(store_.size());
    const double recent = ask(clear_after_, 0);
    const double any = ask(~std::uint64_t{0}, 0);
    const double absent = ask(~std::uint64_t{0}, 100);
    std::printf("%8zu %20.1f %9.1f %8.1f %12.0f %8.0f %8.0f %6.0f %6.0f\n", store_.size(),
                static_cast<double>(store_.memory_bytes()) / ids,
                static_cast<double>(bench::heap_live() - base_) / ids,
                static_cast<double>(resident() - base_resident_) / ids, inserting * 1e9 / kStep,
                collecting * 1e9, recent, any, absent);
    std::fflush(stdout);
  }

  void snapshot() {
    const double began = seconds();
    const Bytes bytes = store_.snapshot();
    const double saved = seconds();
    const auto ids = static_cast<double>(store_.size());
    const std::uint64_t hash = store_.state_hash();
    bench::forget_heap_peak();
    const bool restored = store_.restore(bytes) && store_.state_hash() == hash;
    std::printf(
        "snapshot %.1f bytes per id in %.2f s; restored %s in %.2f s, table and snapshot "
        "at most %.1f bytes per id\n",
        static_cast<double>(bytes.size()) / ids, saved - began, restored ? "well" : "BADLY",
        seconds() - saved, static_cast<double>(bench::heap_peak() - base_) / ids);
  }

  void drain() {
    const std::uint64_t begin = collected_;
    store_.apply({.operation = RegistryOperation::move_boundary,
                  .boundary = from_nanoseconds<Stamp>(static_cast<std::int64_t>(next_ + 1) * gap_ +
                                                      20'000'000'000)});
    const double took = collect();
    std::printf(
        "all collected: %.0f ns per id; %.1f MB are left with the store, %.1f MB are handed "
        "out, %.1f MB resident\n",
        per(took * 1e9, collected_ - begin), static_cast<double>(store_.memory_bytes()) / 1e6,
        static_cast<double>(bench::heap_live() - base_) / 1e6,
        static_cast<double>(resident() - base_resident_) / 1e6);
  }

  Mode mode_;
  std::uint64_t most_;
  std::int64_t gap_;           // nanoseconds between two ids
  std::uint64_t clear_after_;  // ids of a minute
  std::size_t base_ = bench::heap_live();
  std::size_t base_resident_ = resident();
  IdStore store_;
  std::uint64_t next_ = 0;
  std::uint64_t collected_ = 0;
  std::int64_t boundary_ = 0;
  std::uint64_t found_ = 0;
  double longest_ = 0;
  Worst own_;
  Worst allocator_;
  Worst resident_;
  Worst peak_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (argc % 2 != 0 || (name != "tokens" && name != "cleared" && name != "slide")) {
    std::fputs("id_table tokens|cleared|slide [--most N] [--rate R]\n", stderr);
    return 2;
  }
  std::uint64_t most = 20'000'000;
  double rate = 77;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--most") most = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--rate") rate = std::strtod(argv[i + 1], nullptr);
  }
  const Mode mode = name == "tokens" ? Mode::tokens : name == "slide" ? Mode::slide : Mode::cleared;
  std::printf("%s, %.0f ids per second\n", name.c_str(), rate);
  Bench(mode, most, rate).run();
  return 0;
}
