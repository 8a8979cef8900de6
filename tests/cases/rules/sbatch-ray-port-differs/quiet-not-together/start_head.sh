#!/bin/bash
ray start --head
sleep infinity
