given  = 4
size   = 1
shared = false
