// One small trace with everything a picture must show.
#pragma once

#include "tests/trace_views/records.h"

namespace photonsim::trace_views::testing {

// A joiner asks, its message is answered late; the replica is paused and crashes while it is
// master; one message is lost; a partition; a violation at 3 s.
inline Window sample_window() {
  Records records;
  records.start_all();
  const photon::trace::GroupId group(2);
  records.decide(at(500ms), kEastReplica, trace::MasterElected{7, 0, group});
  records.environment(at(800ms), photon::kNoNode,
                      trace::ClickGenerated{click_id(1), click_id(1001), 10, 20, 99, 1, 2, 0});
  records.sent(at(900ms), kWestJoiner, kEastReplica, 1, join_ask(1));  // before the window
  records.delivered(at(1100ms), kWestJoiner, kEastReplica, 1, join_ask(1));
  records.environment(at(1200ms), kEastReplica,
                      trace::PartitionBegan{0, photon::DatacenterId(0), photon::DatacenterId(1)});
  records.sent(at(1300ms), kEastReplica, kWestJoiner, 4, join_ask(2));  // cut
  records.environment(at(1400ms), kEastReplica, trace::ProcessPaused{Duration(300ms).count()});
  records.decide(at(1700ms), kEastReplica, trace::SlotApplied{5, 6, 7, group, 1});
  records.decide(at(2s), kEastReplica, trace::MasterEnded{7, group});
  records.decide(at(2s), kEastReplica, trace::MasterElected{8, 0, group});
  records.crash(at(2100ms), kEastReplica, 1);
  records.start(at(2100ms), kEastReplica);  // at once
  records.decide(at(2100ms), kEastReplica, trace::MasterElected{9, 0, group});
  const trace::OutputRecord output{click_id(1), click_id(1001), {3, 1, 9}, 5};
  records.emit(at(2500ms), trace::Source::issued, kWestJoiner, output, NodeId(1));
  records.emit(at(3s), trace::Source::durable, kWestJoiner, output, NodeId(1));
  records.sent(at(3s), kWestJoiner, kEastReplica, 2, join_ask(3));
  records.sent(at(3s), kWestJoiner, kEastReplica, 2, join_ask(4));  // a second fact of it
  records.delivered(at(4500ms), kWestJoiner, kEastReplica, 2, join_ask(3));
  records.delivered(at(4500ms), kWestJoiner, kEastReplica, 2, join_ask(4));
  Run run;
  run.scenario = "a </script><b>bold & wild</b> name";
  run.seed = 18446744073709551615ULL;
  run.overrides = {"a=\"<\""};
  run.faults = {{0, "partition us-east1 | us-west1", 1'200'000'000, 9'000'000'000, true},
                {1, "process_crash us-east1/registry/0", 2'100'000'000, 2'100'000'000, true}};
  analysis::Violation violation;
  violation.oracle = "J-S1";
  violation.at = at(3s);
  violation.node = kWestJoiner;
  violation.event = click_id(1);
  violation.message = "a second output record </script> became durable";
  analysis::Violation later = violation;
  later.at = at(99s);
  run.violations = {violation, later};
  run.violations_total = 5;
  WindowOptions options = window_of(at(1s), at(4s));
  options.focus = 0;
  return collected(records, options, run);
}

}  // namespace photonsim::trace_views::testing
