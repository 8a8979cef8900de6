#!/bin/bash
pkill jupyter-lab
exit 0
