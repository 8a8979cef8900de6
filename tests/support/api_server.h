#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/files.h"
#include "support/json.h"
#include "syntax/document.h"

namespace muster::test {

/// A program that scripts/kubernetes built into MUSTER_KUBERNETES, else build/kubernetes; nothing if it is not there.
std::optional<std::string> kubernetes_program(const std::string& name);

/// Those of the programs that are not there, as words for a skipped test; empty: all are.
std::string missing_programs(const std::vector<std::string>& names);

/// An object for the API server: YAML or JSON of one document.
struct ManifestText {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;  ///< empty: default
  std::string text;
};

/// What the API server says to one object.
struct ServerVerdict {
  enum class Says { Accepted, Refused, NoSuchKind } says = Says::NoSuchKind;
  std::string message;                ///< why it is refused
  std::vector<std::string> warnings;  ///< that it says beside
};

/// etcd and kube-apiserver on loopback, in a folder of their own. They end with the object, and the folder goes.
/// Priority and runtime classes, namespaces and service accounts that an object names need not exist.
class ApiServer {
 public:
  ApiServer();
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// One for all tests of a run, started by the first; nullptr if it does not come up.
  static ApiServer* shared();
  /// The same with the custom kinds of the reference material; says so and skips them where that is absent.
  static ApiServer* shared_with_custom_kinds();
  /// Waits until it answers; false after two minutes.
  bool come_up();
  /// Starts Volcano's webhook beside it for Jobs and Queues; false if it does not answer in a minute.
  bool start_volcano_webhook();
  /// Starts kube-controller-manager beside it with that one controller.
  void start_controller(const std::string& name);

  /// Status code and body of a request.
  std::pair<int, nlohmann::json> ask(const std::string& method, const std::string& path, const std::string& body = "",
                                     const std::string& type = "application/json") const;
  /// Installs the CustomResourceDefinitions in a folder; those of one name become one. Returns what was refused.
  std::vector<std::string> add_custom_kinds(const std::string& folder);
  /// What it says to each object, in order, without keeping one: strict validation, as kubectl asks for.
  std::vector<ServerVerdict> judge(const std::vector<ManifestText>& objects) const;

  bool knows(const std::string& api_version, const std::string& kind) const {
    return kinds_.contains({api_version, kind});
  }

 private:
  struct Place {
    std::string path;  ///< /apis/batch/v1
    std::string plural;
    bool namespaced = false;
  };
  void learn_kinds();
  std::string write_kubeconfig() const;  ///< its path
  void start(const std::string& program, const std::vector<std::string>& arguments);
  std::string curl(const std::string& arguments) const;

  TemporaryFolder folder_;
  int port_ = 0;  ///< of etcd; its peers' is one above, the API server's two
  std::vector<pid_t> running_;
  std::map<std::pair<std::string, std::string>, Place> kinds_;
};

/// The objects of a text, items of lists included, with the line at which each document begins.
struct ManifestAt {
  ManifestText manifest;
  int first_line = 1;
  int last_line = 1;
};
std::vector<ManifestAt> manifests_in(const std::string& text);

}  // namespace muster::test
