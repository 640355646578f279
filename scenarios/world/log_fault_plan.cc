#include "scenarios/world/log_fault_plan.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/trace/pipeline.h"
#include "models/purposes.h"
#include "scenarios/language/config_names.h"
#include "scenarios/language/units.h"
#include "scenarios/world/fault_kinds.h"

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;
using photon::SimTime;

// Number of the copy of the logs in that datacenter; none for all.
std::optional<std::uint32_t> place_of(const Deployment& deployment, const std::string& name) {
  for (std::uint32_t place = 0; place < deployment.pipelines.size(); ++place) {
    const auto datacenter = deployment.pipelines[place].datacenter;
    if (deployment.topology.datacenter(datacenter).name == name) return place;
  }
  return std::nullopt;
}

photon::logs::LogType type_of(LogKind log) {
  return log == LogKind::kQueries ? photon::logs::LogType::primary : photon::logs::LogType::foreign;
}

std::string_view name_of(LogKind log) { return log == LogKind::kQueries ? "query" : "click"; }

std::string where(const std::string& datacenter) {
  return datacenter.empty() ? "in all copies" : "in " + datacenter;
}

// Generating servers are numbered through, those of clicks behind those of queries (models/).
std::uint64_t servers_before(const Config& config, LogKind log) {
  return log == LogKind::kClicks ? servers_of(config, LogKind::kQueries) : 0;
}

// Addresses begin with 1.
std::optional<std::uint16_t> address_of(const Config& config, LogKind log,
                                        const std::string& name) {
  const std::optional<std::uint64_t> server = server_number(name);
  if (!server) return std::nullopt;
  return static_cast<std::uint16_t>(1 + servers_before(config, log) + *server);
}

models::TrueTimeOutage truetime_outage(const Config& config, const Deployment& deployment,
                                       const TrueTimeOutageFault& outage, std::uint32_t fault) {
  const std::optional<std::uint64_t> one = server_number(outage.server);
  const std::uint64_t first =
      deployment.first_server_host.value() + servers_before(config, outage.log) + one.value_or(0);
  const std::uint64_t hosts = one ? 1 : servers_of(config, outage.log);
  return {fault, photon::sim::HostId(static_cast<std::uint32_t>(first)),
          static_cast<std::uint32_t>(hosts), SimTime(outage.at),
          SimTime(outage.at + outage.duration)};
}

struct Hosts {
  photon::sim::HostId first{};
  std::uint32_t count = 1;
};

Hosts hosts_of(const Config& config, const Deployment& deployment, const ClockFault& fault) {
  if (!fault.process.empty()) {
    const photon::NodeId process = process_named(deployment.topology, fault.process);
    return {deployment.topology.process(process).host, 1};
  }
  const auto servers = truetime_outage(config, deployment, {fault.log, fault.server, {}, {}}, 0);
  return {servers.first, servers.hosts};
}

models::ClockError clock_error_of(ClockFaultKind kind) {
  switch (kind) {
    case ClockFaultKind::kOffset:
    case ClockFaultKind::kTrueTimeOutage:  // is no such fault, but an outage
      break;
    case ClockFaultKind::kDrift:
      return models::ClockError::drift;
    case ClockFaultKind::kStep:
      return models::ClockError::step;
    case ClockFaultKind::kFreeze:
      return models::ClockError::freeze;
    case ClockFaultKind::kLyingInterval:
      return models::ClockError::lying_interval;
    case ClockFaultKind::kMonotonicDrift:
      return models::ClockError::monotonic_drift;
  }
  return models::ClockError::offset;
}

std::string_view kind_name(ClockFaultKind kind) {
  switch (kind) {
    case ClockFaultKind::kOffset:
      break;
    case ClockFaultKind::kDrift:
      return fault_kinds::kClockDrift;
    case ClockFaultKind::kStep:
      return fault_kinds::kClockStep;
    case ClockFaultKind::kFreeze:
      return fault_kinds::kClockFreeze;
    case ClockFaultKind::kTrueTimeOutage:
      return fault_kinds::kTrueTimeOutageOfProcess;
    case ClockFaultKind::kLyingInterval:
      return fault_kinds::kLyingInterval;
    case ClockFaultKind::kMonotonicDrift:
      return fault_kinds::kMonotonicDrift;
  }
  return fault_kinds::kClockOffset;
}

// When all is healed clocks are right as well (J-P0).
void add_clock_fault(const Config& config, const Deployment& deployment, const ClockFault& fault,
                     std::uint32_t number, LogFaultPlan& plan) {
  const Hosts hosts = hosts_of(config, deployment, fault);
  const SimTime healed(config.run.duration.value_or(Duration::max()));
  const bool is_step = fault.kind == ClockFaultKind::kStep;
  const SimTime until = is_step ? healed : std::min(healed, SimTime(fault.at) + fault.duration);
  if (fault.kind == ClockFaultKind::kTrueTimeOutage) {
    plan.truetime.push_back({number, hosts.first, hosts.count, SimTime(fault.at), until});
  } else {
    const std::int64_t sign = fault.direction == ClockDirection::kBack ? -1 : 1;
    const auto ppb = static_cast<std::int64_t>(fault.rate * 1e9);
    plan.clocks.push_back({number, clock_error_of(fault.kind), hosts.first, hosts.count,
                           SimTime(fault.at), until, sign * fault.by, sign * ppb});
  }
  const std::string whose = fault.process.empty()
                                ? fmt::format("the {} server {}", name_of(fault.log), fault.server)
                                : fault.process;
  plan.facts.push_back({kind_name(fault.kind),
                        fmt::format("{} of the clock of {}", kind_name(fault.kind), whose),
                        SimTime(fault.at)});
}

void add_truncation(const Config& config, const Deployment& deployment,
                    const LogTruncationFault& truncation, std::uint32_t number,
                    LogFaultPlan& plan) {
  plan.truncations.push_back(
      {number, type_of(truncation.log), address_of(config, truncation.log, truncation.server),
       place_of(deployment, truncation.datacenter).value_or(0), SimTime(truncation.at),
       SimTime(truncation.at + truncation.duration), truncation.bytes});
  plan.facts.push_back(
      {fault_kinds::kLogTruncation,
       fmt::format("loss of the last {} bytes of the {} logs of server {} {}, whole again after {}",
                   truncation.bytes, name_of(truncation.log), truncation.server,
                   where(truncation.datacenter), format_duration(truncation.duration)),
       SimTime(truncation.at)});
}

// The first joined record in the bytes.
class FirstOutput final : public photon::trace::FactSink {
 public:
  std::optional<photon::trace::OutputLost> found{};

 private:
  void raw_fact(photon::trace::Kind kind, const void* payload, std::size_t /*size*/) override {
    if (kind != photon::trace::Kind::output_record || found) return;
    const auto& record = *static_cast<const photon::trace::OutputRecord*>(payload);
    found = photon::trace::OutputLost{record.click, record.token};
  }
};

}  // namespace

LogFaultPlan log_fault_plan(const Config& config, const Deployment& deployment,
                            std::uint32_t first_fault) {
  LogFaultPlan plan;
  plan.first_fault = first_fault;
  std::uint32_t fault = first_fault;
  for (const LogDamageFault& each : config.faults.log_damages) {
    const bool flips = each.how == DamageKind::kFlip;
    plan.damages.push_back({fault++, type_of(each.log), place_of(deployment, each.datacenter),
                            SimTime(each.at), SimTime(each.at + each.duration), each.share,
                            flips ? models::RecordDamage::flipped : models::RecordDamage::lost});
    plan.facts.push_back(
        {fault_kinds::kLogDamage,
         fmt::format("{} {} of {} records {}", flips ? "a wrong bit in" : "loss of",
                     format_real(each.share), name_of(each.log), where(each.datacenter)),
         SimTime(each.at)});
  }
  for (const LogStallFault& each : config.faults.log_stalls) {
    plan.stalls.push_back({fault++, type_of(each.log), address_of(config, each.log, each.server),
                           place_of(deployment, each.datacenter), SimTime(each.at),
                           SimTime(each.at + each.duration), each.tail});
    plan.facts.push_back(
        {each.tail > Duration::zero() ? fault_kinds::kLateFiles : fault_kinds::kLogStall,
         fmt::format("stall of the {} logs of server {} {} for {}", name_of(each.log), each.server,
                     where(each.datacenter), format_duration(each.duration)),
         SimTime(each.at)});
  }
  for (const LogTruncationFault& each : config.faults.log_truncations) {
    add_truncation(config, deployment, each, fault++, plan);
  }
  plan.first_loss = fault;
  for (const OutputLossFault& each : config.faults.output_losses) {
    plan.facts.push_back(
        {each.returns_after ? fault_kinds::kOutputReturn : fault_kinds::kOutputLoss,
         fmt::format("loss of {} joined records {}{}", each.records, where(each.datacenter),
                     each.returns_after
                         ? ", there again after " + format_duration(*each.returns_after)
                         : std::string()),
         SimTime(each.at)});
    ++fault;
  }
  for (const TrueTimeOutageFault& each : config.faults.truetime_outages) {
    plan.truetime.push_back(truetime_outage(config, deployment, each, fault++));
    plan.facts.push_back({fault_kinds::kTrueTimeOutage,
                          fmt::format("no TrueTime for the {} server {} for {}", name_of(each.log),
                                      each.server, format_duration(each.duration)),
                          SimTime(each.at)});
  }
  for (const ClockFault& each : config.faults.clocks) {
    add_clock_fault(config, deployment, each, fault++, plan);
  }
  return plan;
}

std::vector<OutputLoss::Order> output_losses(const Config& config, const Deployment& deployment,
                                             std::uint32_t first_loss) {
  std::vector<OutputLoss::Order> plan;
  for (const OutputLossFault& each : config.faults.output_losses) {
    const Pipeline& pipeline =
        deployment.pipelines.at(place_of(deployment, each.datacenter).value_or(0));
    plan.push_back({first_loss++, pipeline.datacenter, pipeline.cell, SimTime(each.at),
                    each.records, each.returns_after});
  }
  return plan;
}

void OutputLoss::on_start(photon::sim::Environment& environment) {
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const Order& order = plan_[i];
    environment.wake_at(order.at, i);
    if (order.returns_after) {
      environment.wake_at(order.at + *order.returns_after, plan_.size() + i);
    }
  }
}

bool OutputLoss::had_effect(std::uint32_t fault) const {
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    if (plan_[i].fault == fault) return done_[i];
  }
  return false;
}

std::vector<OutputLoss::Stored> OutputLoss::records_of(const Order& order) {
  const photon::RandomStream random(seed_, photon::models::purpose::kLogFaults, order.fault);
  std::vector<Stored> records;
  for (const photon::FileInfo& file : volumes_.durable_files(order.cell, photon::kOutputPrefix)) {
    std::uint64_t offset = 0;
    photon::Bytes bytes;
    volumes_.read_durable(order.cell, file.name, offset, bytes);
    photon::logs::LogReader reader(offset);  // begins inside a record if the first ones have left
    reader.supply(offset, std::move(bytes));
    while (const auto item = reader.next()) {
      if (item->kind != photon::logs::LogItemKind::record) continue;
      FirstOutput output;
      photon::output_facts(item->framed(), output);
      if (!output.found) continue;
      records.push_back(
          {file.name, item->offset, item->end, *output.found, random.word(records.size())});
    }
  }
  return records;
}

void OutputLoss::on_wake(photon::sim::Environment& environment, std::uint64_t moment) {
  moment < plan_.size() ? lose(environment, moment) : give_back(environment, moment - plan_.size());
}

void OutputLoss::lose(photon::sim::Environment& environment, std::uint64_t order) {
  const Order& which = plan_[order];
  std::vector<Stored>& records = lost_[order];
  records = records_of(which);
  std::ranges::stable_sort(records, {}, &Stored::rank);
  records.resize(std::min<std::size_t>(records.size(), which.records));
  for (const Stored& each : records) {
    volumes_.lose(which.cell, each.file, each.begin, each.end - each.begin);
    environment.emit(which.datacenter, each.fact);
  }
  if (records.empty() || which.returns_after) return;
  done_[order] = true;
  environment.emit(which.datacenter, photon::trace::FaultEffect{which.fault});
}

void OutputLoss::give_back(photon::sim::Environment& environment, std::uint64_t order) {
  const Order& which = plan_[order];
  for (const Stored& each : lost_[order]) {
    const bool there = volumes_.give_back(which.cell, each.file, each.begin, each.end - each.begin);
    if (!there || done_[order]) continue;
    done_[order] = true;
    environment.emit(which.datacenter, photon::trace::FaultEffect{which.fault});
  }
}

void OutputRetention::on_start(photon::sim::Environment& environment) {
  environment.wake_at(environment.now() + keep_);
}

void OutputRetention::on_wake(photon::sim::Environment& environment, std::uint64_t /*argument*/) {
  for (const photon::VolumeId cell : cells_) {
    for (const photon::FileInfo& file : volumes_.durable_files(cell, photon::kOutputPrefix)) {
      std::uint64_t& before = before_[{cell, file.name}];
      volumes_.forget_before(cell, file.name, before);
      before = file.length;
    }
  }
  environment.wake_at(environment.now() + keep_);
}

}  // namespace photonsim::scenarios
