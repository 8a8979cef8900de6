#include "pipeline/application_slips.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

class ApplicationSlips {
 public:
  ApplicationSlips(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      const std::string_view all = text(i);
      if (file.reading == Reading::Whole && is_yaml_file(file.context.path) && contains(all, kReplicas) &&
          contains(all, "ignoreDifferences:") && contains(all, "argoproj.io/"))
        look(static_cast<FileId>(i), all);
    }
  }

 private:
  static constexpr std::string_view kReplicas = "/spec/replicas";

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// Source: argoproj/argo-cd:docs/user-guide/sync-options.md, Respect ignore differences configs (3.2).
  void look(FileId file, std::string_view all) {
    // Charts leave `replicas` out where they scale themselves.
    constexpr std::array<std::string_view, 4> kFine{"{{- ", "autoscaling:", "autoscaling.", "valueFiles"};
    for (const Span& piece : split_yaml_documents(file, all)) {
      const std::string_view written = all.substr(piece.begin, piece.end - piece.begin);
      if (!contains(written, kReplicas) ||
          std::ranges::any_of(kFine, [&](std::string_view one) { return contains(written, one); }))
        continue;
      Document document;
      std::vector<Finding> ignored;
      if (!read_yaml(all, piece, document, ignored) || !document.root()["kind"].text().starts_with("Application"))
        continue;
      const Node of_set = document.root()["spec"]["template"]["spec"];
      const Node spec = of_set.exists() ? of_set : document.root()["spec"];
      const Node pointer = ignored_number(spec["ignoreDifferences"]);
      if (!pointer.exists() || syncs_otherwise(spec["syncPolicy"]["syncOptions"]) ||
          applies_no_number(spec["source"]["path"].text()))
        continue;
      findings_.push_back(
          problem("application-ignores-and-applies", pointer.where(),
                  "the number of replicas is ignored where Argo CD compares, and applied all the same where it syncs"));
      return;
    }
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
    if (folder.starts_with("./")) folder.remove_prefix(2);
    if (folder.empty() || folder.find_first_of("{*") != folder.npos || ++folders_ > kMostFolders) return false;
    const std::string below = std::string(folder) + (folder.ends_with('/') ? "" : "/");
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
  int folders_ = 0;  ///< of Applications that were asked
};

}  // namespace

void find_application_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  ApplicationSlips(inputs, findings).run();
}

}  // namespace muster
