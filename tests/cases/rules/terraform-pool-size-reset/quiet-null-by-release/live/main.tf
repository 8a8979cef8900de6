module "pool" {
  source     = "git::https://git.example.com/lab/infra.git//modules/pool?ref=v1.2.0"
  node_count = null
}
