// The check of what makes nodes: cluster-autoscaler, Karpenter, EKS Auto Mode, and what node pools say of it.
#include "base/strings.h"
#include "review/readiness.h"

namespace muster {
namespace {

/// A flag in the command line of some container, not switched off.
bool has_flag(const WrittenValue& containers, std::string_view flag) {
  for (const WrittenValue& container : containers.items()) {
    for (const char* list : {"command", "args"}) {
      const WrittenValue* words = container.find(list);
      if (words == nullptr) continue;
      const bool found = std::ranges::any_of(words->items(), [&](const WrittenValue& word) {
        return word.text().starts_with(flag) && !word.text().ends_with("=false");
      });
      if (found) return true;
    }
  }
  return false;
}

/// What Karpenter is told by values of its chart: a row's `settings.enableDRA=true`.
std::optional<bool> told_by_values(const Manifest& release, std::string_view setting) {
  const std::string_view path = setting.substr(0, setting.find('='));
  const std::optional<bool> said = flag_at(release, "values", {"settings", path.substr(path.find('.') + 1)});
  return said ? std::optional(*said == setting.ends_with("=true")) : std::nullopt;
}

std::string said_by(const DeviceAutoscaler& row) {
  return std::string(row.name) + " " + std::string(row.says) + " (" + std::string(row.source) + ")";
}

std::optional<Version> release_of_image(const Manifest& one) {
  const WrittenValue& containers = one.part("containers");
  const WrittenValue* written = containers.items().empty() ? nullptr : containers.items().front().find("image");
  const std::string image(written == nullptr ? std::string_view() : written->text());
  const std::string tag = image.substr(image.rfind(':') + 1);
  return Version::parse(tag.substr(0, tag.find('@')));
}

CheckFound judge_cluster_autoscaler(const DraInput& input, const Manifest& one) {
  const std::optional<Version> release = release_of_image(one);
  const std::string is = "cluster-autoscaler" + (release ? " `" + release->text() + "`" : std::string());
  if (!release) return {CheckResult::Unknown, is + ", whose release is not said", input.place(one.where)};
  const DeviceAutoscaler* row = autoscaler_row("cluster-autoscaler", &*release);
  const bool tried = row->has == ClaimScaling::Told && has_flag(one.part("containers"), row->setting);
  return {row->has == ClaimScaling::On ? CheckResult::Pass : CheckResult::Fail,
          is + "; claims are supported from 1.35 on" + (tried ? ", and on trial here by its flag" : ""),
          input.place(one.where)};
}

CheckFound judge_auto_mode(const DraInput& input, const Manifest& pool) {
  const DevicePlatform* row = platform_row("eks-auto-mode", input.release("kubernetes"));
  const std::string is = "NodePool `" + pool.name.value + "` is of EKS Auto Mode";
  if (row == nullptr)
    return {CheckResult::Unknown,
            is + ", which has DRA from Kubernetes " + std::string(*platform_claims_from("eks-auto-mode")) +
                " on; the release is not said",
            input.place(pool.where)};
  return {row->has == PlatformGate::None ? CheckResult::Fail : CheckResult::Pass, is + "; " + words_of_platform(*row),
          input.place(pool.where)};
}

/// What installs Karpenter, and the release that it has of it.
struct Karpenter {
  const Manifest* chart = nullptr;
  std::optional<Version> release;
  ReviewPlace place;
};

Karpenter find_karpenter(const DraInput& input) {
  for (const Manifest* one : input.objects("helm_releases")) {
    const std::string_view chart = one->part("chart").text();
    if (chart != "karpenter" && !chart.ends_with("/karpenter")) continue;
    return {one, Version::parse(one->part("version").text()), input.place(one->where)};
  }
  for (const Manifest* one : input.objects("deployments")) {
    if (one->name.value == "karpenter") return {nullptr, release_of_image(*one), input.place(one->where)};
  }
  return {};
}

CheckFound judge_karpenter(const Karpenter& found, const std::string& is, const ReviewPlace& place) {
  const DeviceAutoscaler* row = autoscaler_row("karpenter", found.release ? &*found.release : nullptr);
  if (row == nullptr)
    return {CheckResult::Unknown,
            is + ": Karpenter passes over pods with claims unless `settings.ignoreDRARequests` is false, from AWS 1.15 "
                 "on with `settings.enableDRA`; its release is not said",
            place};
  const std::string which = is + ": Karpenter `" + found.release->text() + "`; ";
  if (row->has == ClaimScaling::None) return {CheckResult::Fail, which + said_by(*row), place};
  const std::optional<bool> told = found.chart == nullptr ? std::nullopt : told_by_values(*found.chart, row->setting);
  const bool is_default = found.chart != nullptr && !told;
  if (told == false || is_default)
    return {CheckResult::Fail, which + said_by(*row) + "; `" + std::string(row->setting) + "` is not among its values",
            found.place};
  if (!told) return {CheckResult::Unknown, which + said_by(*row) + "; its values are not in the input", place};
  // AWS names 1.15 as the first that does.
  const bool early = *found.release < *Version::parse("1.15");
  return {early ? CheckResult::Unknown : CheckResult::Pass,
          which + said_by(*row) + (early ? "; AWS names 1.15 as the first that makes nodes for them" : ""),
          found.place};
}

/// What the node pools of the fleet file say, where no file shows the program itself.
std::optional<CheckFound> judge_pools(const DraInput& input) {
  for (const NodePool* pool : input.pools()) {
    const Located<FactValue>& by = pool->fact("autoscaling.by");
    if (!by.known()) continue;
    const std::string& name = std::get<std::string>(by.value);
    const std::string is = "node pool `" + pool->name.value + "` is made by " + name;
    const DeviceAutoscaler* row = autoscaler_row(name, nullptr);
    const ReviewPlace place = input.place(by.where);
    if (row == nullptr) return CheckFound{CheckResult::Unknown, is + ", whose release no file shows", place};
    return CheckFound{row->has == ClaimScaling::None ? CheckResult::Fail : CheckResult::Pass, is + "; " + said_by(*row),
                      place};
  }
  return std::nullopt;
}

}  // namespace

CheckFound check_autoscaler(const DraInput& input) {
  std::vector<CheckFound> all;
  const Karpenter karpenter = find_karpenter(input);
  for (const Manifest* one : input.objects("node_pools")) {
    all.push_back(text_at(*one, "node_class", "group") == "eks.amazonaws.com"
                      ? judge_auto_mode(input, *one)
                      : judge_karpenter(karpenter, "NodePool `" + one->name.value + "`", input.place(one->where)));
  }
  if (all.empty() && (karpenter.chart != nullptr || karpenter.release))
    all.push_back(judge_karpenter(karpenter, "Karpenter", karpenter.place));
  for (const Manifest* one : input.objects("deployments")) {
    if (contains(one->name.value, "cluster-autoscaler")) all.push_back(judge_cluster_autoscaler(input, *one));
  }
  if (all.empty()) {
    if (std::optional<CheckFound> stated = judge_pools(input)) return *stated;
    return {CheckResult::NotNeeded, "no file has an autoscaler of nodes"};
  }
  CheckFound worst = all.front();
  for (const CheckFound& one : all) {
    if (is_worse(one.result, worst.result)) worst = one;
  }
  return worst;
}

}  // namespace muster
