"""How persons meet what they are struck by and come down on, where no law names them.

A law of crush is of sheet metal on sheet metal: its columns are folded by forces of 10 to 100 kN and know nothing of
what is softer than they are. Where a person is struck it is the person that gives way, and the sheet below by
centimetres, which spring back or are no figure of a reconstruction. So a law of crush without materials does not serve
persons.

- Stiffness 40 kN/m, of body and bonnet together, restitution 0.1: the pelvis (21 kg) struck at 11 m/s is pressed with
  10 to 15 kN over some 10 cm; thoraxes struck at 7 m/s by 23 kg bear 4 to 5 kN over 8 cm (Kroell et al., SAE 741187,
  from memory). Chosen within that.
- Who sits stiffly on a machine is met with the mass of all of it, four times that of a pelvis: 160 kN/m, so that he is
  pressed as deep.
- Friction on the ground 0.66: clothed dummies on dry asphalt (Searle and Searle, SAE 831622). On vehicles 0.4, chosen.
"""

from __future__ import annotations

from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.contact_laws.restitution import Restitution

PERSON = "person"
"""Material of the segments of persons."""
CYCLIST = "cyclist"
"""Material of a person in one piece, with the mass of the whole."""
WHOLE = 4.0
"""Stiffness of a person in one piece over that of a segment."""
STIFFNESS, RESTITUTION, ON_VEHICLES, ON_GROUND = 4e4, 0.1, 0.4, 0.66


def person_law(on_ground: bool, material: str = PERSON) -> ContactLaw:
    """Law of persons on the ground or on anything else."""
    name, friction = (f"{material} on road", ON_GROUND) if on_ground else (material, ON_VEHICLES)
    stiffness = STIFFNESS * (WHOLE if material == CYCLIST else 1.0)
    return Restitution(name, stiffness=stiffness, restitution=RESTITUTION, friction=friction)


def without_persons(law: ContactLaw | None, materials: tuple[str, str]) -> ContactLaw | None:
    """The law of two materials that none names: ``law``, unless it is one of crush or none and a person is met."""
    persons = [material for material in (CYCLIST, PERSON) if material in materials]
    if persons and (law is None or law.by_columns):
        return person_law(False, persons[-1])
    return law
