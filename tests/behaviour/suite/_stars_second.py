from _stars_first import *
