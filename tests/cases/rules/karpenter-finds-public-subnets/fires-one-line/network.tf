module "vpc" {
  source              = "terraform-aws-modules/vpc/aws"
  public_subnet_tags  = { "karpenter.sh/discovery" = "lab", "kubernetes.io/role/elb" = "1" } # finding: karpenter-finds-public-subnets
  private_subnet_tags = { "karpenter.sh/discovery" = "lab" }
}
