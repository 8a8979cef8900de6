provider "helm" {
  kubernetes = {
    config_path = "~/.kube/config"
  }
}

module "addons" {
  source = "./modules/addons"
  providers = {
    helm = helm
  }
}
