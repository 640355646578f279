#include "models/storage.h"

#include "core_impl/base/check.h"
#include "core_impl/base/samplers.h"

namespace photon::models {
namespace {
// The cost of a buffered write or a metadata request: memory and a system call.
constexpr Duration kMemoryCost = std::chrono::microseconds(20);
}  // namespace

Latency::Latency(Duration median, Duration p99)
    : median_(median), sigma_(lognormal_sigma(median, p99)) {
  PHOTON_CHECK(median >= Duration::zero(), "a request takes time");
}

Duration Latency::draw(std::uint64_t word) const {
  return sigma_ > 0 ? lognormal(word, median_, sigma_) : median_;
}

Duration StorageTimes::service(sim::VolumeClass volume, const VolumeRequest& request,
                               std::uint64_t word) const {
  switch (volume) {
    case sim::VolumeClass::host_disk:
      return of_disk(request, word);
    case sim::VolumeClass::shared_cell:
      return of_cell(request, word);
    case sim::VolumeClass::input_logs:
      break;
  }
  return of_logs(request);
}

Duration StorageTimes::of_disk(const VolumeRequest& request, std::uint64_t word) const {
  switch (request.operation) {
    case VolumeOperation::append:
      if (request.durability == Durability::buffered) return kMemoryCost;
      break;
    case VolumeOperation::list:
    case VolumeOperation::stat:
      return kMemoryCost;
    case VolumeOperation::read:
      return options_.disk_read.draw(word);
    case VolumeOperation::replace:
      return options_.disk_sync.draw(word) + transfer(request.data.size());
    default:
      break;
  }
  return options_.disk_sync.draw(word);
}

// Whole nanoseconds; a file has less than 4 GiB.
Duration StorageTimes::transfer(std::size_t bytes) const {
  if (options_.disk_write_rate == 0) return Duration::zero();
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return Duration(static_cast<std::int64_t>(bytes * kSecond / options_.disk_write_rate));
}

Duration StorageTimes::of_cell(const VolumeRequest& request, std::uint64_t word) const {
  switch (request.operation) {
    case VolumeOperation::list:
    case VolumeOperation::stat:
      return options_.cell_list.draw(word);
    case VolumeOperation::read:
      return options_.cell_read.draw(word);
    default:
      return options_.cell_append.draw(word);
  }
}

Duration StorageTimes::of_logs(const VolumeRequest& request) const {
  const bool seeks = request.operation == VolumeOperation::read && request.access == Access::random;
  return seeks ? options_.log_seek : options_.log_sequential;
}

}  // namespace photon::models
