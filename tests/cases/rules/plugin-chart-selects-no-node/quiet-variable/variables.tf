variable "plugin_version" {
  type    = string
  default = "0.14.5"
}
