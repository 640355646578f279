// Every payload type of the trace, in one list: for code that treats all of them alike.
#pragma once

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"

namespace photon::trace {

template <Payload... Payloads>
struct PayloadList {
  static constexpr std::size_t kSize = sizeof...(Payloads);

  // Calls visit.template operator()<P>() for every payload type P.
  template <class Visitor>
  static constexpr void for_each(Visitor&& visit) {
    (visit.template operator()<Payloads>(), ...);
  }
};

// By kind. tests/trace/record_test.cc finds a type that is missing.
using AllPayloads = PayloadList<
    RunPhase, ProcessStarted, ProcessCrashed, ClockStepped, PartitionBegan, PartitionHealed,
    OutageBegan, OutageEnded, FaultEffect, ClickGenerated, LogVisible, InputDamaged, ProcessPaused,
    ProcessResumed, CoreChosen, ResourceUsed, Recalled, PaxosPrepare, PaxosPromise, PaxosReported,
    PaxosAccept, PaxosAccepted, PaxosLogWritten, PaxosLogRestated, PaxosLogRemoved, PaxosAdmission,
    SlotApplied, MasterElected, LeaseExtended, MasterEnded, PaxosFormatted, PaxosSnapshot,
    StateRestored, PaxosHeartbeat, PaxosGranted, RegistryAsk, RegistryAnswer, OperationApplied,
    BatchProposed, BoundaryMoved, FutureInsert, IncarnationGranted, ShardingApplied, ShardingAsk,
    ShardingAnswer, ShardingRead, LoadAsked, LoadDone, JoinAsk, JoinAnswer, QueryAsk, QueryAnswer,
    AdapterDecided, ClickRead, ClickDone, OutputRecord, OffsetSaved, RetrySaved, RetryRemoved,
    UnjoinableLogged, ReaderProgress, JournalReplaced, JournalRestated, ClickReinjected,
    ClickVerified, JournalOwned, RangeSkipped, OutputLost, RecordSkipped, OutputFenced, OutputAsk,
    OutputAnswer>;

}  // namespace photon::trace
