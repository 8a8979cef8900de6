module "eks" {
  source          = "git::https://git.example.com/lab/infra.git//modules/eks?ref=v1.2.0"
  cluster_version = "1.34"
}
