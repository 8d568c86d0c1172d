from _stars_own import *
from _stars_second import *
