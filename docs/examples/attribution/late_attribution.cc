// The same with an error that a review overlooks: the delay is compared in whole seconds, so a click counts for up to a
// second too long.
#include "attribution.h"
#include "reference.h"

using namespace std::chrono_literals;

class LateAdapter final : public photon::Adapter {
 public:
  photon::AdapterResult adapt(const photon::AdapterEvent& query, const photon::AdapterEvent& click,
                              photon::Bytes& out) const override {
    const auto delay = std::chrono::floor<std::chrono::seconds>(click.id.stamp - query.id.stamp);
    if (delay > 20s) return photon::AdapterResult::skipped;
    return AttributionAdapter(1h).adapt(query, click, out);
  }
};

int main(int argc, char** argv) {
  photonsim::Extensions mine;
  mine.adapter = [] { return std::make_unique<LateAdapter>(); };
  mine.reference = attribution_reference(20'000'000'000);
  return photonsim::run_program(argc, argv, mine);
}
