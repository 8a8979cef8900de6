variable "release" {
  type    = string
  default = "1.25" # finding: eks-version-ended
}
