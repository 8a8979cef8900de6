module "gpus" {
  source = "git::ssh://git@git.example.com/infra-modules.git//gpus"
}
