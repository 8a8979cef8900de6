#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

#include "lsp/asked_place.h"
#include "lsp/folder_check.h"
#include "lsp/open_documents.h"

namespace muster {

struct ServerSettings {
  std::string version;
  std::string rules_url;  ///< where the reference of the rules is published; empty: nowhere
};

/// The language server as a machine: messages go in, messages and checks that are due come out. It reads no clock and
/// starts no thread; lsp/serve.h gives it both. Source: Language Server Protocol 3.17.
class Server {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Send = std::function<void(const std::string& message)>;
  using Stop = std::function<void(std::uint64_t job)>;

  /// `send` has each message for the client, `stop` the number of a check that is made in vain.
  Server(ServerSettings settings, Send send, Stop stop)
      : settings_(std::move(settings)), send_(std::move(send)), stop_(std::move(stop)) {}

  /// One message of the client.
  void receive(const std::string& message, Time now);
  /// When the next check is due; nothing while one is made or none is asked for.
  std::optional<Time> due() const;
  /// The check that is due by now, if one is. Until its outcome is taken there is no other.
  std::optional<CheckJob> next_job(Time now);
  void take(FolderOutcome outcome, Time now);

  /// Whether the client said exit.
  bool ended() const { return state_ == State::Ended; }
  /// 0 where shutdown came before exit.
  int exit_code() const { return exit_code_; }
  /// Asks a check that is being made to stop.
  void stop_checks();

 private:
  enum class State { Fresh, Running, ShutDown, Ended };
  struct Folder {
    std::string path;  ///< absolute
    std::optional<Time> due;
    std::optional<Time> touched;                     ///< the last time by an editor
    std::optional<std::set<std::string>> changed;    ///< since the last check, as they are shown; nullopt: anything
    std::optional<std::set<std::string>> looked_at;  ///< what the check that is being made was told of that
    int stopped = 0;                                 ///< checks in a row that did not come to their end
    std::chrono::steady_clock::duration took{};      ///< the last that did
    FolderFindings findings;
    std::uint64_t known = 0;                        ///< the job they are of; 0: none
    std::map<std::string, std::int64_t> published;  ///< by path: the version that findings were published for
    std::string error;                              ///< of the last check
  };
  struct Answer;
  struct Method;

  void answer(const nlohmann::json& message, const Method* method, Time now);
  void fail(const nlohmann::json& id, int code, const std::string& words);
  void notify(const std::string& method, nlohmann::json params);
  Answer initialize(const nlohmann::json& params, Time now);
  Answer shut_down(const nlohmann::json& params, Time now);
  Answer hover_at(const nlohmann::json& params, Time now);
  Answer definition_at(const nlohmann::json& params, Time now);
  Answer actions_in(const nlohmann::json& params, Time now);
  Answer complete_at(const nlohmann::json& params, Time now);
  Answer initialized(const nlohmann::json& params, Time now);
  Answer exit(const nlohmann::json& params, Time now);
  Answer ignore(const nlohmann::json& params, Time now);
  Answer did_open(const nlohmann::json& params, Time now);
  Answer did_change(const nlohmann::json& params, Time now);
  Answer did_save(const nlohmann::json& params, Time now);
  Answer did_close(const nlohmann::json& params, Time now);
  Answer did_change_folders(const nlohmann::json& params, Time now);
  Answer did_change_files(const nlohmann::json& params, Time now);

  void add_folder(const std::string& uri, Time now);
  void remove_folder(const std::string& uri);
  /// The innermost open folder that holds a path.
  Folder* folder_of_path(const std::string& path);
  void touch(const std::string& path, Time now);
  void touch_all(const std::string& path, Time now);
  enum class Extent { All, Difference };
  void take_findings(Folder& folder, FolderFindings found, Extent extent);
  void publish(const std::string& path, const Folder& folder, const std::vector<PlacedFinding>& findings);
  std::string uri_of(const std::string& path) const;
  std::optional<AskedPlace> place_of(const nlohmann::json& params, const TextPosition& at);

  ServerSettings settings_;
  Send send_;
  Stop stop_;
  State state_ = State::Fresh;
  int exit_code_ = 1;
  PositionEncoding encoding_ = PositionEncoding::Utf16;
  ClientAbilities client_;
  OpenDocuments documents_;
  std::map<std::string, Folder> folders_;  ///< by path
  std::string checking_;                   ///< the folder that is being checked; empty: none
  std::uint64_t job_ = 0;                  ///< the last one
};

}  // namespace muster
