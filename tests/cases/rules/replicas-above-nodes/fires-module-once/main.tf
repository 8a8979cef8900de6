module "pool" {
  source = "./modules/pool"
}
