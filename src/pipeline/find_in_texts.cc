#include "pipeline/find_in_texts.h"

#include "pipeline/built_slurm.h"
#include "pipeline/chart_namespaces.h"
#include "pipeline/cloud_clusters.h"
#include "pipeline/compose_calls.h"
#include "pipeline/container_daemons.h"
#include "pipeline/daemon_units.h"
#include "pipeline/docker_mounts.h"
#include "pipeline/eks_defaults.h"
#include "pipeline/enroot_paths.h"
#include "pipeline/exporter_metrics.h"
#include "pipeline/flex_start_pools.h"
#include "pipeline/followed_logs.h"
#include "pipeline/gather_settings.h"
#include "pipeline/git_checkouts.h"
#include "pipeline/guide_files.h"
#include "pipeline/health_checks.h"
#include "pipeline/image_servers.h"
#include "pipeline/instance_groups.h"
#include "pipeline/invented_variables.h"
#include "pipeline/kubectl_calls.h"
#include "pipeline/label_spellings.h"
#include "pipeline/launch_scripts.h"
#include "pipeline/login_settings.h"
#include "pipeline/model_routes.h"
#include "pipeline/piped_variables.h"
#include "pipeline/playbook_slips.h"
#include "pipeline/playbook_undefined.h"
#include "pipeline/plugin_chart.h"
#include "pipeline/plugstack_folders.h"
#include "pipeline/policy_spaces.h"
#include "pipeline/ray_entrypoints.h"
#include "pipeline/ray_starts.h"
#include "pipeline/role_variables.h"
#include "pipeline/script_namespaces.h"
#include "pipeline/script_syntax.h"
#include "pipeline/served_models.h"
#include "pipeline/setup_scripts.h"
#include "pipeline/shell_slips.h"
#include "pipeline/shut_out_monitors.h"
#include "pipeline/site_needs.h"
#include "pipeline/site_scripts.h"
#include "pipeline/snakefile_commas.h"
#include "pipeline/split_arguments.h"
#include "pipeline/state_exports.h"
#include "pipeline/terraform_templates.h"
#include "pipeline/terraform_trusts.h"
#include "pipeline/terraform_variables.h"
#include "pipeline/torchrun_options.h"
#include "pipeline/workflow_configs.h"

namespace muster {

void find_in_texts(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  find_guide_files(inputs, findings);
  find_terraform_variables(inputs, findings);
  find_terraform_templates(inputs, findings);
  find_terraform_trusts(inputs, findings);
  find_role_variables(inputs, findings);
  find_playbook_slips(inputs, findings);
  find_setup_slips(inputs, findings);
  find_launch_slips(inputs, findings);
  find_torchrun_slips(inputs, findings);
  find_kubectl_slips(inputs, model, findings);
  find_script_namespaces(inputs, model, findings);
  find_unexported_metrics(inputs, model, findings);
  find_plugin_chart(inputs, findings);
  find_eks_defaults(inputs, model, findings);
  find_flex_start_pools(inputs, findings);
  find_policy_spaces(inputs, model, findings);
  find_model_routes(inputs, model, findings);
  find_unnamed_models(model, findings);
  find_shut_out_monitors(inputs, model, findings);
  find_ray_entrypoints(inputs, findings);
  find_label_spellings(inputs, model, findings);
  find_script_syntax(inputs, findings);
  find_shell_slips(inputs, findings);
  find_invented_variables(inputs, findings);
  find_split_arguments(inputs, findings);
  find_site_scripts(inputs, model, findings);
  find_site_needs(inputs, model, findings);
  find_daemon_units(inputs, model, findings);
  find_built_slurm(inputs, model, findings);
  find_state_exports(inputs, model, findings);
  find_compose_calls(inputs, findings);
  find_container_daemons(inputs, model, findings);
  find_followed_logs(inputs, model, findings);
  find_gather_settings(inputs, model, findings);
  find_instance_groups(inputs, findings);
  find_cloud_clusters(inputs, findings);
  find_health_check_slips(inputs, findings);
  find_workflow_slips(inputs, findings);
  find_ray_starts(inputs, findings);
  find_docker_mounts(inputs, findings);
  find_missing_commas(inputs, findings);
  find_undefined_variables(inputs, findings);
  find_enroot_paths(inputs, findings);
  find_plugstack_folders(inputs, model, findings);
  find_login_settings(inputs, model, findings);
  find_git_checkouts(inputs, findings);
  find_piped_variables(inputs, findings);
  find_image_servers(inputs, findings);
  find_chart_namespaces(inputs, model, findings);
}

}  // namespace muster
