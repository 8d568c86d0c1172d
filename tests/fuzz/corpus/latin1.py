# -*- coding: latin-1 -*-
import torch
x = 'é'
