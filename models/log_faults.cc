#include "models/log_faults.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "models/purposes.h"

namespace photon::models {

bool LogDamage::concerns(logs::LogType type, std::uint32_t place) const {
  return std::ranges::any_of(plan_, [&](const PlannedDamage& planned) {
    return planned.type == type && planned.place.value_or(place) == place;
  });
}

LogDamage::Affected LogDamage::on(logs::LogFile file, const LoggedRecord& record,
                                  std::uint32_t place) const {
  for (const PlannedDamage& planned : plan_) {
    const bool concerned = planned.type == file.type && planned.place.value_or(place) == place &&
                           planned.from <= record.at && record.at < planned.until;
    if (!concerned) continue;
    // Not of the place: a plan for all copies damages the same records in each.
    const auto words =
        RandomStream(seed_, purpose::kLogFaults, file.number()).block(record.begin, planned.fault);
    if (Chance(planned.share).happens(words[0])) return {planned.how, planned.fault, words[1]};
  }
  return {};
}

bool LogDamage::touches(EventLog& log, std::uint32_t place, std::uint64_t begin,
                        std::uint64_t end) const {
  if (!concerns(log.file().type, place)) return false;
  while (begin < end) {
    const LoggedRecord record = log.record_at(begin);
    if (on(log.file(), record, place).how != RecordDamage::none) return true;
    begin = record.end;
  }
  return false;
}

std::set<std::uint32_t> LogDamage::apply(EventLog& log, std::uint32_t place, std::uint64_t offset,
                                         std::span<std::byte> bytes) const {
  std::set<std::uint32_t> faults;
  if (!concerns(log.file().type, place)) return faults;
  const std::uint64_t end = offset + bytes.size();
  for (std::uint64_t at = offset; at < end;) {
    const LoggedRecord record = log.record_at(at);
    PHOTON_CHECK(record.begin <= at && at < record.end, "a record holds the byte asked for");
    at = record.end;
    const Affected affected = on(log.file(), record, place);
    if (affected.how == RecordDamage::flipped) {
      const std::uint64_t bit = uniform_below(affected.word, 8 * (record.end - record.begin));
      const std::uint64_t byte = record.begin + bit / 8;
      if (byte < offset || byte >= end) continue;
      bytes[byte - offset] ^= std::byte{1} << (bit % 8);
      faults.insert(affected.fault);
    } else if (affected.how == RecordDamage::lost) {
      const std::uint64_t begin = std::max(record.begin, offset);
      std::ranges::fill(bytes.subspan(begin - offset, std::min(record.end, end) - begin),
                        std::byte{0});
      faults.insert(affected.fault);
    }
  }
  return faults;
}

}  // namespace photon::models
