#!/usr/bin/env python3
"""Renames dialect identifiers in code (not in comments or strings) of the tree in the working directory. Idempotent."""
import re, subprocess, sys, os
FILES = {  # basenames (stem) moved; also rewritten wherever the path is written
 'campaigns/swarm/dice': 'campaigns/swarm/rng',
 'campaigns/swarm/swarm_sense': 'campaigns/swarm/swarm_constraints',
 'campaigns/guided/signals': 'campaigns/guided/features',
 'campaigns/swarm/swarm_world': 'campaigns/swarm/swarm_shape',
 'campaigns/guided/squeeze': 'campaigns/guided/time_compression',
 'analysis/evidence/patience': 'analysis/evidence/time_limit',
 'analysis/oracles/j_p5_garbage_goes': 'analysis/oracles/j_p5_garbage_removed',
 'scenarios/world/demands': 'scenarios/world/expectations',
 'scenarios/world/surroundings': 'scenarios/world/environment',
 'scenarios/world/log_orders': 'scenarios/world/log_fault_plan',
 'tests/cli/stories_test': 'tests/cli/minimized_repros_test',
 'tests/trace_views/story': 'tests/trace_views/sample_window',
}
PATHTEXT = [(r'guided/signals\.(h|cc)\b', r'guided/features.\1'),(r'\bswarm_world\b','swarm_shape'),(r'\bdice\.(h|cc)\b', r'rng.\1'), (r'\bswarm_sense\.(h|cc)\b', r'swarm_constraints.\1'),
 (r'(?<![\w])squeeze\.(h|cc)\b', r'time_compression.\1'), (r'evidence/patience\.h\b', 'evidence/time_limit.h'),
 (r'j_p5_garbage_goes', 'j_p5_garbage_removed'), (r'world/demands\.(h|cc)\b', r'world/expectations.\1'),
 (r'world/surroundings\.(h|cc)\b', r'world/environment.\1'), (r'world/log_orders\.(h|cc)\b', r'world/log_fault_plan.\1'),
 (r'\bstories_test\b', 'minimized_repros_test'), (r'trace_views/story\.h', 'trace_views/sample_window.h')]
GLOBAL = dict(l.split() for l in '''
dice rng
Dice Rng
dice_ rng_
kToldTooOld kAnsweredTooOld
kToldJoined kAnsweredJoined
kToldExists kAnsweredExists
kToldSkipped kAnsweredSkipped
kToldUnjoinable kAnsweredUnjoinable
told_since answered_since
told_since_ answered_since_
ToldSince AnsweredSince
spelled_told spelled_answers
told_bit answer_bit
told_ok answered_ok
told_already_exists answered_already_exists
told_exists answered_exists
told_at answered_at
was_told was_reported
told_of numbers_in
untold_ unanswered_
untold unanswered
check_told check_reported
Wish StopRequest
Wishes TokenRequests
wishes_ token_requests_
surroundings_ environment_
Surroundings Environment
draw_surroundings generate_environment
kSurroundingsKnobs kEnvironmentKnobs
unprovable indeterminate
kUnprovable kIndeterminate
unprovable_since indeterminate_since
unprovable_ indeterminate_
lose_unprovable lose_indeterminate
is_excused is_exempt
excused exempt
excused_ exempt_
stall_excused stall_exempt
is_stall_excused is_stall_exempt
excused_too_often exempt_too_often
excused_findings exempt_findings
excused_stalls exempt_stalls
kRunsForOneExcuse kRunsForOneExemption
limits_excuses limits_exemptions
Demands Expectations
demands_of expectations_of
demands_safety expects_safety
core_demands core_obligations
demand_kinds require_kinds
demand_oracles require_oracles
demand_redundancy require_redundancy
can_be_demanded can_be_required
demand_table obligation_table
demand_object obligation_object
undemanded not_required
add_demands add_requirements
StoryFiles ReproFiles
add_stories add_repros
stories repro_folder
story_of history_of
show_story show_history
story_html history_html
LogOrders LogFaultPlan
calm_since fault_free_since
longest_calm longest_fault_free
calm_back back_without_faults
calm_forward forward_without_faults
kPatience kMostChecks
kLongestPatience kLongestDetour
retry_patience retry_time_limit
dispatcher_patience dispatcher_time_limit
answer_within_patience answer_within_time_limit
books accounts
books_ accounts_
Struck Affected
struck_ affected_
was_struck had_effect
kSurelyStrikes kSurelyTakesEffect
network_struck network_affected
strikes_cell affects_cell
proposed_by_struck proposed_by_crashed
GarbageGoes GarbageRemoved
reroute_disowned reroute_wrong_shard
on_disowned on_wrong_shard
disowned wrong_shard
RunWanted RunExtras
runs_wanted runs_required
is_wanted is_of_interest
unwanted discarded
wanted_after_all_ joined_after_all_
keep_sense repair_constraints
squeezed compressed
whom target
kWhom kTarget
nobody untargeted
kNobody kNone
behind_first after_first
behind_head end_of_head
forget_behind forget_later
LeftBehind LeftOver
begin_behind_all begin_after_all
again_behind_rival again_after_rival
is_behind is_outdated
troubled lossy
trouble_of clock_error_of
kAfterglow kDrainPeriod
nobodys unowned
'''.split('\n') if l.strip())
GUIDED={'World':'Candidate','worlds':'candidates','world':'candidate','world_':'candidate_','world_seed':'root_seed','by_world_seed_':'by_root_seed_','Signals':'Features','Signal':'Feature','signal':'feature','signals':'features','signals_of':'features_of','encode_signals':'encode_features','decode_signals':'decode_features','runs_by_signal_':'runs_by_feature_','kept_':'entries_','Kept':'Entry','kept':'entry','worlds_':'candidates_'}
PER = [
 (r'campaigns/guided/|cli/guided|cli/options/(fuzz_)?guided|tests/campaigns/guided', GUIDED),
 (r'campaigns/coverage_gate', {'worlds_for':'runs_for'}),  # (path regex, {token: new})
 (r'(analysis/accounting/accounting\.cc|analysis/evidence/|analysis/oracles/j_(p3|p6|s14|s18)|analysis/accounting)', {'told':'answers','Told':'Answers','told_':'reported_'}),
 (r'analysis/linearizability/key_history', {'told':'answered'}),
 (r'analysis/oracles/j_s4_linear', {'told':'answered'}),
 (r'analysis/oracles/j_s19|analysis/', {'Wanted':'Expected','wanted':'expected'}),
 (r'campaigns/campaign_report\.cc|campaigns/campaign_ci|campaigns/guided_report|campaigns/campaign\.h', {'told':'found','story':'repro','repro_folder':'repros','stories':'repros'}),
 (r'campaigns/guided/generation\.cc', {'told':'reported'}),
 (r'models/input_logs|models/truncations|tests/mutants/P-77', {'told':'reported','told_':'reported_'}),
 (r'scenarios/world/judging\.cc', {'told':'receivers'}),
 (r'scenarios/world/(log_orders|log_fault_plan|runner)', {'told':'facts','Told':'LogFault'}),
 (r'tests/analysis/campaign_store_test', {'told':'reported'}),
 (r'tests/analysis/(joiner_ends|recovery)_test', {'told':'answered'}),
 (r'tests/analysis/linearizable_test', {'told':'answered'}),
 (r'tests/campaigns/pool/worker_test', {'told':'reported'}),
 (r'tests/campaigns/runs/verdict_test', {'told':'texts'}),
 (r'tests/cli/campaign_test', {'told':'report'}),
 (r'tests/cli/fuzz_results_test', {'told':'line'}),
 (r'tests/models/log_faults_test', {'told':'reported'}),
 (r'tests/photon/event_store/log_store_test', {'told':'progressed'}),
 (r'tests/scenarios/world/corner_registry_test', {'told':'answered'}),
 (r'tests/scenarios/world/storage_facts_test', {'told':'numbers'}),
 (r'tests/trace_views/perfetto_test', {'told':'outlined'}),
 (r'trace_views/page/', {'told':'arrived','story':'history'}),
 (r'trace_views/page/main\.js', {'told':'in_history'}),
 (r'tests/cli/(stories_test|minimized_repros_test)', {'story':'repro'}),
 (r'tests/cli/fuzz_test', {'story':'repro','demand':'requirement'}),
 (r'tests/trace_views/', {'story':'sample_window'}),
 (r'analysis/', {'wish':'tally','wishes':'requests_of','demands':'obligations','calm':'fault_free','patience':'time_limit','struck':'affected','demanded':'owed'}),
 (r'analysis/oracles/j_p3', {'owed':'is_owed','demanded':'is_owed'}),
 (r'core_impl/photon/sharding/shard_retirement', {'wish_':'forget_','behind_':'waiting_for_'}),
 (r'tests/analysis/registry_only_test', {'wish':'ask'}),
 (r'tests/paxos/handover_test', {'wish':'order','wanted':'target'}),
 (r'tests/photon/sharding/shard_retirement_test', {'wish':'forget'}),
 (r'tests/scenarios/world/state_watch_test', {'wish':'ask','strike':'take_effect'}),
 (r'tests/scenarios/world/masters_test', {'wished':'requested'}),
 (r'campaigns/(campaign_ci|runs/verdict|reduce/same_failure|coverage_gate)|scenarios/world/(demands|expectations|runner)|cli/run_command|tests/campaigns/runs|tests/scenarios/world/(clock|limits|master)', {'demands':'expectations'}),
 (r'campaigns/campaign_ci|campaigns/coverage_gate|tests/campaigns/(campaign_ci|coverage)', {'demands':'obligations','expectations':'obligations'}),
 (r'analysis/reports/summary|analysis/results/run_record', {'demands':'obligations'}),
 (r'tests/fuzz/', {'demand':'require'}),
 (r'campaigns/pool/run_pool|campaigns/runs/run_spec', {'wanted':'extras'}),
 (r'campaigns/reduce/minimize', {'wanted':'expected'}),
 (r'campaigns/coverage_gate', {'wanted':'required'}),
 (r'campaigns/results_file|cli/run_outputs', {'wanted':'named','wanted_':'named_'}),
 (r'cli/guided_command', {'wanted':'minimized'}),
 (r'core_impl/logs/log_reader|core_impl/photon/(event_store|verification)/|tests/logs/log_reader|tests/mutants/P-58', {'wanted':'read_size'}),
 (r'core_impl/logs/record_source', {'wanted':'queued','wanted_':'queued_','behind':'backlog'}),
 (r'core_impl/paxos/|tests/mutants/(M-04d|P-81)', {'wanted':'admission'}),
 (r'core_impl/photon/registry/id_table', {'wanted':'target','clear_behind_':'clear_after_'}),
 (r'core_impl/photon/sharding/sharding_server', {'wanted':'horizon'}),
 (r'models/arrivals', {'wanted':'width'}),
 (r'scenarios/language/loader_apply', {'wanted':'expected'}),
 (r'scenarios/world/runner', {'wanted':'window','wanted_':'window_','struck':'faults','surroundings':'environment'}),
 (r'scenarios/world/state_watch', {'struck':'took_effect'}),
 (r'sim/topology', {'wanted':'component'}),
 (r'tests/analysis/linearizability/agreement_test|tests/cli/(stories|minimized)', {'wanted':'requested'}),
 (r'tests/fuzz/message_codec', {'wanted':'chosen'}),
 (r'tests/paxos/cluster', {'wanted':'requested','calm':'stop_faults'}),
 (r'tests/sim/', {'wanted':'request'}),
 (r'tests/photon/sharding/sharding_client_test', {'wanted_':'looked_up_'}),
 (r'trace_views/(window|record_text)|tests/trace_views/window_test', {'wanted':'matching','wanted_':'matching_','Wanted':'Detail'}),
 (r'trace_views/record_text', {'matching':'detail','matching_':'detail_','wanted':'detail','wanted_':'detail_'}),
 (r'trace_views/page/scene', {'wanted':'needle'}),
 (r'cli/trace_command', {'wanted':'matching','wanted_':'selected_'}),
 (r'analysis/accounting/crossing', {'behind':'next_from'}),
 (r'analysis/corner_cases/corner_batches', {'behind':'after_boundary'}),
 (r'analysis/evidence/consensus_ledger', {'behind':'later'}),
 (r'analysis/oracles/b_18', {'behind':'lacks_since'}),
 (r'core_impl/base/record_codec', {'behind':'rest'}),
 (r'core_impl/paxos/log_record', {'behind':'rest'}),
 (r'core_impl/photon/(dispatcher|intake)/|tests/mutants/P-(42|53)', {'behind':'backlog'}),
 (r'core_impl/photon/event_store/log_file_map', {'behind':'after'}),
 (r'tests/analysis/judge_bench', {'behind':'offset'}),
 (r'tests/fuzz/make_seeds', {'behind':'after'}),
 (r'tests/logs/record_source_test', {'behind':'backlog'}),
 (r'tests/models/', {'behind':'after','calm':'steady'}),
 (r'tests/photon/sharding/shard_history_test', {'behind':'after'}),
 (r'tests/scenarios/world/corner', {'behind':'after','struck':'crashed'}),
 (r'trace_views/event_text', {'behind':'after'}),
 (r'sim/(network|simulation)', {'calm':'clear_faults'}),
 (r'tests/sim/network_test|tests/scenarios/world/limits|tests/analysis/crossing', {'calm':'fault_free'}),
 (r'tests/cluster_test|tests/paxos/cluster_test', {'calm':'stop_faults'}),
 (r'campaigns/swarm/|tests/campaigns/swarm|core_impl/photon/registry_client|core_impl/photon/output_copies|core_impl/paxos', {'patience':'time_limit'}),
 (r'core_impl/paxos/snapshot_fetcher', {'patience':'most_unanswered','time_limit':'most_unanswered'}),
 (r'tests/photon/verification/auditor', {'patience':'duration'}),
 (r'analysis/reports/summary_text|models/(feeds|input_logs|log_faults)|tests/sim/disk_faults', {'struck':'affected'}),
 (r'models/|scenarios/world/|tests/models', {'orders':'plan','orders_':'plan_','surroundings':'environment'}),
 (r'scenarios/world/runner', {'orders':'log_plan','orders_':'log_plan_'}),
 (r'campaigns/swarm/', {'surroundings':'environment'}),
 (r'tests/scenarios/world/recovery', {'surroundings':'environment'}),
 (r'tests/analysis/', {'disowned':'wrong_shard','told':'answered'}),
 (r'tests/cli/marks', {'demanded':'required'}),
 (r'scenarios/world/scripted_faults', {'trouble':'disk_fault'}),
 (r'analysis/oracles/j_s5', {'kNobody':'kNone'}),
 (r'tests/sim/effect_tracker', {'nobody':'untargeted'}),
]
STRINGS = {'"L-unprovable"':'"L-indeterminate"'}
tok = re.compile(r'[A-Za-z_][A-Za-z_0-9]*')
lex = re.compile(r'R"\((?:.|\n)*?\)"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.M)
strong = {k for k in GLOBAL if ('_' in k.strip('_') or re.search(r'[a-z][A-Z]', k))}
def code_sub(text, m, strongonly=None):
    def rep(mt):
        t = mt.group(0)
        if strongonly is not None and t not in strongonly: return t
        return m.get(t, t)
    return tok.sub(rep, text)
def convert(text, m, seen):
    out=[];pos=0
    for mt in lex.finditer(text):
        out.append(code_sub(text[pos:mt.start()], m)); pos=mt.end()
        s=mt.group(0)
        if s.startswith('//') or s.startswith('/*'): s=code_sub(s,m,strong)
        out.append(s)
    out.append(code_sub(text[pos:], m))
    return ''.join(out)
def main():
    listed = subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n')
    for f in [f for f in listed if f]:
        for a,b in FILES.items():
            for ext in ('.h','.cc'):
                if f==a+ext: subprocess.run(['git','mv',f,b+ext],check=True)
    listed = subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n')
    for f in [f for f in listed if f]:
        if f.endswith('SPEC.md') or f.startswith(('tests/goldens','tests/transcripts','tests/fuzz/corpus','tests/fuzz/findings')) or not os.path.isfile(f): continue
        if not f.endswith(('.cc','.h','.inc','.js','.patch','.txt','.md','.sh','.py','.cmake','.toml')): continue
        text=open(f,errors='surrogateescape').read(); old=text
        for a,b in PATHTEXT: text=re.sub(a,b,text)
        if f.endswith(('.cc','.h','.inc','.js','.patch')):
            base=re.sub(r'log_orders','log_fault_plan',f)
            m=dict(GLOBAL)
            if f.endswith('.js'): m={k:v for k,v in m.items() if k in ('story_of','show_story','story_html')}
            for r,d in PER:
                if re.search(r,f): m.update(d)
            if f.endswith('.patch'):
                lines=text.split('\n'); head=True; cur=None
                for i,l in enumerate(lines):
                    if l.startswith('diff --git') or l.startswith('--- '): head=False
                    if l.startswith('+++ '):
                        cur=l[6:].strip(); pm=dict(GLOBAL)
                        for r,d in PER:
                            if re.search(r,cur): pm.update(d)
                    elif not head and cur and l and l[0] in ' +-' and not l.startswith(('---','+++')):
                        lines[i]=l[0]+convert(l[1:],pm,None)
                text='\n'.join(lines)
            else:
                text=convert(text,m,None)
            text=text.replace('reader.queued(','reader.read_size(').replace('frame.repro_folder','frame.repros')
            for a,b in STRINGS.items(): text=text.replace(a,b)
        if text!=old: open(f,'w',errors='surrogateescape').write(text)
main()
