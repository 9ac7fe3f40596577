"""Single-track machines by name, with their sources.

``benchmark`` is that of Meijaard et al. (2007). The measured bicycles, without rider, are those of J. K. Moore, "Human
Control of a Bicycle", dissertation, University of California, Davis (2012), chapter 3, as published with his program
BicycleParameters; ``davis`` is his instrumented bicycle with rider, as published with his program HumanControl. The
faired recumbent is that of A. Selwa, "Stability and Control of Streamlined Bicycles", thesis, University of Toronto
(2016). ``scooter`` is no measured machine: the masses and lengths of a light motor scooter with rider, rounded, with
inertias of simple bodies, to have a machine with small wheels, round tyres and a heavy frame.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from centrode.errors import unknown_name
from centrode.vehicles.bicycle.parameters import BicycleParameters, from_z_down

MACHINES: dict[str, str] = {
    "benchmark": "benchmark bicycle with rigid rider (Meijaard et al. 2007)",
    "crescendo": "Batavus Crescendo, city bicycle without rider (Moore 2012)",
    "fisher": "Gary Fisher, mountain bicycle without rider (Moore 2012)",
    "pista": "Bianchi Pista, track bicycle without rider (Moore 2012)",
    "davis": "instrumented Surly 1x1 with rider (Moore 2012)",
    "bluenose": "faired recumbent with rider (Selwa 2016)",
    "scooter": "light motor scooter with rider, rounded figures of our own, round tyres",
}
"""Name -> what it is."""


@cache
def machine(name: str) -> BicycleParameters:
    """Parameters of the machine of that name; a misspelt one is refused with the nearest."""
    if name not in MACHINES:
        raise unknown_name("unknown machine", name, list(MACHINES), path="machine")
    return _MACHINES[name]()


_MACHINES: dict[str, Callable[[], BicycleParameters]] = {
    "benchmark": BicycleParameters().checked,
    "crescendo": partial(
        from_z_down,
        w=1.101, c=0.0832912572138, lam=0.366519142919,
        rR=0.339954958444, mR=3.96, IRxx=0.0966455697105, IRyy=0.143776919744,
        xB=0.312073833522, zB=-0.525854751698, mB=9.18,
        IBxx=0.499733285449, IByy=1.11746960046, IBzz=0.73927170227, IBxz=-0.0148407505732,
        xH=0.906569561251, zH=-0.802835004591, mH=4.57,
        IHxx=0.3840330428, IHyy=0.363142461888, IHzz=0.166357442859, IHxz=-0.0777986089409,
        rF=0.342550408285, mF=3.545, IFxx=0.0954028662773, IFyy=0.165623459942,
    ),
    "fisher": partial(
        from_z_down,
        w=1.07, c=0.0723512958768, lam=0.329867228627,
        rR=0.338636246059, mR=1.94, IRxx=0.0630220804753, IRyy=0.100831563132,
        xB=0.367006269532, zB=-0.499035032101, mB=4.48,
        IBxx=0.282523843228, IByy=0.469714069753, IBzz=0.267736477961, IBxz=0.0559047839186,
        xH=0.959729631021, zH=-0.719194693301, mH=2.52,
        IHxx=0.114653255231, IHyy=0.099999037681, IHzz=0.022649063255, IHxz=-0.0182419196924,
        rF=0.330178297654, mF=1.5, IFxx=0.0631442259272, IFyy=0.106223925049,
    ),
    "pista": partial(
        from_z_down,
        w=0.989, c=0.062, lam=0.275762021815,
        rR=0.332, mR=1.4, IRxx=0.0552, IRyy=0.0764,
        xB=0.383, zB=-0.477, mB=4.5, IBxx=0.29, IByy=0.4758, IBzz=0.2494, IBxz=0.0502,
        xH=0.906, zH=-0.733, mH=2.3, IHxx=0.098, IHyy=0.0692, IHzz=0.0396, IHxz=-0.0044,
        rF=0.334, mF=1.6, IFxx=0.0553, IFyy=0.1062,
    ),
    "davis": partial(
        from_z_down,
        w=1.06378677685, c=0.0599399125715, lam=0.317489078499,
        rR=0.332528026978, mR=4.9, IRxx=0.0700963804567, IRyy=0.12934189355,
        xB=0.348677983105, zB=-1.02687467288, mB=106.4,
        IBxx=14.6897962407, IByy=16.4719778305, IBzz=4.11198028556, IBxz=-0.2587197992,
        xH=0.818396445062, zH=-0.98585673135, mH=5.4,
        IHxx=0.343873849682, IHyy=0.339925043172, IHzz=0.10310836332, IHxz=-0.0918999164196,
        rF=0.335572561302, mF=1.55, IFxx=0.0524475128396, IFyy=0.0983720589324,
    ),
    "bluenose": partial(
        from_z_down,
        w=1.092, c=0.089, lam=0.129154,
        rR=0.2445, mR=1.14, IRxx=0.02, IRyy=0.04,
        xB=0.68151, zB=-0.39088, mB=106.216,
        IBxx=5.55605664918, IByy=25.06012355961, IBzz=23.52409141966, IBxz=2.04399182523,
        xH=1.0, zH=-0.604, mH=3.17,
        IHxx=0.0757714812, IHyy=0.08696201242, IHzz=0.01550348533, IHxz=0.03034277154,
        rF=0.2445, mF=1.81, IFxx=0.027, IFyy=0.052,
    ),
    "scooter": BicycleParameters(
        wheelbase=1.29, trail=0.085, steer_tilt=0.4625,
        rear_radius=0.22, rear_tyre=0.05, rear_mass=9.0, rear_ixx=0.12, rear_iyy=0.22,
        frame_x=0.48, frame_z=0.68, frame_mass=165.0,
        frame_ixx=17.0, frame_iyy=32.0, frame_izz=18.0, frame_ixz=-2.0,
        fork_x=1.14, fork_z=0.62, fork_mass=12.0, fork_ixx=0.95, fork_iyy=1.0, fork_izz=0.2, fork_ixz=0.15,
        front_radius=0.22, front_tyre=0.045, front_mass=7.0, front_ixx=0.095, front_iyy=0.17,
    ).checked,
}  # fmt: skip
