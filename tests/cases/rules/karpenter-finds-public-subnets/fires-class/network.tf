module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
  public_subnet_tags = {
    "kubernetes.io/role/elb" = "1"
    "karpenter.sh/discovery" = "lab" # finding: karpenter-finds-public-subnets
  }
  private_subnet_tags = {
    "kubernetes.io/role/internal-elb" = "1"
    "karpenter.sh/discovery"          = "lab"
  }
}
