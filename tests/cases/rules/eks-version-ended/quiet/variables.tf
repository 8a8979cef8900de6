variable "release" {
  type    = string
  default = "1.25"
}
