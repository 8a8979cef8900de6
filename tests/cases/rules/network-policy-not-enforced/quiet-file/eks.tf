module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.3"
  name    = "train"
  # vpc-cni is needed
  addons = {
    coredns = {}
    vpc-cni = { configuration_values = file("vpc-cni.json") }
  }
}
