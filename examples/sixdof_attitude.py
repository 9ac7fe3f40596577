"""Attitude formalisms of a tumbling body side by side; writes out/sixdof_attitude.png."""

import centrode as ct

case = ct.AttitudeCase(inertia=(1.0, 2.0, 3.0), omega=(0.3, 2.0, 0.2), duration=20.0)
results = ct.compare_attitudes(case, steps=(0.1, 0.05, 0.025))
for item in results:
    print(
        f"{item.method:32s} h {item.step:6.4f} s   error {item.error:9.2e} rad  drift {item.drift:8.1e}  {item.status}"
    )
ct.save_figure(ct.figure_comparison(results), "out/sixdof_attitude.png")

best = min((item for item in results if item.step == 0.05), key=lambda item: item.error if item.error > 0 else 9.0)
assert best.method == "rkmk4"
