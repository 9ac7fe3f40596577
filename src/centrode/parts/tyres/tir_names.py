"""Names, units and dialects of tyre property files (.tir): tables that :mod:`centrode.parts.tyres.tir` reads.

Sources: TNO, MF-Tyre 5.2 User Manual (2001) and MF-Tyre/MF-Swift 6.1.2 Help Manual (2010) for the names of MF 5 and 6;
Pacejka, Tire and Vehicle Dynamics, 3rd ed. (2012), appendix 3, for a whole file; the names IP, IP_NOM, LIP, QPZ1, QPZ2
and FE_METHOD are those of the PAC2002 format.
"""

from __future__ import annotations

import math

UNITS: dict[str, dict[str, float]] = {
    "LENGTH": dict.fromkeys(("meter", "metre", "meters", "m"), 1.0)
    | {"mm": 1e-3, "millimeter": 1e-3, "cm": 1e-2, "km": 1e3, "mile": 1609.344}
    | dict.fromkeys(("inch", "in"), 0.0254)
    | dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    "FORCE": dict.fromkeys(("newton", "newtons", "n"), 1.0)
    | dict.fromkeys(("kn", "kilonewton", "knewton"), 1e3)
    | dict.fromkeys(("pound_force", "lbf"), 4.4482216152605)
    | dict.fromkeys(("kilogram_force", "kg_force", "kgf"), 9.80665),
    "ANGLE": dict.fromkeys(("radian", "radians", "rad"), 1.0)
    | dict.fromkeys(("degree", "degrees", "deg"), math.pi / 180),
    "TIME": dict.fromkeys(("second", "seconds", "sec", "s"), 1.0)
    | dict.fromkeys(("millisecond", "milli", "ms"), 1e-3)
    | dict.fromkeys(("minute", "min"), 60.0)
    | dict.fromkeys(("hour", "h"), 3600.0),
    "PRESSURE": dict.fromkeys(("pascal", "pa", "n/m^2"), 1.0)
    | dict.fromkeys(("kpa", "kpascal"), 1e3)
    | {"mpa": 1e6, "bar": 1e5, "psi": 6894.757293168},
    "MASS": dict.fromkeys(("kg", "kilogram"), 1.0)
    | {"gram": 1e-3, "g": 1e-3, "tonne": 1e3, "slug": 14.593902937}
    | dict.fromkeys(("pound_mass", "lbm"), 0.45359237),
}
"""Factors to SI by quantity, in the order of the powers below."""

_LENGTHS = "UNLOADED_RADIUS WIDTH RIM_RADIUS RIM_WIDTH BOTTOMING_RADIUS BOTTOM_OFFST ROAD_INCREMENT ELLIPS_MAX_STEP"
_LENGTHS += " MC_CONTOUR_A MC_CONTOUR_B"
_STIFFNESSES = "VERTICAL_STIFFNESS LONGITUDINAL_STIFFNESS LATERAL_STIFFNESS BOTTOM_STIFF"
DIMENSIONS: dict[str, tuple[int, int, int, int, int, int]] = {
    **dict.fromkeys(("LONGVL", "VXLOW"), (1, 0, 0, -1, 0, 0)),
    **dict.fromkeys(_LENGTHS.split(), (1, 0, 0, 0, 0, 0)),
    **dict.fromkeys(("INFLPRES", "NOMPRES", "PRESMIN", "PRESMAX"), (0, 0, 0, 0, 1, 0)),
    **dict.fromkeys(("FNOMIN", "FZMIN", "FZMAX"), (0, 1, 0, 0, 0, 0)),
    **dict.fromkeys(_STIFFNESSES.split(), (-1, 1, 0, 0, 0, 0)),
    "VERTICAL_DAMPING": (-1, 1, 0, 1, 0, 0),
    "YAW_STIFFNESS": (1, 1, -1, 0, 0, 0),
    **dict.fromkeys(("ALPMIN", "ALPMAX", "CAMMIN", "CAMMAX"), (0, 0, 1, 0, 0, 0)),
    **dict.fromkeys(("MASS", "BELT_MASS", "MBELT"), (0, 0, 0, 0, 0, 1)),
    **dict.fromkeys(("IXX", "IYY", "BELT_IXX", "BELT_IYY"), (2, 0, 0, 0, 0, 1)),
    "GRAVITY": (1, 0, 0, -2, 0, 0),
    **dict.fromkeys(("HMAX_LOCAL", "TIME_SWITCH_INTEG"), (0, 0, 0, 1, 0, 0)),
    **dict.fromkeys("FREQ_LONG FREQ_LAT FREQ_YAW FREQ_WINDUP".split(), (0, 0, 0, -1, 0, 0)),
}
"""Powers of length, force, angle, time, pressure and mass; all other entries are pure numbers (angles in radians)."""

ALIASES = {"IP": "INFLPRES", "IP_NOM": "NOMPRES", "QPZ1": "PPZ1", "QPZ2": "PPZ2", "LKG": "LKYC", "LKYG": "LKYC"}
"""Names of PAC2002 for what MF 6.1 calls otherwise."""

RANGES = (("FZMIN", "FZMAX"), ("KPUMIN", "KPUMAX"), ("ALPMIN", "ALPMAX"), ("CAMMIN", "CAMMAX"), ("PRESMIN", "PRESMAX"))

SCALES = "LFZO LCX LMUX LEX LKX LHX LVX LCY LMUY LEY LKY LKYC LKZC LHY LVY LTR LRES LXAL LYKA LVYKA LS".split()
SCALES += "LGAX LGAY LGAZ LIP".split()
LONGITUDINAL = (
    "PCX1 PDX1 PDX2 PDX3 PEX1 PEX2 PEX3 PEX4 PKX1 PKX2 PKX3 PHX1 PHX2 PVX1 PVX2 PPX1 PPX2 PPX3 PPX4 "
    "RBX1 RBX2 RBX3 RCX1 REX1 REX2 RHX1"
).split()
LATERAL = (
    "PCY1 PDY1 PDY2 PDY3 PEY1 PEY2 PEY3 PEY4 PEY5 PKY1 PKY2 PKY3 PKY4 PKY5 PKY6 PKY7 PHY1 PHY2 PHY3 PVY1 PVY2 PVY3 "
    "PVY4 PPY1 PPY2 PPY3 PPY4 PPY5 RBY1 RBY2 RBY3 RBY4 RCY1 REY1 REY2 RHY1 RHY2 RVY1 RVY2 RVY3 RVY4 RVY5 RVY6"
).split()
ALIGNING = (
    "QBZ1 QBZ2 QBZ3 QBZ4 QBZ5 QBZ9 QBZ10 QCZ1 QDZ1 QDZ2 QDZ3 QDZ4 QDZ6 QDZ7 QDZ8 QDZ9 QDZ10 QDZ11 "
    "QEZ1 QEZ2 QEZ3 QEZ4 QEZ5 QHZ1 QHZ2 QHZ3 QHZ4 PPZ1 PPZ2 SSZ1 SSZ2 SSZ3 SSZ4"
).split()
SINCE_6 = "PKY4 PKY5 PKY6 PKY7 PEY5 PPY5 RBX3 RBY4 QDZ10 QDZ11".split()
"""Coefficients that MF 5 does not have."""
UNTIL_5 = ["PHY3"]
"""Coefficients that MF 6 does not have."""

# Pacejka 1989 and 1994: a for the side force, b for the longitudinal force, c for the aligning moment.
LETTERS_89 = [f"A{k}" for k in range(14)] + [f"B{k}" for k in range(11)] + [f"C{k}" for k in range(18)]
LETTERS_94 = [f"A{k}" for k in range(18)] + [f"B{k}" for k in range(14)] + [f"C{k}" for k in range(21)]

# Known, and of no account for steady Fx, Fy, Mz: overturning, rolling resistance, radii, relaxation, turn slip, belt.
_OTHERS = """
FILE_TYPE FILE_VERSION FILE_FORMAT PROPERTY_FILE_FORMAT FITTYP USE_MODE TYRESIDE USER_SUB_ID N_TIRE_STATES FE_METHOD
MFSAFE1 MFSAFE2 MFSAFE3 ROAD_DIRECTION BELT_DYNAMICS CONTACT_MODEL LOCAL_SOLVER LOCAL_SOLVER_HP MESSAGES ASPECT_RATIO
FUNCTION_NAME SWITCH_INTEG TYPE
BREFF DREFF FREFF DYNAMIC_STIFFNESS DYNAMIC_DAMPING Q_RE0 Q_V1 Q_V2 Q_FZ1 Q_FZ2 Q_FZ3 QFZ1 QFZ2 QFZ3 QPFZ1 Q_FCX Q_FCY
Q_FCY2 Q_CAM Q_CAM1 Q_CAM2 Q_CAM3 Q_FYS1 Q_FYS2 Q_FYS3 PFZ1 QV1 QV2 QFCX1 QFCY1 QFCG1
DAMP_LONG DAMP_LAT DAMP_YAW DAMP_WINDUP DAMP_RESIDUAL DAMP_VLOW Q_BVX Q_BVT PCFX1 PCFX2 PCFX3 PCFY1 PCFY2 PCFY3 PCMZ1
Q_RA1 Q_RA2 Q_RB1 Q_RB2 Q_A1 Q_A2 ELLIPS_SHIFT ELLIPS_LENGTH ELLIPS_HEIGHT ELLIPS_ORDER ELLIPS_NWIDTH ELLIPS_NLENGTH
ENV_C1 ENV_C2 LSGKP LSGAL LGYR LMX LMY LVMX LCZ LMP LMUV LMPHI PTX1 PTX2 PTX3 PTX4 PTY1 PTY2 PTY3 QTZ1
PDXP1 PDXP2 PDXP3 PKYP1 PDYP1 PDYP2 PDYP3 PDYP4 PHYP1 PHYP2 PHYP3 PHYP4 PECP1 PECP2 QDTP1 QCRP1 QCRP2 QBRP1 QDRP1 QDRP2
"""
OTHERS = frozenset(
    _OTHERS.split() + [f"QSX{k}" for k in range(1, 15)] + [f"QSY{k}" for k in range(1, 9)] + ["QPX1", "PPMX1", *UNITS]
)

FORMULA = frozenset([*SCALES, *LONGITUDINAL, *LATERAL, *ALIGNING, *(name for pair in RANGES for name in pair)])
KNOWN = FORMULA | OTHERS | frozenset(DIMENSIONS) | frozenset(ALIASES)

# What FITTYP says: the version of the formula and its name.
FITTYPS = {
    5: (50, "MF-Tyre 5.0"),
    6: (52, "MF-Tyre 5.2"),
    21: (52, "MF-Tyre 5.2"),
    52: (52, "MF-Tyre 5.2"),
    60: (60, "MF-Tyre 6.0"),
    61: (61, "MF-Tyre 6.1"),
    62: (62, "MF-Tyre 6.2"),
}
# What PROPERTY_FILE_FORMAT says where FITTYP is silent.
FORMATS = {
    "PAC2002": (52, "PAC2002"),
    "MF_05": (50, "MF-Tyre 5.0"),
    "MF-TYRE": (52, "MF-Tyre 5.2"),
    "PAC89": (89, "Pacejka 1989"),
    "PAC94": (94, "Pacejka 1994"),
}
OTHER_MODELS = tuple(
    "PAC_MC PAC-MC FTIRE CTIRE FIALA UATIRE UA 521 5.2.1 SWIFT CDTIRE RMOD-K RMOD_K TMEASY BRUSH SMITHERS".split()
)
"""Formats of other tyre models, refused by name."""


def required_names(version: int, use_mode: int) -> list[str]:
    """Entries without which the forces that a use mode asks for cannot be had."""
    mode = abs(use_mode) % 10
    along, aside = mode not in (0, 2), mode not in (0, 1)
    if version in (89, 94):
        return (["B0", "B2", "B4"] if along else []) + (["A0", "A2", "A3", "A4"] if aside else [])
    names = ["FNOMIN", "UNLOADED_RADIUS"]
    names += ["PCX1", "PDX1", "PKX1"] if along else []
    return names + (["PCY1", "PDY1", "PKY1", "PKY2"] if aside else [])
