#include "lint/lint.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "base/check.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "decide/decide.h"
#include "facts/types.h"
#include "lint/judgement.h"
#include "lint/pointed.h"
#include "lint/release_words.h"
#include "lint/share.h"

namespace muster {
namespace {

constexpr std::string_view kTooMuch = "a run over fewer files: from here on, the rule had too much to compare";

bool holds(const Version& version, const VersionRange& range) {
  return range.op == Op::Less ? version < range.version : version >= range.version;
}

/// Of one collection. Findings in pieces: a hundred thousand of them in one would stand twice while they grow, and
/// where many objects were let go there is room for pieces.
struct Judged {
  std::deque<Finding> findings;
  LintResult rest;
};

const std::string kSlurm = "slurm";

class Linter {
 public:
  explicit Linter(const LintInput& input) : input_(input), targets_(input.targets) {
    std::erase_if(targets_, [&](const auto& target) {
      const Version* since = input.book.known_since(target.first);
      return since != nullptr && target.second < *since && older_.insert(target.first).second;
    });
    all_targets_ = targets_;
    all_older_ = older_;
    sites_differ_ = std::ranges::any_of(input.model.slurm_sites, [](const SlurmSite& one) { return !!one.release; });
    functions_ = decision_functions(input.decisions);
    context_.read = {&input.model, &targets_, &arena_, &input.book.slurm_keys()};
    context_.functions = &functions_;
    context_.slots.resize(2);
    context_.slots[1] = Value::object(&target_type(), &target_type());
  }

  /// All rules of a collection over some objects, then the next: neither the objects nor the rules fit into a
  /// processor's cache when there are many, and reading both from memory again and again is most of the cost.
  Judged run(const Share& share) {
    const Collection& collection = *share.collection;
    const std::vector<const void*>& objects = share.objects;
    const std::uint64_t most_steps = input_.most_steps / share.stretches;
    RuleSet same;
    for (const Rule* rule : share.rules) {
      same.rules.push_back({rule, open_targets_of(*rule), {}});
      add_conditions(same);
    }
    ObjectBlock block(*collection.element);
    for (std::size_t begin = 0; begin < objects.size(); begin += ObjectBlock::kMost) {
      block.fill(std::span(objects).subspan(begin, std::min(ObjectBlock::kMost, objects.size() - begin)));
      for (auto& [text, condition] : same.conditions) condition.asked = condition.fails = 0;
      for (Prepared& one : same.rules) {
        if (one.steps > most_steps) continue;
        const std::uint64_t before = steps();
        open_targets_ = &one.open_targets;
        for (ObjectSet left = candidates(one, block); left != 0; left &= left - 1) {
          visit(*one.rule, objects[begin + static_cast<std::size_t>(std::countr_zero(left))]);
        }
        one.steps += steps() - before;
        if (one.steps > most_steps) give_up(*one.rule, objects[begin]);
      }
    }
    return {std::move(found_), std::move(out_)};
  }

 private:
  /// A condition and what is known of it for the block under way; rules that ask the same share it.
  struct Condition {
    const Expr* expr;
    std::size_t nodes_by_object = expr->nodes_by_object();
    ObjectSet asked = 0;
    ObjectSet fails = 0;
  };

  struct Prepared {
    const Rule* rule;
    std::vector<std::string> open_targets;
    std::vector<Condition*> conditions;  ///< those that are the same in every release
    std::uint64_t steps = 0;             ///< of evaluation, so far
  };

  /// The rules of one collection.
  struct RuleSet {
    std::vector<Prepared> rules;
    std::map<std::string, Condition> conditions;  ///< by variable and text
  };

  static void add_conditions(RuleSet& set) {
    Prepared& one = set.rules.back();
    for (const Expr& condition : one.rule->when) {
      if (!one.open_targets.empty() && !condition.targets().empty()) continue;
      std::string key = one.rule->variable + " " + std::string(condition.text());
      if (!condition.params().empty()) key += " " + one.rule->info.id;  // has its own values
      one.conditions.push_back(&set.conditions.try_emplace(std::move(key), Condition{&condition}).first->second);
    }
    // What is cheap to ask may leave no object for the rest.
    std::ranges::stable_sort(one.conditions, {}, [](const Condition* condition) { return condition->nodes_by_object; });
  }

  /// Targets the rule depends on whose version nobody gave.
  std::vector<std::string> open_targets_of(const Rule& rule) const {
    std::set<std::string> names = rule.targets;
    for (const VersionRange& range : rule.applies) names.insert(range.target);
    std::erase_if(
        names, [&](const std::string& name) { return targets_.contains(name) && !(sites_differ_ && name == kSlurm); });
    return {names.begin(), names.end()};
  }

  /// Objects of the block that a rule may have something to say about. It is quiet as soon as one condition is false,
  /// whatever the others are; a trace tells that, too.
  ObjectSet candidates(const Prepared& one, ObjectBlock& block) {
    ObjectSet left = block.all();
    if (input_.trace != nullptr) return left;
    for (Condition* condition : one.conditions) {
      if (const ObjectSet news = left & ~condition->asked; news != 0) {
        arena_.reset();
        condition->fails |= condition->expr->decided(block, news, false, context_);
        condition->asked |= news;
      }
      left &= ~condition->fails;
      if (left == 0) break;
    }
    return left;
  }

  /// The site that an object is or belongs to.
  const SlurmSite* site_of(const Rule& rule, const void* object) {
    const ObjectType* element = rule.collection->element;
    if (element == &kSlurmSiteType) return static_cast<const SlurmSite*>(object);
    const Field* field = element->find("site");
    if (field == nullptr || field->type.object != &kSlurmSiteType) return nullptr;
    return static_cast<const SlurmSite*>(field->read(object, context_.read).object_data());
  }

  /// A site may state a release of its own.
  void take_release(const Rule& rule, const void* object) {
    targets_ = all_targets_;
    older_ = all_older_;
    vague_.clear();
    const SlurmSite* site = site_of(rule, object);
    if (site == nullptr || !site->release) return;
    const Version* since = input_.book.known_since(kSlurm);
    targets_.erase(kSlurm);
    older_.erase(kSlurm);
    if (since != nullptr && *site->release < *since) {
      older_.insert(kSlurm);
      site->release->is_rough() ? void(vague_.insert(kSlurm)) : void(vague_.erase(kSlurm));
    } else {
      targets_.insert_or_assign(kSlurm, *site->release);
    }
  }

  void visit(const Rule& rule, const void* object) {
    reset(rule, object);
    if (sites_differ_) take_release(rule, object);
    const Judgement judgement = judge_releases(rule, object, 0);
    if (input_.trace == nullptr && judgement.verdict == RuleVerdict::Quiet) return;
    reset(rule, object);
    if (input_.trace != nullptr && stands_on_line(rule, object)) trace(rule, object, judgement);
    if (judgement.verdict == RuleVerdict::Quiet) return;
    judgement.verdict == RuleVerdict::Fires ? report(rule, object, judgement) : leave_open(rule, object, judgement);
  }

  void reset(const Rule& rule, const void* object) {
    arena_.reset();
    context_.begin_evaluation();
    context_.slots[0] = Value::object(rule.collection->element, object);
  }

  /// The same verdict in every release stands. Where it fires in some and is quiet in the others, the releases are part
  /// of what it says; where more is open, the version is what is missing.
  Judgement judge_releases(const Rule& rule, const void* object, std::size_t t) {
    if (t == open_targets_->size()) return judge(rule);
    const std::string& target = (*open_targets_)[t];
    if (targets_.contains(target)) return judge_releases(rule, object, t + 1);
    const std::vector<Version>& releases = input_.book.releases(target);
    std::optional<Judgement> common;
    std::vector<bool> fires;
    bool differ = false;
    bool more_open = false;
    for (const Version& release : releases) {
      targets_[target] = release;
      reset(rule, object);
      Judgement judgement = judge_releases(rule, object, t + 1);
      fires.push_back(judgement.verdict == RuleVerdict::Fires);
      more_open = more_open || judgement.verdict == RuleVerdict::Open || !judgement.releases.empty();
      differ = differ || (common && common->verdict != judgement.verdict);
      if (fires.back()) judgement.shown[target] = release;
      const bool grave = fires.back() && (!common || common->verdict != RuleVerdict::Open);
      if (!common || judgement.verdict == RuleVerdict::Open || grave) common = std::move(judgement);
    }
    const bool between = differ && !more_open && fires.front() && !fires.back() && begins_there(rule, object, target);
    targets_.erase(target);
    if (!common) return judge(rule);
    if (between && older_.contains(target)) return {};
    bool only_later = older_.contains(target) && common->verdict == RuleVerdict::Fires;
    if (only_later && !differ && holds_always(rule, object)) {
      only_later = false;
      common->always = true;
    }
    if ((differ || only_later) && !more_open) {
      common->releases = release_words(target, releases, fires, between);
      common->newest = fires.back();
      common->later = only_later;
      common->vague = vague_.contains(target);
    } else if (differ || (more_open && common->verdict == RuleVerdict::Fires)) {
      common->verdict = RuleVerdict::Open;
      common->needs.insert("the version of " + target);
    }
    return std::move(*common);
  }

  /// Whether the first release that the book knows brought it.
  bool begins_there(const Rule& rule, const void* object, const std::string& target) {
    targets_.insert_or_assign(target, Version());
    reset(rule, object);
    return judge(rule).verdict == RuleVerdict::Quiet;
  }

  Judgement judge(const Rule& rule) {
    Judgement out;
    for (const VersionRange& range : rule.applies) {
      const auto version = targets_.find(range.target);
      if (version != targets_.end() && !holds(version->second, range)) return out;
    }
    bool open = false;
    for (const Expr& condition : rule.when) {
      const Value value = condition.eval(context_);
      if (value.is(Value::Kind::Unknown)) {
        add_needs(value, out.needs);
        open = true;
      } else if (value.is(Value::Kind::Error)) {
        // A condition that fails on an object says nothing about it; the guards of the lines above are not evaluated
        // away, so an unknown line before it is the usual reason.
        if (open) continue;
        out.needs.insert(std::string(kNeedsEvaluation) + std::string(value.as_error().message));
        open = true;
      } else if (!value.as_bool()) {
        return {};
      }
    }
    out.verdict = open ? RuleVerdict::Open : RuleVerdict::Fires;
    return out;
  }

  /// The first case whose condition holds; an unknown condition passes on to the next, milder one.
  template <class T>
  T pick(const ByCase<T>& by_case) {
    for (const auto& candidate : by_case.cases) {
      if (!candidate.when) return candidate.is;
      const Value value = candidate.when->eval(context_);
      if (value.is(Value::Kind::Bool) && value.as_bool()) return candidate.is;
    }
    MUSTER_CHECK(false, "the last case of a rule has a condition");
  }

  /// The gravest severity it could have, as long as a condition is unknown.
  Severity gravest(const ByCase<Severity>& by_case) {
    Severity worst = Severity::Info;
    for (const auto& candidate : by_case.cases) {
      const Value value = candidate.when ? candidate.when->eval(context_) : Value::of(true);
      const bool holds = value.is(Value::Kind::Bool) && value.as_bool();
      if (holds || value.is(Value::Kind::Unknown)) worst = std::min(worst, candidate.is);
      if (holds) break;
    }
    return worst;
  }

  bool holds_always(const Rule& rule, const void* object) {
    if (!rule.always) return false;
    reset(rule, object);
    const Value value = rule.always->eval(context_);
    return value.is(Value::Kind::Bool) && value.as_bool();
  }

  /// What depends on the release may be otherwise here: at most a warning, and worth knowing where only older ones do
  /// it, or only those to which one may move.
  Severity severity_of(const Rule& rule, const Judgement& judgement) {
    const Severity severity = pick(rule.severity);
    if (judgement.always) return std::max(severity, Severity::Warning);
    if (judgement.releases.empty()) return severity;
    const bool now = judgement.newest && (!judgement.later || (judgement.vague && severity == Severity::Error));
    return now ? std::max(severity, Severity::Warning) : Severity::Info;
  }

  Span place_of(const Rule& rule, const void* object) {
    const Span where = pointed_at(rule, context_);
    return where.placed() ? where : rule.collection->element->where(object);
  }

  void report(const Rule& rule, const void* object, const Judgement& judgement) {
    const Severity severity = severity_of(rule, judgement);
    if (!judgement.newest && pick(rule.severity) == Severity::Info) return;
    // Words may need a release that nobody gave.
    for (const auto& [target, release] : judgement.shown) targets_.insert_or_assign(target, release);
    Finding finding = problem({}, place_of(rule, object), rule.message->render(context_));
    finding.rule = texts_.like(rule.info.id);
    if (!judgement.releases.empty()) finding.message += " (" + judgement.releases + ")";
    finding.object = rule.collection->element->id(object, context_.read);
    if (rule.follows) finding.follows = texts_.like(rule.follows->render(context_));
    if (rule.help) finding.help = texts_.like(rule.help->render(context_));
    if (rule.at) {
      const Value at = rule.at->eval(context_);
      if (at.origin() != nullptr) finding.field = texts_.like(at.origin()->field);
    }
    for (const RelatedTemplate& related : rule.related) {
      if (related.when) {
        const Value shown = related.when->eval(context_);
        if (!shown.is(Value::Kind::Bool) || !shown.as_bool()) continue;
      }
      const Span where = related.at.place(context_);
      if (where.placed() && where != finding.where)
        finding.related.push_back({where, texts_.like(related.message.render(context_))});
    }
    if (!rule.fixes.empty() && !is_older(rule, object)) finding.fix = fix_of(rule, finding.where, judgement);
    for (const auto& [target, release] : judgement.shown) targets_.erase(target);
    finding.severity = severity;
    std::set<std::string> assumes;
    for (const Expr& condition : rule.when) assumes.merge(condition.assumptions(context_));
    finding.assumes = std::vector<std::string>(assumes.begin(), assumes.end());
    // What rests on how software is shipped may be otherwise here.
    if (!assumes.empty()) finding.severity = std::max(finding.severity, Severity::Warning);
    finding.effect = pick(rule.effect);
    finding.plane = rule.info.plane;
    std::vector<std::size_t> entries;
    for (const ObjectSuppression& suppression : input_.suppressions) {
      if (suppression.rule != rule.info.id) continue;
      const Value covered = suppression.where.eval(context_);
      if (covered.is(Value::Kind::Bool) && covered.as_bool()) entries.push_back(suppression.entry);
    }
    if (entries.empty()) return found_.push_back(std::move(finding));
    out_.covered.push_back({std::move(finding), std::move(entries)});
  }

  /// Whether a release is stated of which nobody read what it takes: what the rule would write may be no word of it
  /// yet, and what it would take out is read.
  bool is_older(const Rule& rule, const void* object) {
    return older_.contains(kSlurm) && (rule.targets.contains(kSlurm) || site_of(rule, object) != nullptr);
  }

  std::optional<Fix> fix_of(const Rule& rule, Span where, const Judgement& judgement) {
    for (const FixTemplate& one : rule.fixes) {
      std::optional<Fix> fix = fix_by(one, where);
      if (!fix) continue;
      // In another release it may have been read.
      fix->safety = judgement.releases.empty() ? *rule.info.fix : FixSafety::Unsafe;
      return fix;
    }
    return std::nullopt;
  }

  std::optional<Fix> fix_by(const FixTemplate& how, Span where) {
    for (const Expr& condition : how.when) {
      const Value value = condition.eval(context_);
      if (!value.is(Value::Kind::Bool) || !value.as_bool()) return std::nullopt;
    }
    Fix fix{.where = where, .everywhere = how.everywhere, .remove = how.remove};
    if (how.at) fix.where = how.at->place(context_);
    if (how.replace) fix.from = std::string_view(how.replace->render(context_));  // without its spare room
    if (how.with) fix.to = std::string_view(how.with->render(context_));
    if (how.before) fix.before = how.before->place(context_);
    if (how.before && !fix.before.placed()) return std::nullopt;
    fix.remove = fix.remove && (fix.to.empty() || how.before);
    const bool nothing = !fix.remove && fix.to.empty();
    return nothing || !fix.where.placed() ? std::nullopt : std::optional(std::move(fix));
  }

  void leave_open(const Rule& rule, const void* object, const Judgement& judgement) {
    if (rule.judges_spelling || gravest(rule.severity) == Severity::Info) return;
    out_.undecided.push_back({rule.info.id,
                              rule.collection->element->id(object, context_.read),
                              place_of(rule, object),
                              {judgement.needs.begin(), judgement.needs.end()}});
  }

  std::uint64_t steps() const { return context_.steps_before + context_.steps; }

  /// A rule that compares all objects with all others would take hours for a hundred thousand of each.
  void give_up(const Rule& rule, const void* object) {
    reset(rule, object);
    out_.undecided.push_back({rule.info.id,
                              rule.collection->element->id(object, context_.read),
                              place_of(rule, object),
                              {std::string(kTooMuch)}});
  }

  // --- why it did or did not fire ---

  bool stands_on_line(const Rule& rule, const void* object) {
    const TraceRequest& request = *input_.trace;
    for (const Span& where : {place_of(rule, object), rule.collection->element->where(object)}) {
      if (!where.placed() || where.file != request.file) continue;
      if (request.sources.begin_of(where).line <= request.line && request.line <= request.sources.end_of(where).line)
        return true;
    }
    return false;
  }

  void trace(const Rule& rule, const void* object, const Judgement& judgement) {
    RuleTrace out;
    out.rule = rule.info.id;
    out.object = rule.collection->element->id(object, context_.read);
    out.outcome = judgement.verdict == RuleVerdict::Fires  ? RuleTrace::Outcome::Fires
                  : judgement.verdict == RuleVerdict::Open ? RuleTrace::Outcome::Open
                                                           : RuleTrace::Outcome::Quiet;
    out.needs.assign(judgement.needs.begin(), judgement.needs.end());
    for (const Expr& condition : rule.when) {
      const Value value = condition.eval(context_);
      ConditionTrace step{std::string(condition.text()), ConditionState::Open, condition.reads(context_), {}};
      if (value.is(Value::Kind::Bool)) step.state = value.as_bool() ? ConditionState::Holds : ConditionState::Fails;
      std::set<std::string> needs;
      if (value.is(Value::Kind::Unknown)) add_needs(value, needs);
      step.needs.assign(needs.begin(), needs.end());
      out.conditions.push_back(std::move(step));
      if (out.conditions.back().state == ConditionState::Fails) break;
    }
    const bool all_hold = std::ranges::all_of(
        out.conditions, [](const ConditionTrace& step) { return step.state == ConditionState::Holds; });
    if (out.outcome == RuleTrace::Outcome::Quiet && all_hold) out.outcome = RuleTrace::Outcome::OtherVersion;
    out_.traces.push_back(std::move(out));
  }

  const LintInput& input_;
  std::deque<Finding> found_;
  LintResult out_;
  Targets targets_;
  Targets all_targets_;  ///< as given, where sites differ
  std::set<std::string> all_older_;
  std::set<std::string> vague_;  ///< older targets whose release a site's own files tell roughly
  bool sites_differ_ = false;
  std::set<std::string> older_;  ///< targets of which an older release runs than the rules know
  const std::vector<std::string>* open_targets_ = nullptr;  ///< of the rule under way
  DomainFunctions functions_;
  Arena arena_;
  TextPool texts_;
  EvalContext context_;
};

constexpr std::size_t kWorthThreads = 100'000;  ///< of a rule over an object; some milliseconds

/// A rule that gave up in several stretches of objects says so at the first.
void drop_given_up_again(std::vector<Undecided>& undecided) {
  std::set<std::string> said;
  std::erase_if(undecided, [&](const Undecided& one) {
    return one.needs.size() == 1 && one.needs.front() == kTooMuch && !said.insert(one.rule).second;
  });
}

}  // namespace

LintResult lint(const LintInput& input) {
  const std::vector<Share> shares = shares_of(input);
  std::size_t judgements = 0;
  for (const Share& share : shares) judgements += share.objects.size() * share.rules.size();
  const std::vector<std::size_t> order = manifests_first(shares);
  std::atomic<std::ptrdiff_t> left = std::ranges::count_if(shares, &Share::of_manifests);
  std::vector<Judged> results(shares.size());
  in_parallel(shares.size(), judgements < kWorthThreads ? 1 : input.threads, [&](std::size_t k) {
    const Share& share = shares[order[k]];
    results[order[k]] = Linter(input).run(share);
    if (share.of_manifests() && --left == 0 && input.behind_manifests) input.behind_manifests();
  });
  LintResult out;
  std::size_t most = 1000;  // others are added: to move all once more would take as much room again
  for (const Judged& result : results) most += result.findings.size();
  out.findings.reserve(most);
  for (auto& [findings, rest] : results) {
    for (; !findings.empty(); findings.pop_front()) out.findings.push_back(std::move(findings.front()));
    std::ranges::move(rest.covered, std::back_inserter(out.covered));
    std::ranges::move(rest.undecided, std::back_inserter(out.undecided));
    std::ranges::move(rest.traces, std::back_inserter(out.traces));
  }
  drop_given_up_again(out.undecided);
  std::ranges::stable_sort(out.traces, {}, &RuleTrace::rule);
  return out;
}

}  // namespace muster
