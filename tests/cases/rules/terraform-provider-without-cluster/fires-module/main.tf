provider "helm" {} # finding: terraform-provider-without-cluster

module "addons" {
  source = "./modules/addons"
}
