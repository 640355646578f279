#include "campaigns/reduce/pieces.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core_impl/base/check.h"

namespace photonsim::scenarios::shrink {
namespace {

bool is_element_table(const TableSpec& table) {
  return table.repeated &&
         (table.path.starts_with("faults.") || table.path.starts_with("operations."));
}

// The value of a slot.
using Value = std::variant<std::string, std::vector<std::string>, std::uint64_t, double, bool,
                           Duration, std::optional<Duration>, std::uint8_t>;

Value value_of(const Slot& slot) {
  return std::visit(
      [](const auto& place) -> Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(place)>, ChoiceSlot>) {
          return *place.value;
        } else {
          return *place;
        }
      },
      slot);
}

void set(const Slot& slot, const Value& value) {
  std::visit(
      [&](const auto& place) {
        if constexpr (std::is_same_v<std::decay_t<decltype(place)>, ChoiceSlot>) {
          *place.value = std::get<std::uint8_t>(value);
        } else {
          *place = std::get<std::remove_cvref_t<decltype(*place)>>(value);
        }
      },
      slot);
}

using Element = std::vector<Value>;

Element element_of(const TableSpec& table, Config& config, std::size_t number) {
  Element element;
  for (std::size_t key = 0; key < table.key_count; ++key) {
    element.push_back(value_of(table.slot(config, number, key)));
  }
  return element;
}

// Quantities: the least value is 1, whatever the default.
constexpr std::array<std::string_view, 11> kCounts{"registry.shards",
                                                   "joiner.count",
                                                   "dispatcher.workers",
                                                   "event_store.cache_nodes",
                                                   "verification.verifiers",
                                                   "workload.synthetic.clicks",
                                                   "workload.synthetic.queries_per_click",
                                                   "workload.synthetic.query_servers",
                                                   "workload.synthetic.click_servers",
                                                   "workload.registry.clients",
                                                   "workload.registry.rate"};
// Keys that are never set to their default: they are shrunk below, they belong to the topology and
// depend on each other, or a run waits for them and their default is hours.
constexpr std::array<std::string_view, 14> kNeverDefault{"run.duration",
                                                         "run.warm_up",
                                                         "run.seed",
                                                         "scenario.name",
                                                         "scenario.description",
                                                         "topology.pipelines",
                                                         "registry.replicas",
                                                         "network.wan",
                                                         "faults.inert",
                                                         "scenario.tier",
                                                         "scenario.breaks",
                                                         "scenario.detected_by",
                                                         "clocks.violate_clock_bound",
                                                         "dispatcher.unjoinable_age"};

KeyPlace place_of(std::string_view name) {
  const KeyPlace place = find_key(name);
  PHOTON_CHECK(place.table != nullptr, "the schema has no such key");
  return place;
}

bool may_be_default(const TableSpec& table, std::size_t key) {
  const auto is_it = [&](std::string_view name) {
    const KeyPlace place = place_of(name);
    return place.table == &table && place.index == key;
  };
  return std::ranges::none_of(kCounts, is_it) && std::ranges::none_of(kNeverDefault, is_it);
}

// Half of it, and, as a shortcut, one.
template <class Number>
void add_smaller(const Config& config, const KeyPlace& place, std::vector<Config>& results) {
  Config copy = config;
  Number& count = *std::get<Number*>(place.table->slot(copy, 0, place.index));
  const Number whole = count;
  if (whole <= 1) return;
  count = 1;
  results.push_back(copy);
  if (whole <= 3) return;
  count = whole / 2;
  results.push_back(copy);
}

void add_smaller_counts(const Config& config, std::vector<Config>& results) {
  for (const std::string_view name : kCounts) {
    const KeyPlace place = place_of(name);
    Config copy = config;
    const bool whole_numbers =
        std::holds_alternative<std::uint64_t*>(place.table->slot(copy, 0, place.index));
    whole_numbers ? add_smaller<std::uint64_t>(config, place, results)
                  : add_smaller<double>(config, place, results);
  }
}

void add_shorter_runs(const Config& config, std::vector<Config>& results) {
  if (!config.run.duration) return;
  for (const int percent : {50, 80}) {
    Config copy = config;
    copy.run.duration = *config.run.duration / 100 * percent;
    results.push_back(copy);
  }
  if (config.run.warm_up > 0s) {
    Config copy = config;
    copy.run.warm_up = 0s;
    results.push_back(copy);
  }
}

void add_fewer_pipelines(const Config& config, std::vector<Config>& results) {
  for (std::size_t i = 0; i < config.topology.pipelines.size(); ++i) {
    if (config.topology.pipelines.size() == 1) return;
    Config copy = config;
    copy.topology.pipelines.erase(copy.topology.pipelines.begin() + static_cast<std::ptrdiff_t>(i));
    results.push_back(copy);
  }
}

// Three replicas of five. A candidate in which something names a removed replica is refused.
void add_fewer_replicas(const Config& config, std::vector<Config>& results) {
  const std::vector<std::string>& all = config.registry.replicas;
  if (all.size() < 5) return;
  for (std::size_t first = 0; first < all.size(); ++first) {
    for (std::size_t second = first + 1; second < all.size(); ++second) {
      Config copy = config;
      copy.registry.replicas.clear();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i != first && i != second) copy.registry.replicas.push_back(all[i]);
      }
      results.push_back(std::move(copy));
    }
  }
}

// Without one datacenter, its links and its pipeline. The candidate is refused if a replica needs
// the datacenter or a fault names it.
void add_fewer_datacenters(const Config& config, std::vector<Config>& results) {
  for (const Datacenter& gone : config.topology.datacenters) {
    Config copy = config;
    std::erase_if(copy.topology.datacenters,
                  [&](const Datacenter& each) { return each.name == gone.name; });
    std::erase(copy.topology.pipelines, gone.name);
    std::erase(copy.run.core, gone.name);
    std::erase_if(copy.network.links, [&](const NetworkLink& link) {
      return link.from == gone.name || link.to == gone.name;
    });
    results.push_back(std::move(copy));
  }
}

// Each key of each fault at its default value; each of its durations halved.
void add_simpler_faults(const Config& config, std::vector<Config>& results) {
  for (const TableSpec* const table : all_tables()) {
    if (!is_element_table(*table)) continue;
    Config defaults;
    table->resize(defaults, 1);
    for (std::size_t element = 0; element < table->size(config); ++element) {
      for (std::size_t key = 0; key < table->key_count; ++key) {
        Config copy = config;
        const Slot slot = table->slot(copy, element, key);
        const Value usual = value_of(table->slot(defaults, 0, key));
        if (!table->key(key).required && value_of(slot) != usual) {
          set(slot, usual);
          results.push_back(copy);
        }
        if (table->key(key).name != "for") continue;
        Config shorter = config;
        Duration& span = *std::get<Duration*>(table->slot(shorter, element, key));
        if (span < 2ms) continue;
        span /= 2;
        results.push_back(shorter);
      }
    }
  }
}

}  // namespace

std::size_t events_of(const Config& config) {
  std::size_t count = 0;
  for (const TableSpec* const table : all_tables()) {
    if (is_element_table(*table)) count += table->size(config);
  }
  return count;
}

Config with_events(const Config& config, const Kept& kept) {
  Config copy = config;
  std::size_t number = 0;
  for (const TableSpec* const table : all_tables()) {
    if (!is_element_table(*table)) continue;
    std::vector<Element> elements;
    for (std::size_t i = 0; i < table->size(config); ++i) {
      if (kept[number++]) elements.push_back(element_of(*table, copy, i));
    }
    table->resize(copy, elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      for (std::size_t key = 0; key < table->key_count; ++key) {
        set(table->slot(copy, i, key), elements[i][key]);
      }
    }
  }
  return copy;
}

Settings::Settings(const Config& config) {
  Config copy = config;
  Config defaults;
  for (const TableSpec* const table : all_tables()) {
    if (table->repeated) continue;
    for (std::size_t key = 0; key < table->key_count; ++key) {
      const bool usual =
          value_of(table->slot(copy, 0, key)) == value_of(table->slot(defaults, 0, key));
      if (!usual && may_be_default(*table, key)) keys_.push_back({table, key});
    }
  }
}

Config Settings::with(const Config& config, const Kept& kept) const {
  Config copy = config;
  Config defaults;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (kept[i]) continue;
    const Place& place = keys_[i];
    set(place.table->slot(copy, 0, place.key), value_of(place.table->slot(defaults, 0, place.key)));
  }
  return copy;
}

std::vector<Config> candidates_of(const Config& config) {
  std::vector<Config> results;
  add_smaller_counts(config, results);
  add_shorter_runs(config, results);
  add_fewer_pipelines(config, results);
  add_fewer_replicas(config, results);
  add_fewer_datacenters(config, results);
  add_simpler_faults(config, results);
  return results;
}

}  // namespace photonsim::scenarios::shrink
