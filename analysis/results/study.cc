#include "analysis/results/study.h"

#include <bit>

#include <fmt/format.h>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

std::string CampaignIdentity::key() const {
  std::vector<std::string> texts;
  for (const Point& each : points) texts.push_back(each.text);
  Bytes bytes;
  Encoder encode(bytes);
  encode(texts, std::bit_cast<std::uint64_t>(self_check), model_version);
  return fmt::format("{:016x}", hash_bytes(bytes));
}

std::vector<std::string> CampaignIdentity::names() const {
  std::vector<std::string> names;
  for (const Point& each : points) names.push_back(each.scenario);
  return names;
}

}  // namespace photon::analysis
