#include "scenarios/schema/validation.h"

#include <fmt/format.h>

namespace photonsim::scenarios {

Place blamed(std::initializer_list<std::string_view> keys, const Places& places,
             const Sources& sources) {
  for (const std::string_view key : keys) {
    const Place place = places.find(key);
    if (place.line > 0 && sources.origin(place.source) == Origin::kOverride) return place;
  }
  return places.find(*keys.begin());
}

void Validation::refuse(std::initializer_list<std::string_view> keys, std::string_view message,
                        std::string_view hint) {
  for (const std::string_view key : keys) {
    if (!sound(key)) {
      return;
    }
  }
  report_.add(blamed(keys, places_, report_.sources()), message, hint);
}

bool Validation::sound(std::string_view path) const {
  const std::string inner = fmt::format("{}.", path);
  const auto inside = broken_.lower_bound(inner);
  if (broken_.find(path) != broken_.end() ||
      (inside != broken_.end() && inside->starts_with(inner))) {
    return false;
  }
  for (std::size_t dot = path.rfind('.'); dot != std::string_view::npos; dot = path.rfind('.')) {
    path = path.substr(0, dot);
    if (broken_.find(path) != broken_.end()) {
      return false;
    }
  }
  return true;
}

}  // namespace photonsim::scenarios
