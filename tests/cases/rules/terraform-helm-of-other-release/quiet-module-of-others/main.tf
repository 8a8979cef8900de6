module "addons" {
  source  = "cloudposse/helm-release/aws"
  version = "0.10.0"
  name    = "addons"
}

module "servers" {
  source = "./servers"
}
