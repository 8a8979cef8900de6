nodes = null
