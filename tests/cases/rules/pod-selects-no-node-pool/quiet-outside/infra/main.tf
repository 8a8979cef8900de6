module "gpus" {
  source = "../../modules/gpus"
}
