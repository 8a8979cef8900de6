module "cluster" {
  source          = "./cluster"
  cluster_version = "1.34"
}
