module "network" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 6.0"
  name    = "lab"
}

resource "helm_release" "server" {
  name  = "server"
  chart = "./chart"
  # finding: terraform-helm-of-other-release
  set {
    name  = "replicas"
    value = "2"
  }
}
