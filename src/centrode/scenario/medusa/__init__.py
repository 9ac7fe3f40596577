"""Files of the 1999 program MEDUSA: model.dat, platoon.dat, road.dat in; its text files out.

Format: MEDUSA report (1999), chapter 2 (user's manual), chapter 3 (examples) and appendix C.
"""
