// A sequence of random draws, from which configurations and their faults are generated.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "scenarios/config/durations.h"

namespace photonsim::scenarios::swarm {

class Draws {
 public:
  explicit Draws(const photon::RandomStream& stream) : stream_(stream) {}

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
  // `count` of them, in random order.
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
