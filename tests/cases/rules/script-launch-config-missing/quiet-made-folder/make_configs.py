import yaml
