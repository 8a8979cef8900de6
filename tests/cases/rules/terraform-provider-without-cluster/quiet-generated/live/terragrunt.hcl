terraform {
  source = "../modules/addons"
}

generate "provider" {
  path      = "provider_override.tf"
  if_exists = "overwrite"
  contents  = file("provider.txt")
}
