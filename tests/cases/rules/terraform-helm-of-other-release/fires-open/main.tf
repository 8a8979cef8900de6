provider "helm" {
  # finding: terraform-helm-of-other-release
  kubernetes {
    config_path = "~/.kube/config"
  }
}
