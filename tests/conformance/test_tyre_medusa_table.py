"""The tyre table of the 1999 program, eqs. (1.20) to (1.23) of the MEDUSA report, relative 1e-10."""

from pathlib import Path

import numpy as np
import pytest

from centrode.parts.tyres.calspan import TyreCalspan, tyre_calspan

TABLE = Path(__file__).parent / "data" / "medusa_tyre.csv"


@pytest.mark.parametrize("original", [True, False])
def test_tyre_table_of_the_report(original):
    """Both forms: inside |s| <= 1 and ahead they are the same law.

    Where cos(alpha) is a rounding error (|alpha| = pi/2 + 3e-15) a single component is noise, so the error is taken
    relative to hypot(Fx, Fy) there and to the component itself everywhere else.
    """
    rows = np.genfromtxt(TABLE, delimiter=",", names=True)
    par = TyreCalspan("goodyear", original=original).pack()
    worst = 0.0
    for fz, alpha, s, fx_ref, fy_ref in rows:
        # the report: e_y right, s > 0 braking; here: y left, slip > 0 driving (travel ahead)
        fx, fy, mz = tyre_calspan(par, fz, -alpha, -s, 0.0, 10.0)
        total = np.hypot(fx_ref, fy_ref)
        edge = abs(abs(alpha) - np.pi / 2) < 1e-12
        for got, ref in ((fx, fx_ref), (fy, fy_ref)):
            scale = total if edge else abs(ref)
            if scale == 0.0:
                assert got == pytest.approx(0.0, abs=1e-300)
            else:
                worst = max(worst, abs(got - ref) / scale)
        assert mz == 0.0
    assert worst < 1e-10
