module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.31"
  eks_managed_node_groups = {
    quoted = {
      "ami_type"                 = "AL2023_x86_64_STANDARD"   # finding: eks-node-image-without-driver
      "instance_types"           = ["g5.12xlarge"]
      enable_bootstrap_user_data = false
      launch_template_tags       = { team = "ml" }
      block_device_mappings = { root = { device_name = "/dev/xvda", ebs = { volume_size = 200 } } }
    }
  }
}
