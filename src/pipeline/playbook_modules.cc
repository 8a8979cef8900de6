#include "pipeline/playbook_modules.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

// Parameters, their other names among them, and what `state` may be, where it is one of a few words.
// Source: ansible/ansible:lib/ansible/modules (2.19), what ansible-doc says; yum is dnf there.
constexpr auto kPlaybookModules = std::to_array<PlaybookModule>({
    {"apt",
     "allow-downgrade allow-downgrades allow-unauthenticated allow_change_held_packages allow_downgrade "
     "allow_downgrades allow_unauthenticated auto_install_module_deps autoclean autoremove cache_valid_time "
     "clean deb default-release default_release dpkg_options fail_on_autoremove force force_apt_get install- "
     "recommends install_recommends lock_timeout name only_upgrade package pkg policy_rc_d purge state update- "
     "cache update_cache update_cache_retries update_cache_retry_max_delay upgrade",
     "absent build-dep latest present fixed"},
    {"apt_key", "data file id keyring keyserver state url validate_certs", "absent present"},
    {"apt_repository",
     "codename filename install_python_apt mode repo state update-cache update_cache update_cache_retries "
     "update_cache_retry_max_delay validate_certs",
     "absent present"},
    {"assemble",
     "attr attributes backup decrypt delimiter dest group ignore_hidden mode owner regexp remote_src selevel "
     "serole setype seuser src unsafe_writes validate",
     ""},
    {"assert", "fail_msg msg quiet success_msg that", ""},
    {"blockinfile",
     "append_newline attr attributes backup block content create dest destfile group insertafter insertbefore "
     "marker marker_begin marker_end mode name owner path prepend_newline selevel serole setype seuser state "
     "unsafe_writes validate",
     "absent present"},
    {"command",
     "argv chdir cmd creates expand_argument_vars free_form removes stdin stdin_add_newline strip_empty_ends", ""},
    {"copy",
     "attr attributes backup checksum content decrypt dest directory_mode follow force group local_follow mode "
     "owner remote_src selevel serole setype seuser src unsafe_writes validate",
     ""},
    {"cron",
     "backup cron_file day disabled dom dow env hour insertafter insertbefore job minute month name "
     "special_time state user value weekday",
     "absent present"},
    {"deb822_repository",
     "allow_downgrade_to_insecure allow_insecure allow_weak architectures by_hash check_date check_valid_until "
     "components date_max_future enabled inrelease_path languages mode name pdiffs signed_by state suites "
     "targets trusted types uris",
     "absent present"},
    {"debconf", "answer name pkg question selection setting unseen value vtype", ""},
    {"debug", "msg var verbosity", ""},
    {"dnf",
     "allow_downgrade allowerasing autoremove best bugfix cacheonly conf_file disable_excludes "
     "disable_gpg_check disable_plugin disablerepo download_dir download_only enable_plugin enablerepo exclude "
     "expire-cache install_repoquery install_weak_deps installroot list lock_timeout name nobest pkg "
     "releasever security skip_broken sslverify state update_cache update_only use_backend validate_certs",
     "absent present installed removed latest"},
    {"dnf5",
     "allow_downgrade allowerasing auto_install_module_deps autoremove best bugfix cacheonly conf_file "
     "disable_excludes disable_gpg_check disable_plugin disablerepo download_dir download_only enable_plugin "
     "enablerepo exclude expire-cache install_repoquery install_weak_deps installroot list lock_timeout name "
     "nobest pkg releasever security skip_broken sslverify state update_cache update_only validate_certs",
     "absent present installed removed latest"},
    {"dpkg_selections", "name selection", ""},
    {"expect", "chdir command creates echo removes responses timeout", ""},
    {"fail", "msg", ""},
    {"fetch", "dest fail_on_missing flat src validate_checksum", ""},
    {"file",
     "access_time access_time_format attr attributes dest follow force group mode modification_time "
     "modification_time_format name owner path recurse selevel serole setype seuser src state unsafe_writes",
     "absent directory file hard link touch"},
    {"find",
     "age age_stamp checksum checksum_algo checksum_algorithm contains depth encoding exact_mode exclude "
     "excludes file_type follow get_checksum hidden limit mode name path paths pattern patterns "
     "read_whole_file recurse size use_regex",
     ""},
    {"get_url",
     "attr attributes backup checksum ciphers client_cert client_key decompress dest force force_basic_auth "
     "group headers http_agent mode owner password selevel serole setype seuser timeout tmp_dest "
     "unredirected_headers unsafe_writes url url_password url_username use_gssapi use_netrc use_proxy username "
     "validate_certs",
     ""},
    {"getent", "database fail_key key service split", ""},
    {"git",
     "accept_hostkey accept_newhostkey archive archive_prefix bare clone depth dest executable force "
     "gpg_allowlist gpg_whitelist key_file name recursive reference refspec remote repo separate_git_dir "
     "single_branch ssh_opts track_submodules umask update verify_commit version",
     ""},
    {"group", "force gid gid_max gid_min local name non_unique state system", "absent present"},
    {"hostname", "name use", ""},
    {"iptables",
     "action chain chain_management comment ctstate destination destination_port destination_ports dst_range "
     "flush fragment gateway gid_owner goto icmp_type in_interface ip_version jump limit limit_burst log_level "
     "log_prefix match match_set match_set_flags numeric out_interface policy protocol reject_with rule_num "
     "set_counters set_dscp_mark set_dscp_mark_class source source_port src_range state syn table tcp_flags "
     "to_destination to_ports to_source uid_owner wait",
     "absent present"},
    {"known_hosts", "hash_host host key name path state", "absent present"},
    {"lineinfile",
     "attr attributes backrefs backup create dest destfile firstmatch group insertafter insertbefore line mode "
     "name owner path regex regexp search_string selevel serole setype seuser state unsafe_writes validate "
     "value",
     "absent present"},
    {"package", "name state use", ""},
    {"package_facts", "manager strategy", ""},
    {"pause", "echo minutes prompt seconds", ""},
    {"pip",
     "break_system_packages chdir editable executable extra_args name requirements state umask version "
     "virtualenv virtualenv_command virtualenv_python virtualenv_site_packages",
     "absent forcereinstall latest present"},
    {"reboot",
     "boot_time_command connect_timeout msg post_reboot_delay pre_reboot_delay reboot_command reboot_timeout "
     "search_paths test_command",
     ""},
    {"replace",
     "after attr attributes backup before dest destfile encoding group mode name owner path regexp replace "
     "selevel serole setype seuser unsafe_writes validate",
     ""},
    {"rpm_key", "fingerprint key state validate_certs", "absent present"},
    {"script", "chdir cmd creates decrypt executable free_form removes", ""},
    {"service", "args arguments enabled name pattern runlevel sleep state use", "reloaded restarted started stopped"},
    {"service_facts", "", ""},
    {"shell", "chdir cmd creates executable free_form removes stdin stdin_add_newline", ""},
    {"slurp", "path src", ""},
    {"stat",
     "attr attributes checksum checksum_algo checksum_algorithm dest follow get_attributes get_checksum "
     "get_mime mime mime-type mime_type name path",
     ""},
    {"subversion",
     "checkout dest executable export force in_place name password repo repository rev revision switch update "
     "username validate_certs version",
     ""},
    {"systemd",
     "daemon-reexec daemon-reload daemon_reexec daemon_reload enabled force masked name no_block scope service "
     "state unit",
     "reloaded restarted started stopped"},
    {"systemd_service",
     "daemon-reexec daemon-reload daemon_reexec daemon_reload enabled force masked name no_block scope service "
     "state unit",
     "reloaded restarted started stopped"},
    {"tempfile", "path prefix state suffix", "directory file"},
    {"template",
     "attr attributes backup block_end_string block_start_string comment_end_string comment_start_string dest "
     "follow force group lstrip_blocks mode newline_sequence output_encoding owner selevel serole setype "
     "seuser src trim_blocks unsafe_writes validate variable_end_string variable_start_string",
     ""},
    {"unarchive",
     "attr attributes copy creates decrypt dest exclude extra_opts group include io_buffer_size keep_newer "
     "list_files mode owner remote_src selevel serole setype seuser src unsafe_writes validate_certs",
     ""},
    {"uri",
     "attr attributes body body_format ca_path ciphers client_cert client_key creates decompress dest "
     "follow_redirects force force_basic_auth group headers http_agent method mode owner password remote_src "
     "removes return_content selevel serole setype seuser src status_code timeout unix_socket "
     "unredirected_headers unsafe_writes url url_password url_username use_gssapi use_netrc use_proxy user "
     "validate_certs",
     ""},
    {"user",
     "append authorization comment create_home createhome expires force generate_ssh_key group groups hidden "
     "home local login_class move_home name non_unique password password_expire_account_disable "
     "password_expire_max password_expire_min password_expire_warn password_lock profile remove role seuser "
     "shell skeleton ssh_key_bits ssh_key_comment ssh_key_file ssh_key_passphrase ssh_key_type state system "
     "uid uid_max uid_min umask update_password user",
     "absent present"},
    {"wait_for",
     "active_connection_states connect_timeout delay exclude_hosts host msg path port search_regex sleep state "
     "timeout",
     "absent drained present started stopped"},
    {"wait_for_connection", "connect_timeout delay sleep timeout", ""},
    {"yum",
     "allow_downgrade allowerasing autoremove best bugfix cacheonly conf_file disable_excludes "
     "disable_gpg_check disable_plugin disablerepo download_dir download_only enable_plugin enablerepo exclude "
     "expire-cache install_repoquery install_weak_deps installroot list lock_timeout name nobest pkg "
     "releasever security skip_broken sslverify state update_cache update_only use_backend validate_certs",
     "absent present installed removed latest"},
    {"yum_repository",
     "async attr attributes bandwidth baseurl ca_cert client_cert client_key cost countme "
     "deltarpm_metadata_percentage deltarpm_percentage description enabled enablegroups exclude excludepkgs "
     "failovermethod file gpgcakey gpgcheck gpgkey group http_caching include includepkgs ip_resolve keepalive "
     "keepcache metadata_expire metadata_expire_filter metalink mirrorlist mirrorlist_expire mode "
     "module_hotfixes name owner password priority protect proxy proxy_password proxy_username repo_gpgcheck "
     "reposdir retries s3_enabled selevel serole setype seuser skip_if_unavailable ssl_check_cert_permissions "
     "sslcacert sslclientcert sslclientkey sslverify state throttle timeout ui_repoid_vars unsafe_writes "
     "username validate_certs",
     "absent present"},
});
static_assert(std::ranges::is_sorted(kPlaybookModules, {}, &PlaybookModule::name));

// Modules whose parameters are of the task's own making, or none.
constexpr auto kOtherActions = std::to_array<std::string_view>(
    {"action", "add_host", "group_by", "import_role", "import_tasks", "include_role", "include_tasks", "include_vars",
     "local_action", "meta", "ping", "raw", "set_fact", "set_stats", "setup"});
static_assert(std::ranges::is_sorted(kOtherActions));

// Source: ansible/ansible:lib/ansible/playbook/task.py, handler.py and block.py (2.19).
constexpr auto kTaskKeywords = std::to_array<std::string_view>({"action",
                                                                "any_errors_fatal",
                                                                "args",
                                                                "async",
                                                                "become",
                                                                "become_exe",
                                                                "become_flags",
                                                                "become_method",
                                                                "become_user",
                                                                "changed_when",
                                                                "check_mode",
                                                                "collections",
                                                                "connection",
                                                                "debugger",
                                                                "delay",
                                                                "delegate_facts",
                                                                "delegate_to",
                                                                "diff",
                                                                "environment",
                                                                "failed_when",
                                                                "ignore_errors",
                                                                "ignore_unreachable",
                                                                "listen",
                                                                "local_action",
                                                                "loop",
                                                                "loop_control",
                                                                "module_defaults",
                                                                "name",
                                                                "no_log",
                                                                "notify",
                                                                "poll",
                                                                "port",
                                                                "register",
                                                                "remote_user",
                                                                "retries",
                                                                "run_once",
                                                                "tags",
                                                                "throttle",
                                                                "timeout",
                                                                "until",
                                                                "vars",
                                                                "when"});
static_assert(std::ranges::is_sorted(kTaskKeywords));

constexpr auto kBlockKeywords = std::to_array<std::string_view>({"always",         "any_errors_fatal",
                                                                 "become",         "become_exe",
                                                                 "become_flags",   "become_method",
                                                                 "become_user",    "block",
                                                                 "check_mode",     "collections",
                                                                 "connection",     "debugger",
                                                                 "delegate_facts", "delegate_to",
                                                                 "diff",           "environment",
                                                                 "ignore_errors",  "ignore_unreachable",
                                                                 "listen",         "module_defaults",
                                                                 "name",           "no_log",
                                                                 "notify",         "port",
                                                                 "remote_user",    "rescue",
                                                                 "run_once",       "tags",
                                                                 "throttle",       "timeout",
                                                                 "vars",           "when"});
static_assert(std::ranges::is_sorted(kBlockKeywords));

std::string_view without_collection(std::string_view name) {
  for (const std::string_view own : {"ansible.builtin.", "ansible.legacy."}) {
    if (name.starts_with(own)) return name.substr(own.size());
  }
  return name;
}

}  // namespace

const PlaybookModule* playbook_module(std::string_view name) {
  name = without_collection(name);
  const auto found = std::ranges::lower_bound(kPlaybookModules, name, {}, &PlaybookModule::name);
  return found == kPlaybookModules.end() || found->name != name ? nullptr : &*found;
}

bool is_playbook_action(std::string_view key) {
  const std::string_view name = without_collection(key);
  return key.find('.') != key.npos || playbook_module(name) != nullptr || std::ranges::binary_search(kOtherActions, name);
}

std::span<const std::string_view> task_keywords() { return kTaskKeywords; }

std::span<const std::string_view> block_keywords() { return kBlockKeywords; }

}  // namespace muster
