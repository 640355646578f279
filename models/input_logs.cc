#include "models/input_logs.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::models {

InputLogs::InputLogs(std::vector<EventLog*> logs, const Shipping& shipping, std::uint32_t place,
                     const LogDamage* damage)
    : logs_(logs),
      copies_(std::move(logs), shipping, place),
      damage_(damage),
      place_(place),
      has_stalls_(!shipping.options().stalls.empty()),
      has_cuts_(copies_.is_ever_cut()) {
  for (std::uint32_t i = 0; i < logs_.size(); ++i) by_name_.push_back({logs_[i]->file().name(), i});
  std::ranges::sort(by_name_, {}, &Named::name);
  PHOTON_CHECK(std::ranges::adjacent_find(by_name_, {}, &Named::name) == by_name_.end(),
               "each log has a name of its own");
}

void InputLogs::watch(sim::Environment& environment, sim::FaultEffects& effects) {
  environment_ = &environment;
  effects_ = &effects;
}

void InputLogs::meet(std::uint32_t fault) {
  if (environment_ == nullptr || !met_.insert(fault).second) return;
  effects_->took_effect(fault);
}

// A process reads the length of the log.
void InputLogs::meet_stall(std::uint32_t log) {
  if (!has_stalls_ || environment_ == nullptr) return;
  const std::uint32_t fault = copies_.stalled_by(log, environment_->now());
  if (fault != Shipping::kNoStall) meet(fault);
}

// A reader that has seen more of it before sees that it is shorter; so does a life that reads where
// an earlier one ended.
void InputLogs::meet_cut(const sim::Reader& reader, std::uint32_t log, std::uint64_t known) {
  if (!has_cuts_) return;
  std::uint64_t& reported = reported_[{reader, log}];
  reported = std::max(reported, known);
  const std::uint64_t length = copies_.length(log);
  const std::uint32_t fault = length < reported ? copies_.cut_by(log) : Truncations::kNone;
  if (fault != Truncations::kNone) meet(fault);
  reported = std::max(reported, length);
}

void InputLogs::serve(const sim::Reader& reader, const VolumeRequest& request, IoResult& result) {
  result.status = IoStatus::ok;
  if (request.operation == VolumeOperation::list) {
    list(reader, request, result);
    return;
  }
  if (request.operation != VolumeOperation::stat && request.operation != VolumeOperation::read) {
    result.status = IoStatus::unavailable;  // processes never write their input
    return;
  }
  const auto found = std::ranges::lower_bound(by_name_, request.file, {}, &Named::name);
  const bool known = found != by_name_.end() && found->name == request.file;
  const bool to_the_end = known && (request.operation == VolumeOperation::stat ||
                                    request.offset + request.length > copies_.length(found->log));
  if (to_the_end) meet_stall(found->log);
  if (!known || copies_.most(found->log) == 0) {
    result.status = IoStatus::missing;
    return;
  }
  const bool is_read = request.operation == VolumeOperation::read;
  meet_cut(reader, found->log, is_read ? request.offset : 0);
  result.length = copies_.length(found->log);
  if (is_read) read(request, found->log, result);
}

void InputLogs::list(const sim::Reader& reader, const VolumeRequest& request, IoResult& result) {
  const std::string_view prefix(request.file.data(), request.file.size());
  const auto text = [](const Named& each) {
    return std::string_view(each.name.data(), each.name.size());
  };
  auto each = std::ranges::lower_bound(by_name_, prefix, {}, text);
  for (; each != by_name_.end() && text(*each).starts_with(prefix); ++each) {
    meet_stall(each->log);
    if (copies_.most(each->log) == 0) continue;
    meet_cut(reader, each->log, 0);
    result.files.push_back({each->name, copies_.length(each->log)});
  }
}

void InputLogs::read(const VolumeRequest& request, std::uint32_t log, IoResult& result) {
  const std::uint64_t length = copies_.length(log);
  if (request.offset >= length) return;
  const std::uint64_t count = std::min<std::uint64_t>(request.length, length - request.offset);
  const std::uint64_t end = request.offset + count;
  const bool sound =
      damage_ == nullptr || !damage_->touches(*logs_[log], place_, request.offset, end);
  if (request.form == ReadForm::records && sound) {
    result.range = {logs_[log], request.offset, end};
    return;
  }
  const std::size_t before = result.data.size();
  logs_[log]->read(request.offset, count, result.data);
  PHOTON_CHECK(result.data.size() == before + count, "a log has the bytes that its copy shows");
  if (sound) return;
  const std::span<std::byte> bytes = std::span<std::byte>(result.data).subspan(before);
  for (const std::uint32_t fault : damage_->apply(*logs_[log], place_, request.offset, bytes)) {
    meet(fault);
  }
}

}  // namespace photon::models
