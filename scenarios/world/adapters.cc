#include "scenarios/world/adapters.h"

#include "core_impl/base/check.h"
#include "core_impl/photon/joiner/standard_adapters.h"
#include "scenarios/extensions/extensions.h"

namespace photonsim::scenarios {

std::unique_ptr<photon::Adapter> adapter_of(const Config& config) {
  const Joiner& joiner = config.joiner;
  switch (joiner.adapter) {
    case AdapterKind::kCombine:
      break;
    case AdapterKind::kFilter:
      return std::make_unique<photon::FilterAdapter>(
          static_cast<std::uint32_t>(joiner.skip_modulo));
    case AdapterKind::kEnrich:
      return std::make_unique<photon::EnrichAdapter>(joiner.delay_step);
    case AdapterKind::kCustom: {
      auto adapter = installed_extensions().adapter();
      PHOTON_CHECK(adapter != nullptr, "the program's factory makes an adapter");
      return adapter;
    }
  }
  return std::make_unique<photon::CombineAdapter>();
}

}  // namespace photonsim::scenarios
