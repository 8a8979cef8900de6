module "pool" {
  for_each = toset(["a", "b", "c"])
  source   = "./modules/pool"
}
