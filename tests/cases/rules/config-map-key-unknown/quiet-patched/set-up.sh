kubectl patch configmap settings --patch "$(cat models.json)"
