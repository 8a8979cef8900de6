#include "pipeline/application_slips.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/argo_objects.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

class ApplicationSlips {
 public:
  ApplicationSlips(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    // Charts leave `replicas` out where they scale themselves.
    constexpr std::array<std::string_view, 10> kFine{
        "{{- ", "autoscaling:", "autoscaling.", "valueFiles", "keda:", "keda.", "keda\"", "hpa:", "hpa.", "hpa\""};
    const auto wants = [&](std::string_view written) {
      return contains(written, kReplicas) && contains(written, "ignoreDifferences") &&
             std::ranges::none_of(kFine, [&](std::string_view one) { return contains(written, one); });
    };
    each_argo_object(inputs_, wants, [&](FileId file, std::string_view, const Node& object) { look(file, object); });
  }

 private:
  static constexpr std::string_view kReplicas = "/spec/replicas";

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// Source: argoproj/argo-cd:docs/user-guide/sync-options.md, Respect ignore differences configs (3.2).
  void look(FileId file, const Node& object) {
    if (file == said_ || !object["kind"].text().starts_with("Application")) return;
    const Node of_set = object["spec"]["template"]["spec"];
    const Node spec = of_set.exists() ? of_set : object["spec"];
    const Node pointer = ignored_number(spec["ignoreDifferences"]);
    if (!pointer.exists() || syncs_otherwise(spec["syncPolicy"]["syncOptions"]) ||
        applies_no_number(spec["source"]["path"].text()))
      return;
    findings_.push_back(
        problem("application-ignores-and-applies", pointer.where(),
                "the number of replicas is ignored where Argo CD compares, and applied all the same where it syncs"));
    said_ = file;
  }

  static Node ignored_number(const Node& differences) {
    for (std::size_t i = 0; differences.is_sequence() && i < differences.size(); ++i) {
      const Node pointers = differences.item(i)["jsonPointers"];
      for (std::size_t p = 0; pointers.is_sequence() && p < pointers.size(); ++p) {
        if (pointers.item(p).text() == kReplicas) return pointers.item(p);
      }
    }
    return {};
  }

  static bool syncs_otherwise(const Node& options) {
    for (std::size_t i = 0; options.is_sequence() && i < options.size(); ++i) {
      const std::string_view one = options.item(i).text();
      if (one == "RespectIgnoreDifferences=true" || one == "ApplyOutOfSyncOnly=true") return true;
    }
    return false;
  }

  /// Whether the folder that an Application names is here, needs nothing outside of it, and sets no number.
  bool applies_no_number(std::string_view folder) {
    constexpr int kMostFolders = 200;
    folder = folder_of_application(folder);
    if (folder.empty() || folder.find_first_of("{*") != folder.npos || ++folders_ > kMostFolders) return false;
    const std::string below = std::string(folder) + "/";
    bool any = false;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (!path.starts_with(below) && !contains(path, "/" + below)) continue;
      const std::string_view name = last_part(path);
      const bool builds = name == "Chart.yaml" || contains(name, "json");
      const bool reaches_out =
          name.starts_with("kustomization.") &&
          (contains(text(i), "../") || contains(text(i), "://") || contains(text(i), "github.com"));
      if (builds || reaches_out || contains(text(i), "replicas")) return false;
      any = any || is_yaml_file(path);
    }
    return any;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  FileId said_ = FileId::None;  ///< the file of which something was said: once
  int folders_ = 0;             ///< of Applications that were asked
};

}  // namespace

void find_application_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  ApplicationSlips(inputs, findings).run();
}

}  // namespace muster
