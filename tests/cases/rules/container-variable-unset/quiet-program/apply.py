text = open("server.yaml").read().replace("$(RENDEZVOUS_HOST)", host)
