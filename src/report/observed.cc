#include "report/observed.h"

#include <algorithm>
#include <map>

#include "base/capped.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kGangsShown = 20;
constexpr std::size_t kNodesShown = 4;
constexpr std::size_t kWaitsShown = 3;
constexpr std::size_t kCycleShown = 12;

std::string count(std::int64_t number, std::string_view noun) {
  return count_of(static_cast<std::size_t>(std::max<std::int64_t>(0, number)), noun);
}
std::string gpus(std::int64_t number) { return count(number, "GPU"); }

/// Rows under headings, as wide as what is in them.
class Columns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()), 0);
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], count_code_points(row[i]));
    }
    std::string out;
    for (const std::vector<std::string>& row : rows_) {
      out += "  ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        out += row[i];
        if (i + 1 < row.size()) out += std::string(widths[i] - count_code_points(row[i]) + 2, ' ');
      }
      out += "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string some(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) out += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > most) out += " and " + std::to_string(words.size() - most) + " more";
  return out;
}

class Text {
 public:
  explicit Text(const Observed& observed) : observed_(observed) {}

  std::string run() {
    write_stuck();
    write_cycle();
    write_eviction();
    write_others();
    write_jobs();
    write_never();
    if (!observed_.is_stuck()) section("nothing is stuck\n");
    write_gaps();
    write_summary();
    return std::move(out_);
  }

 private:
  void section(const std::string& text) { out_ += (out_.empty() ? "" : "\n") + text; }
  std::string name(std::size_t gang) const { return printable(observed_.gangs[gang].name); }
  std::string names(const std::vector<std::size_t>& gangs) const {
    std::vector<std::string> out;
    for (const std::size_t gang : gangs) out.push_back(name(gang));
    return some(out, kGangsShown);
  }
  std::vector<const ObservedGang*> in_state(GangState state) const {
    std::vector<const ObservedGang*> out;
    for (const ObservedGang& gang : observed_.gangs) {
      if (gang.state == state) out.push_back(&gang);
    }
    return out;
  }

  static std::string placed(const ObservedGang& gang) {
    if (gang.needs) return std::to_string(gang.bound) + " of " + count(*gang.needs, "pod");
    return std::to_string(gang.bound) + " of the " + count(gang.bound + gang.pending, "pod") + " there are";
  }
  static std::string on(const ObservedGang& gang) {
    std::vector<std::string> nodes;
    for (const ObservedHold& hold : gang.holds)
      nodes.push_back(printable(hold.node) + " (" + std::to_string(hold.gpus) + ")");
    return some(nodes, kNodesShown);
  }
  static std::string until(const ObservedGang& gang) {
    switch (gang.until.value_or(Until::Unknown)) {
      case Until::Never: return "for ever";
      case Until::Others: return "until others end";
      case Until::Change: return "until somebody changes something";
      case Until::Unknown: return "not known for how long";
    }
    return "";
  }

  void write_table(const std::vector<const ObservedGang*>& gangs) {
    Columns table;
    table.add({"gang", "kind", "placed", "holds", "on node (GPUs)"});
    for (std::size_t i = 0; i < std::min(gangs.size(), kGangsShown); ++i) {
      table.add({printable(gangs[i]->name), printable(gangs[i]->kind), placed(*gangs[i]), gpus(gangs[i]->gpus),
                 on(*gangs[i])});
    }
    out_ += table.text();
    if (gangs.size() > kGangsShown)
      out_ += "  and " + std::to_string(gangs.size() - kGangsShown) + " more (--format json has all)\n";
  }

  static std::string wait_text(const ObservedWait& wait) {
    std::string out = count(wait.pods, "pod") + (wait.pods == 1 ? " waits for " : " wait for ");
    out += wait.gpus_known ? gpus(wait.gpus_each) : "GPUs of a claim";
    if (wait.pods > 1) out += " each";
    if (!wait.meaning.empty()) out += ": " + wait.meaning;
    if (wait.meaning.empty() && wait.message.empty()) out += "; no scheduler has said why";
    return out;
  }

  void write_stuck() {
    const std::vector<const ObservedGang*> stuck = in_state(GangState::Stuck);
    if (stuck.empty()) return;
    std::int64_t held = 0;
    for (const ObservedGang* gang : stuck) held = add_capped(held, gang->gpus);
    section("stuck: " + count_of(stuck.size(), "gang") + (stuck.size() == 1 ? " holds " : " hold ") + gpus(held) +
            " and cannot go on\n");
    write_table(stuck);
    for (std::size_t i = 0; i < std::min(stuck.size(), kGangsShown); ++i) {
      const ObservedGang& gang = *stuck[i];
      out_ += "\n" + printable(gang.name) + ": " + until(gang) + ": " + printable(gang.why) + "\n";
      for (std::size_t w = 0; w < std::min(gang.waits.size(), kWaitsShown); ++w) {
        out_ += "  " + wait_text(gang.waits[w]) + "\n";
        if (!gang.waits[w].message.empty()) out_ += "    " + printable(gang.waits[w].message) + "\n";
      }
      if (gang.waits.size() > kWaitsShown)
        out_ += "  and " + count_of(gang.waits.size() - kWaitsShown, "other kind") + " of pods that wait\n";
    }
  }

  void write_cycle() {
    if (observed_.cycle.empty()) return;
    std::string line;
    const std::vector<std::size_t>& ring = observed_.cycle;
    for (std::size_t i = 0; i < std::min(ring.size(), kCycleShown); ++i) line += name(ring[i]) + " -> ";
    if (ring.size() > kCycleShown) line += "(" + std::to_string(ring.size() - kCycleShown) + " more) -> ";
    section("cycle: " + line + name(ring.front()) + " (each waits for GPUs that the next one holds)\n");
  }

  void write_eviction() {
    if (!observed_.eviction) return;
    const ObservedEviction& eviction = *observed_.eviction;
    const bool exact = eviction.method == Eviction::Method::Exact;
    section(
        std::string(exact ? "smallest eviction: " : "a small eviction, found greedily (there may be a smaller one): ") +
        names(eviction.gangs) + "; " + gpus(eviction.gpus) + " given back\n");
    for (const std::size_t gang : eviction.gangs) {
      const std::string& command = observed_.gangs[gang].evict;
      out_ += "  " +
              (command.empty() ? name(gang) + ": no command is offered, for its names or the number of its pods"
                               : printable(command)) +
              "\n";
    }
    const std::string ended = eviction.needs_ends ? " once what runs has ended" : "";
    if (!eviction.at_once.empty())
      out_ += "  then " + names(eviction.at_once) + (eviction.at_once.size() == 1 ? " goes on" : " go on") +
              (eviction.needs_ends ? ended : " at once") + "\n";
    if (!eviction.after.empty()) out_ += "  and " + names(eviction.after) + " when those before have finished\n";
    if (eviction.at_once.empty() && eviction.after.empty())
      out_ += "  then nothing is held in vain; none of the evicted fits as things are\n";
    out_ += "  controllers make evicted pods again: stop or suspend theirs first, or the same can come about again\n";
  }

  void write_others() {
    for (const GangState state : {GangState::Undecided, GangState::Starts}) {
      const std::vector<const ObservedGang*> gangs = in_state(state);
      if (gangs.empty()) continue;
      section((state == GangState::Undecided ? "not known whether stuck: " : "about to start: ") +
              count_of(gangs.size(), "gang") + "\n");
      write_table(gangs);
      for (std::size_t i = 0; i < std::min(gangs.size(), kGangsShown); ++i)
        out_ += "  " + printable(gangs[i]->name) + ": " + printable(gangs[i]->why) + "\n";
    }
    const std::vector<const ObservedGang*> waiting = in_state(GangState::Waits);
    if (waiting.empty()) return;
    section("waiting, holding nothing: " + count_of(waiting.size(), "gang") + "\n");
    for (std::size_t i = 0; i < std::min(waiting.size(), kGangsShown); ++i) {
      for (std::size_t w = 0; w < std::min(waiting[i]->waits.size(), kWaitsShown); ++w)
        out_ += "  " + printable(waiting[i]->name) + ": " + wait_text(waiting[i]->waits[w]) + "\n";
    }
    if (waiting.size() > kGangsShown)
      out_ += "  and " + std::to_string(waiting.size() - kGangsShown) + " more (--format json has all)\n";
  }

  static std::string job_gpus(const ObservedJob& job) { return job.gpus ? gpus(*job.gpus) : "GPUs unknown"; }

  void write_jobs() {
    std::vector<const ObservedJob*> told;
    for (const ObservedJob& job : observed_.jobs) {
      if (job.stuck || job.stranded) told.push_back(&job);
    }
    if (told.empty()) return;
    std::int64_t held = 0;
    for (const ObservedJob* job : told) held = add_capped(held, job->gpus.value_or(0));
    const bool stuck = std::ranges::any_of(told, [](const ObservedJob* job) { return job->stuck; });
    section((stuck ? "stuck: " : "stranded, though nobody waits for it: ") + count_of(told.size(), "job") +
            (told.size() == 1 ? " holds " : " hold ") + gpus(held) + " in vain\n");
    Columns table;
    table.add({"job", "name", "partition", "state", "holds", "on"});
    for (std::size_t i = 0; i < std::min(told.size(), kGangsShown); ++i) {
      const ObservedJob& job = *told[i];
      std::vector<std::string> nodes;
      for (const std::string& node : job.on) nodes.push_back(printable(node));
      table.add({job.id, printable(job.name), printable(job.partition), printable(job.state), job_gpus(job),
                 some(nodes, kNodesShown)});
    }
    out_ += table.text();
    if (told.size() > kGangsShown)
      out_ += "  and " + std::to_string(told.size() - kGangsShown) + " more (--format json has all)\n";
    for (std::size_t i = 0; i < std::min(told.size(), kGangsShown); ++i) {
      out_ += "\n" + told[i]->id + ": " + printable(told[i]->why) + "\n";
      if (told[i]->stuck) out_ += "  " + told[i]->evict + "\n";
      if (told[i]->stuck && told[i]->stranded)
        out_ +=
            "  `scontrol requeue` keeps it in the queue; `scontrol resume` goes on with one that was suspended by "
            "hand\n";
    }
  }

  void write_never() {
    std::map<std::string, std::vector<std::string>> by_reason;
    std::size_t jobs = 0;
    for (const ObservedJob& job : observed_.jobs) {
      if (!job.never) continue;
      ++jobs;
      by_reason[printable(job.reason) + ": " + job.why].push_back(job.id);
    }
    if (jobs == 0) return;
    section(count_of(jobs, "job") + (jobs == 1 ? " holds nothing and does" : " hold nothing and do") +
            " not start before somebody changes something\n");
    for (const auto& [reason, ids] : by_reason) out_ += "  " + some(ids, kGangsShown) + ": " + reason + "\n";
  }

  void write_gaps() {
    if (!observed_.gaps.empty()) section("not known:\n");
    for (std::size_t i = 0; i < std::min(observed_.gaps.size(), kGangsShown); ++i) {
      const ObservedGap& gap = observed_.gaps[i];
      out_ +=
          "  " + printable(gap.what) + (gap.decides.empty() ? "" : "; `" + printable(gap.decides) + "` tells") + "\n";
    }
    if (observed_.gaps.size() > kGangsShown)
      out_ += "  and " + std::to_string(observed_.gaps.size() - kGangsShown) + " more\n";
    if (!observed_.assumes.empty()) section("taken as given:\n");
    for (std::size_t i = 0; i < std::min(observed_.assumes.size(), kGangsShown); ++i)
      out_ += "  " + printable(observed_.assumes[i]) + "\n";
  }

  void write_summary() {
    std::vector<std::string> parts;
    if (observed_.kubernetes) parts.push_back(count(observed_.pods, "pod"));
    if (observed_.slurm) {
      const auto holding = std::ranges::count_if(observed_.jobs, &ObservedJob::holds);
      const auto waiting =
          std::ranges::count_if(observed_.jobs, [](const ObservedJob& job) { return job.state == "PENDING"; });
      parts.push_back(count_of(observed_.jobs.size(), "job") + " (" + std::to_string(holding) + " with nodes, " +
                      std::to_string(waiting) + " waiting)");
    }
    if (observed_.total_gpus) {
      parts.push_back(std::to_string(observed_.free_gpus.value_or(0)) + " of " + gpus(*observed_.total_gpus) + " free");
    } else {
      parts.push_back(gpus(observed_.held_gpus) + " held");
    }
    section(join(parts, "; ") + "\n");
  }

  const Observed& observed_;
  std::string out_;
};

}  // namespace

std::string observed_text(const Observed& observed) { return Text(observed).run(); }

}  // namespace muster
