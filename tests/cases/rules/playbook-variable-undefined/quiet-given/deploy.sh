#!/bin/bash
ansible-playbook site.yml -e '{"dbd_port": 6819}'
