// Random draws of the swarm. Each part of a configuration has its own sequence, so that a new draw
// in one part leaves the others unchanged.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "campaigns/purposes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

// The parts. Append only: the number is part of the key of each draw.
enum class Part : std::uint32_t {
  shape = 0,
  topology = 1,
  registry = 2,
  pipeline = 3,
  environment = 4,
  workload = 5,
  fault_classes = 6,
  operations = 7,
  core = 8,
  disk_faults = 9,
  contract = 10,
  extremes = 11,
  targets = 12,
  tier = 13,
  network = 14,
  log_truncations = 15,
  backlog = 16,
  faults = 1000,       // and on: one sequence for each fault
  guided = 1'000'000,  // and on: one for each configuration of a guided search
};

// Parts that have one sequence per number.
constexpr bool is_numbered(Part part) { return part == Part::faults || part == Part::guided; }

class Rng {
 public:
  Rng(std::uint64_t seed, Part part)
      : stream_(seed, campaigns::purpose::kSwarm, static_cast<std::uint32_t>(part)) {}
  // Requires is_numbered(part): otherwise the sequence is that of a following part.
  Rng(std::uint64_t seed, Part part, std::uint32_t number)
      : stream_(seed, campaigns::purpose::kSwarm, static_cast<std::uint32_t>(part) + number) {
    PHOTON_CHECK(is_numbered(part), "this part of a configuration has one sequence");
    const auto next = static_cast<std::uint32_t>(Part::guided);
    PHOTON_CHECK(part != Part::faults || number < next - static_cast<std::uint32_t>(part),
                 "fewer faults than sequences for them");
  }

  // Uniform in [low, high].
  std::uint64_t count(std::uint64_t low, std::uint64_t high) {
    return low + photon::uniform_below(word(), high - low + 1);
  }
  bool chance(double probability) { return photon::Chance(probability).happens(word()); }
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[photon::uniform_below(word(), choices.size())];
  }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[photon::uniform_below(word(), choices.size())];
  }
  // Log-uniform in [low, high], rounded to two digits for readability. Requires low > 0.
  Duration time(Duration low, Duration high) {
    return Duration(static_cast<std::int64_t>(
        spread(static_cast<double>(low.count()), static_cast<double>(high.count()))));
  }
  std::uint64_t size(std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint64_t>(spread(static_cast<double>(low), static_cast<double>(high)));
  }
  double share(double low, double high) { return spread(low, high); }
  // Draws `count` of them without replacement, in random order.
  template <class T>
  std::vector<T> some(std::vector<T> items, std::size_t count) {
    for (std::size_t i = 0; i + 1 < items.size() && i < count; ++i) {
      std::swap(items[i], items[i + photon::uniform_below(word(), items.size() - i)]);
    }
    if (items.size() > count) items.resize(count);
    return items;
  }

 private:
  std::uint64_t word() { return stream_.word(next_++); }
  double spread(double low, double high);

  photon::RandomStream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace photonsim::scenarios::swarm
