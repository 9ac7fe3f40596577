"""Tyre property files for tests, made up for them: one per dialect, with numbers of a passenger-car tyre."""

UNITS = {
    "LENGTH": "'meter'",
    "FORCE": "'newton'",
    "ANGLE": "'radian'",
    "MASS": "'kg'",
    "TIME": "'second'",
    "PRESSURE": "'pascal'",
}
RANGES = {"KPUMIN": -1.5, "KPUMAX": 1.5, "ALPMIN": -1.5, "ALPMAX": 1.5, "CAMMIN": -0.25, "CAMMAX": 0.25}
RANGES |= {"FZMIN": 200.0, "FZMAX": 9500.0}
LONGITUDINAL = {"PCX1": 1.62, "PDX1": 1.08, "PDX2": -0.11, "PDX3": 0.4, "PEX1": 0.21, "PEX2": 0.17, "PEX3": 0.05}
LONGITUDINAL |= {"PEX4": 0.02, "PKX1": 23.4, "PKX2": 1.7, "PKX3": 0.19, "PHX1": 4e-4, "PHX2": -3e-4, "PVX1": 2e-3}
LONGITUDINAL |= {"PVX2": -1e-3, "RBX1": 12.2, "RBX2": 9.4, "RCX1": 1.02, "REX1": -0.35, "REX2": 0.08, "RHX1": 3e-3}
LATERAL = {"PCY1": 1.37, "PDY1": 0.97, "PDY2": -0.13, "PDY3": 1.6, "PEY1": -0.62, "PEY2": -0.24, "PEY3": 0.09}
LATERAL |= {"PEY4": -4.8, "PKY1": -18.7, "PKY2": 1.83, "PKY3": 0.41, "PHY1": 2e-3, "PHY2": 1e-3, "PHY3": 0.033}
LATERAL |= {"PVY1": 0.02, "PVY2": -0.01, "PVY3": -0.17, "PVY4": -0.21, "RBY1": 10.1, "RBY2": 7.3, "RBY3": 0.01}
LATERAL |= {"RCY1": 1.05, "REY1": 0.12, "REY2": 0.04, "RHY1": 8e-3, "RHY2": 5e-3, "RVY1": 0.04, "RVY2": 0.01}
LATERAL |= {"RVY3": -0.3, "RVY4": 20.0, "RVY5": 1.9, "RVY6": 12.0}
ALIGNING = {
    "QBZ1": 10.6,
    "QBZ2": -1.7,
    "QBZ3": -0.4,
    "QBZ4": 0.12,
    "QBZ5": 0.3,
    "QBZ9": 9.1,
    "QBZ10": 0.05,
    "QCZ1": 1.19,
}
ALIGNING |= {"QDZ1": 0.091, "QDZ2": -0.008, "QDZ3": 0.08, "QDZ4": 0.6, "QDZ6": -4e-3, "QDZ7": 2e-3, "QDZ8": -0.15}
ALIGNING |= {"QDZ9": 0.03, "QEZ1": -1.4, "QEZ2": 0.3, "QEZ3": 0.02, "QEZ4": 0.22, "QEZ5": -2.9, "QHZ1": 4e-3}
ALIGNING |= {"QHZ2": 2e-3, "QHZ3": 0.11, "QHZ4": 0.05, "SSZ1": 0.02, "SSZ2": 4e-3, "SSZ3": 0.4, "SSZ4": -0.2}
PRESSURE = {
    "PPX1": -0.3,
    "PPX2": 0.2,
    "PPX3": -0.08,
    "PPX4": 0.05,
    "PPY1": 0.4,
    "PPY2": 0.9,
    "PPY3": -0.06,
    "PPY4": 0.1,
}
ONLY_6 = {"PKY4": 1.9, "PKY5": 0.8, "PKY6": -0.9, "PKY7": -0.25, "PEY5": 3.0, "PPY5": -0.5, "RBX3": 40.0, "RBY4": 60.0}
ONLY_6 |= {"QDZ10": 0.4, "QDZ11": -0.6, "PPZ1": 0.5, "PPZ2": 0.3}
PAC94 = {"A0": 1.4, "A1": -30.0, "A2": 1150.0, "A3": 1700.0, "A4": 6.5, "A5": 0.006, "A6": -0.15, "A7": 0.2, "A8": 0.01}
PAC94 |= {
    "A9": -0.02,
    "A10": 0.03,
    "A11": 4.0,
    "A12": 6.0,
    "A13": -1.0,
    "A14": 5.0,
    "A15": 4e-4,
    "A16": 0.01,
    "A17": 0.1,
}
PAC94 |= {"B0": 1.6, "B1": -25.0, "B2": 1200.0, "B3": 22.0, "B4": 310.0, "B5": 0.08, "B6": -0.01, "B7": 0.05, "B8": 0.2}
PAC94 |= {"B9": 0.01, "B10": -0.02, "B11": 3.0, "B12": -4.0, "B13": 0.05}
PAC94 |= {"C0": 2.3, "C1": -2.1, "C2": -4.2, "C3": -1.3, "C4": -3.1, "C5": 0.05, "C6": 0.004, "C7": -0.05, "C8": 0.3}
PAC94 |= {
    "C9": -1.6,
    "C10": 0.01,
    "C11": 0.02,
    "C12": 0.05,
    "C13": 0.04,
    "C14": 0.3,
    "C15": 1.0,
    "C16": 0.1,
    "C17": -0.4,
}
PAC94 |= {"C18": 3e-4, "C19": 0.01, "C20": 0.05}


def tir_text(model: dict, *groups: dict, units: dict = UNITS, conditions: dict | None = None) -> str:
    """A file with sections in the usual order; ``model`` goes to MODEL, ``groups`` become coefficients."""
    said = {"UNLOADED_RADIUS": 0.318}
    sections = {"UNITS": units, "MODEL": model, "DIMENSION": said, "OPERATING_CONDITIONS": conditions or {}}
    sections |= {"VERTICAL": {"FNOMIN": 4100.0}, "LONG_SLIP_RANGE": RANGES}
    sections |= {f"{number}_COEFFICIENTS": group for number, group in enumerate(groups)}
    lines = ["$ a made-up tyre"]
    for name, entries in sections.items():
        lines += [f"[{name}]", *(f"{key:<16} = {value}   $comment" for key, value in entries.items())]
    return "\n".join(lines) + "\n"


MF_5 = tir_text({"PROPERTY_FILE_FORMAT": "'MF_05'", "FITTYP": 5, "USE_MODE": 4}, LONGITUDINAL, LATERAL, ALIGNING)
MF_52 = tir_text({"FITTYP": 6, "USE_MODE": 14}, LONGITUDINAL, LATERAL, ALIGNING)
PAC2002 = tir_text(
    {"PROPERTY_FILE_FORMAT": "'PAC2002'", "USE_MODE": 4, "FE_METHOD": "'NO'"},
    LONGITUDINAL,
    LATERAL,
    ALIGNING,
    PRESSURE | {"QPZ1": 0.5, "QPZ2": 0.3},
    conditions={"IP": 2.4e5, "IP_NOM": 2.0e5},
)
ELLIPSE = PAC2002.replace("'NO'", "'YES'")
MF_61 = tir_text(
    {"FITTYP": 61, "USE_MODE": 124},
    LONGITUDINAL,
    {name: value for name, value in LATERAL.items() if name != "PHY3"},
    ALIGNING,
    PRESSURE,
    ONLY_6,
    conditions={"INFLPRES": 2.4e5, "NOMPRES": 2.0e5},
)
PAC_94 = tir_text({"PROPERTY_FILE_FORMAT": "'PAC94'"}, PAC94)
PAC_89 = tir_text(
    {"PROPERTY_FILE_FORMAT": "'PAC89'"},
    {name: value for name, value in PAC94.items() if int(name[1:]) <= {"A": 13, "B": 10, "C": 17}[name[0]]},
)
ALL = {"mf-5": MF_5, "mf-5.2": MF_52, "pac2002": PAC2002, "ellipse": ELLIPSE, "mf-6.1": MF_61}
OLD = {"pac89": PAC_89, "pac94": PAC_94}
