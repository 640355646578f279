// The notation of schema rows: member pointers become slots, rows become a TableSpec. Included only
// by the files that declare rows.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scenarios/schema/key.h"

namespace photonsim::scenarios::schema {

inline constexpr Range kAny{-std::numeric_limits<double>::infinity()};
inline constexpr Range kNotNegative{0.0};
inline constexpr Range kUnit{0.0, 1.0};
constexpr Range at_most(double high) { return {0.0, high}; }
constexpr Range between(double low, double high) { return {low, high}; }

inline constexpr double kHour = 3.6e12;  // nanoseconds
inline constexpr double kDay = 24 * kHour;
inline constexpr Range kTime = at_most(10'000 * kDay);       // an instant or a span of a run
inline constexpr Range kSpan = between(1, 10'000 * kDay);    // one that must not be zero
inline constexpr Range kLatency = at_most(kHour);            // of a device or a link
inline constexpr Range kTimer = between(1e6, 30 * kDay);     // a period: below 1 ms no run ends
inline constexpr Range kShippingDelay = at_most(30 * kDay);  // an exponential tail must fit too

template <typename Element>
struct Row {
  Key key;
  Slot (*slot)(Element&);
};

template <typename T>
Slot make_slot(T& member) {
  if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, std::uint8_t>);
    return ChoiceSlot{reinterpret_cast<std::uint8_t*>(&member)};  // a byte may alias anything
  } else {
    return &member;
  }
}

template <typename T>
struct MemberOf;
template <typename Class, typename T>
struct MemberOf<T Class::*> {
  using Element = Class;
};

// One row: row<&Joiner::count>({...}).
template <auto member>
constexpr auto row(Key key) {
  using Element = typename MemberOf<decltype(member)>::Element;
  return Row<Element>{key, [](Element& element) { return make_slot(element.*member); }};
}

// Follows members from the Config: at<&Config::workload, &Workload::primary>(config).
template <auto first, auto... rest, typename Root>
auto& at(Root& root) {
  if constexpr (sizeof...(rest) == 0) {
    return root.*first;
  } else {
    return at<rest...>(root.*first);
  }
}

// A section. `rows` is an array of Row with static storage, `path` the members that lead to it.
template <const auto& rows, auto... path>
constexpr TableSpec section(std::string_view name, std::string_view doc) {
  return {name,
          false,
          doc,
          std::size(rows),
          [](std::size_t index) -> const Key& { return rows[index].key; },
          [](Config& config, std::size_t, std::size_t key) {
            return rows[key].slot(at<path...>(config));
          },
          [](const Config&) -> std::size_t { return 1; },
          [](Config&, std::size_t) {}};
}

// A repeated table; the members lead to a std::vector.
template <const auto& rows, auto... path>
constexpr TableSpec repeated(std::string_view name, std::string_view doc) {
  return {name,
          true,
          doc,
          std::size(rows),
          [](std::size_t index) -> const Key& { return rows[index].key; },
          [](Config& config, std::size_t element, std::size_t key) {
            return rows[key].slot(at<path...>(config).at(element));
          },
          [](const Config& config) { return at<path...>(config).size(); },
          [](Config& config, std::size_t size) {
            at<path...>(config).clear();  // elements start from their defaults
            at<path...>(config).resize(size);
          }};
}

}  // namespace photonsim::scenarios::schema
