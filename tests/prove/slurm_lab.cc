#include "prove/slurm_lab.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "base/hostlist.h"
#include "base/strings.h"
#include "support/slurm_daemon.h"

namespace muster::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kRoundsEach = 4;  ///< that one slurmctld plays, one after the other

void sleep(milliseconds time) { std::this_thread::sleep_for(time); }

class Player {
 public:
  Player(SlurmDaemon& daemon, const LabCluster& cluster) : daemon_(daemon), cluster_(cluster) {}

  LabOutcome play(const LabRound& round) {
    LabOutcome out;
    ids_.clear();
    for (const LabJob& job : round.jobs) {
      submit(job, out);
      wait_for_a_look();
    }
    out.first = settled([&](const LabState& state) { return as_written(round, out, state); });
    if (holders(out.first).empty() || !anybody_waits(round, out)) return cleared(std::move(out));
    for (const std::size_t j : holders(out.first)) daemon_.ask("scancel " + ids_[j]);
    for (int i = 0; i < 40 && holds_any(out.first); ++i) sleep(milliseconds(100));
    out.then = settled([](const LabState& state) { return !holders(state).empty(); });
    return cleared(std::move(out));
  }

 private:
  void submit(const LabJob& job, LabOutcome& out) {
    std::string id;
    for (const std::string& line :
         daemon_.ask("sbatch --parsable -o /dev/null -D / -t 60 " + job.options + " --wrap hostname")) {
      if (!line.empty() && std::ranges::all_of(line, [](char c) { return c >= '0' && c <= '9'; })) {
        id = line;
      } else {
        out.said += line + "\n";
      }
    }
    ids_.push_back(id);
    out.refused.push_back(id.empty());
  }

  std::vector<std::string> queue() const { return daemon_.ask("squeue -h -a -r -S i -o '%i|%T|%r|%N'"); }

  /// Until the scheduler has looked at every job once.
  void wait_for_a_look() const {
    for (int i = 0; i < 20; ++i) {
      const std::vector<std::string> lines = queue();
      const auto unseen = [](const std::string& line) { return line.find("|PENDING|None|") != line.npos; };
      if (std::ranges::none_of(lines, unseen)) return;
      sleep(milliseconds(100));
    }
  }

  /// Whether all that is to run does: on a machine that has much to do it may take longer.
  static bool as_written(const LabRound& round, const LabOutcome& out, const LabState& state) {
    for (std::size_t j = 0; j < round.jobs.size(); ++j) {
      const std::vector<Fate>& fates = round.jobs[j].fates;
      const auto runs = std::ranges::count(fates, Fate::Runs) + std::ranges::count(fates, Fate::Stops);
      const auto holding = std::ranges::count_if(state.jobs[j], &LabPart::holds);
      const bool stops = fates.front() == Fate::Stops;
      const bool stopped =
          std::ranges::any_of(state.jobs[j], [](const LabPart& part) { return part.state == "SUSPENDED"; });
      if (!out.refused[j] && (holding < runs || stops != stopped || (fates.front() == Fate::GivesWay && holding > 0)))
        return false;
    }
    return true;
  }

  /// When nothing has changed for long enough that the backfill scheduler, too, had its turn.
  template <class Hoped>
  LabState settled(Hoped hoped) const {
    std::vector<std::string> last;
    auto since = Clock::now();
    const auto end = since + std::chrono::seconds(20);
    while (Clock::now() < end) {
      const std::vector<std::string> now = queue();
      if (now != last) since = Clock::now();
      last = now;
      const bool waiting =
          std::ranges::any_of(now, [](const std::string& line) { return line.find("|PENDING|") != line.npos; });
      const auto quiet = Clock::now() - since;
      if (quiet > milliseconds(waiting ? 2600 : 400) && (quiet > milliseconds(8000) || hoped(read(now)))) break;
      sleep(milliseconds(300));
    }
    LabState state = read(last);
    state.gpus_in_use = gpus_in_use();
    return state;
  }

  LabState read(const std::vector<std::string>& lines) const {
    LabState state;
    state.jobs.resize(ids_.size());
    for (const std::string& line : lines) {
      const std::vector<std::string_view> words = split(line, '|');
      if (words.size() != 4) continue;
      const std::string id(words[0].substr(0, words[0].find_first_of("_+")));
      const auto job = std::ranges::find(ids_, id);
      if (job == ids_.end()) continue;
      LabPart part{std::string(words[1]), {}};
      // 22.05 goes on showing the nodes that a requeued job had.
      if (part.holds()) part.nodes = numbers(std::string(words[3]));
      state.jobs[static_cast<std::size_t>(job - ids_.begin())].push_back(std::move(part));
    }
    return state;
  }

  std::vector<std::int64_t> numbers(const std::string& list) const {
    std::vector<std::int64_t> out;
    const Result<Hostlist> names = Hostlist::parse(list);
    for (std::size_t n = 0; names && n < cluster_.nodes.size(); ++n) {
      if (names->contains("n" + std::to_string(n + 1))) out.push_back(static_cast<std::int64_t>(n));
    }
    return out;
  }

  /// gpu:h100:4(IDX:0-3) of each node.
  std::vector<std::int64_t> gpus_in_use() const {
    std::vector<std::int64_t> out(cluster_.nodes.size(), -1);
    for (const std::string& line : daemon_.ask("sinfo -h -N -O NodeList:20,GresUsed:60")) {
      const std::vector<std::string_view> words = split_blanks(line);
      if (words.size() < 2) continue;
      const std::vector<std::int64_t> node = numbers(std::string(words[0]));
      const std::string_view used = words[1].substr(0, words[1].find('('));
      if (node.size() == 1)
        out[static_cast<std::size_t>(node.front())] = parse_int(used.substr(used.rfind(':') + 1)).value_or(-1);
    }
    return out;
  }

  static std::vector<std::size_t> holders(const LabState& state) {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
      if (std::ranges::any_of(state.jobs[j], &LabPart::holds)) out.push_back(j);
    }
    return out;
  }
  /// Who gave way is not started again: 22.05 then never frees its GPUs (`dealloc of node n1 bad node_offset`).
  static bool anybody_waits(const LabRound& round, const LabOutcome& out) {
    bool waits = false;
    for (std::size_t j = 0; j < round.jobs.size(); ++j) {
      if (round.jobs[j].fates.front() == Fate::GivesWay) return false;
      const std::vector<LabPart>& parts = out.first.jobs[j];
      waits = waits || (!parts.empty() && std::ranges::none_of(parts, &LabPart::holds));
    }
    return waits;
  }
  /// Whether one of those that held something is still there.
  bool holds_any(const LabState& before) const {
    const LabState now = read(queue());
    return std::ranges::any_of(holders(before), [&](std::size_t j) { return !now.jobs[j].empty(); });
  }

  LabOutcome cleared(LabOutcome out) const {
    daemon_.ask("scancel -u root");
    for (int i = 0; i < 60 && !queue().empty(); ++i) sleep(milliseconds(100));
    return out;
  }

  SlurmDaemon& daemon_;
  const LabCluster& cluster_;
  std::vector<std::string> ids_;  ///< by job of the round; empty: refused
};

}  // namespace

std::map<std::string, std::vector<std::optional<LabOutcome>>> play(const std::vector<LabCluster>& clusters,
                                                                   const SlurmInstall& install) {
  std::map<std::string, std::vector<std::optional<LabOutcome>>> out;
  std::vector<std::unique_ptr<SlurmDaemon>> daemons;
  std::vector<std::thread> threads;
  for (const LabCluster& cluster : clusters) {
    const bool known = std::ranges::none_of(
        cluster.releases_without, [&](const std::string& release) { return install.release.starts_with(release); });
    if (known) out[cluster.name].resize(cluster.rounds.size());
  }
  // Processes are made before there are threads.
  for (const LabCluster& cluster : clusters) {
    for (std::size_t first = 0; out.contains(cluster.name) && first < cluster.rounds.size(); first += kRoundsEach) {
      const std::string nodes = "n[1-" + std::to_string(cluster.nodes.size()) + "]";
      std::map<std::string, std::string> files{
          {"slurm.conf",
           slurm_conf("GresTypes=gpu\nSchedulerParameters=bf_interval=1,sched_interval=1\n" + cluster.records)},
          {"gres.conf", "NodeName=" + nodes + " Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"}};
      if (!cluster.topology.empty()) files["topology.conf"] = cluster.topology;
      daemons.push_back(std::make_unique<SlurmDaemon>(files, install));
    }
  }
  std::size_t next = 0;
  for (const LabCluster& cluster : clusters) {
    for (std::size_t first = 0; out.contains(cluster.name) && first < cluster.rounds.size(); first += kRoundsEach) {
      std::vector<std::optional<LabOutcome>>& outcomes = out[cluster.name];
      threads.emplace_back([&daemon = *daemons[next++], &cluster, &outcomes, first] {
        if (!daemon.wait_until_up()) return;
        Player player(daemon, cluster);
        for (std::size_t i = first; i < std::min(first + kRoundsEach, cluster.rounds.size()); ++i)
          outcomes[i] = player.play(cluster.rounds[i]);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  return out;
}

}  // namespace muster::test
