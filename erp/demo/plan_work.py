"""The plan of the demonstration: projects, tasks and comments. Amounts are in cents."""

from typing import Literal

import msgspec

Status = Literal["planned", "active", "on_hold", "completed"]


class Step(msgspec.Struct, frozen=True):
    """A task: first and last day in per cent of the project's time, and the steps that must be done before it."""

    title: str
    who: tuple[str, ...]
    start: int
    end: int
    hours: int
    after: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    comments: tuple[tuple[str, str], ...] = ()
    priority: str = "medium"


class Loose(msgspec.Struct, frozen=True):
    """A current task: when it is due, in days from today, and its column on the board."""

    title: str
    who: tuple[str, ...]
    due: int
    status: str
    priority: str = "medium"
    comments: tuple[tuple[str, str], ...] = ()


class Job(msgspec.Struct, frozen=True):
    """A project from the start of month `start` to the start of month `end`: at a fixed price, or by the hour."""

    name: str
    code: str
    start: int
    end: int
    steps: tuple[Step, ...]
    customer: str = ""
    price: int = 0
    rate: int = 0
    minutes: int = 0
    status: Status = "completed"
    tags: tuple[str, ...] = ()
    loose: tuple[Loose, ...] = ()
    repeating: tuple[str, ...] = msgspec.field(default=())


def fit_out(*remarks: tuple[int, str, str]) -> tuple[Step, ...]:
    """The steps of designing and building a place, with comments on some of them."""
    comments = {number: tuple((who, text) for step, who, text in remarks if step == number) for number in range(7)}
    return (
        Step("Survey and brief", ("Jonas", "Mei"), 0, 12, 40, comments=comments[0]),
        Step("Concept design", ("Mei", "Priya", "Oskar"), 8, 35, 150, after=(0,), comments=comments[1]),
        Step("Working drawings", ("Oskar", "Priya"), 30, 55, 140, after=(1,), comments=comments[2]),
        Step("Order materials and trades", ("Jonas", "Tomasz"), 42, 58, 24, after=(1,), comments=comments[3]),
        Step("Build the joinery", ("Rui",), 40, 84, 210, after=(1,), comments=comments[4], priority="high"),
        Step(
            "Install on site",
            ("Rui", "Jonas"),
            80,
            96,
            90,
            after=(3, 4),
            parts=("Electrics signed off", "Joinery fitted", "Floor finished"),
            comments=comments[5],
            priority="high",
        ),
        Step("Handover and snag list", ("Jonas", "Ines"), 92, 100, 16, after=(5,), comments=comments[6]),
    )


JOBS: tuple[Job, ...] = (
    Job(
        "Studio",
        "STUDIO",
        0,
        14,
        steps=(
            Step("Tenders and customer meetings", ("Ines", "Jonas"), 0, 100, 300),
            Step("Purchasing and stock", ("Tomasz", "Rui"), 0, 100, 160),
            Step("Material library", ("Mei", "Priya", "Oskar"), 0, 100, 120),
        ),
        status="active",
        tags=("internal",),
        loose=(
            Loose("Renew the van insurance", ("Tomasz",), 9, "todo"),
            Loose("Photograph the finished projects for the website", ("Priya",), 16, "in_progress", "low"),
            Loose("First-aid course for the workshop", ("Leïla", "Rui"), -4, "blocked", "high"),
        ),
        repeating=("Copy the drawing archive to the safe", "Check the workshop machines"),
    ),
    Job(
        "Café Moritz",
        "MORITZ",
        0,
        2,
        steps=fit_out(
            (1, "Mei", "They love the green tiles. The banquette grows to four metres."),
            (4, "Rui", "Oak is in. Starting with the counter."),
            (6, "Jonas", "Two scratches on the bar top, polished the same day. Happy customer."),
        ),
        customer="Café Moritz",
        price=6_400_000,
        tags=("fit-out", "hospitality"),
    ),
    Job(
        "Nordlicht dental practice",
        "NORD",
        1,
        4,
        steps=fit_out(
            (0, "Jonas", "X-ray room needs lead lining: ask a specialist."),
            (3, "Tomasz", "Hagel delivers in week three, ten days later than promised."),
        ),
        customer="Zahnarztpraxis Nordlicht",
        price=8_800_000,
        tags=("fit-out", "health"),
    ),
    Job(
        "Bookshop Lesezeit",
        "LESE",
        4,
        6,
        steps=fit_out((2, "Oskar", "Shelves drawn with 19 mm plywood; saves a third of the weight.")),
        customer="Buchhandlung Lesezeit",
        price=4_600_000,
        tags=("fit-out", "retail"),
    ),
    Job(
        "Kontor 21, second floor",
        "KONTOR",
        5,
        9,
        steps=fit_out(
            (0, "Jonas", "62 desks, four meeting rooms, one very proud facility manager."),
            (4, "Rui", "Phone booths: the prototype is in the workshop, come and shout in it."),
        ),
        customer="Kontor 21 Verwaltung",
        price=12_400_000,
        tags=("fit-out", "office"),
    ),
    Job(
        "Elbufer hotel lobby",
        "ELBE",
        8,
        11,
        steps=fit_out((1, "Priya", "Mood boards are on the server. I would drop the brass.")),
        customer="Hotel Elbufer",
        price=9_600_000,
        tags=("fit-out", "hospitality"),
    ),
    Job(
        "Tidal coworking",
        "TIDAL",
        10,
        13,
        steps=fit_out(
            (0, "Jonas", "Old sail loft, no right angle anywhere. Measured twice."),
            (1, "Ines", "Keep the beams visible, they are what people rent it for."),
            (4, "Rui", "The long table comes in three parts, or it will not make it up the stairs."),
        ),
        customer="Tidal Coworking",
        price=11_000_000,
        status="active",
        tags=("fit-out", "office"),
        loose=(
            Loose(
                "Send carpet tile samples to the customer",
                ("Priya",),
                2,
                "review",
                comments=(("Priya", "Sent two greens and a grey. Grey is the cheapest."), ("Mei", "Green, please.")),
            ),
            Loose(
                "Permit for the second escape route",
                ("Jonas",),
                -3,
                "blocked",
                "urgent",
                comments=(("Jonas", "The authority is waiting for a drawing from the neighbour. Called again."),),
            ),
            Loose("Quote for acoustic panels", ("Mei",), 6, "todo", "high"),
        ),
    ),
    Job(
        "Apotheke am Markt",
        "APO",
        13,
        16,
        steps=fit_out(),
        customer="Apotheke am Markt",
        price=7_200_000,
        status="planned",
        tags=("fit-out", "health"),
    ),
    Job(
        "Hansen stores",
        "HANSEN",
        0,
        14,
        steps=(
            Step("Store in Altona: layout", ("Mei", "Jonas"), 0, 22, 160),
            Step("Store in Bremen: layout", ("Mei", "Oskar", "Jonas"), 18, 45, 190),
            Step("Shop fittings: joinery details", ("Rui", "Oskar"), 10, 60, 260),
            Step("Store in Kiel: layout", ("Mei", "Priya", "Jonas"), 45, 75, 200),
            Step("Fittings: samples and prototypes", ("Rui",), 60, 100, 220),
            Step("Signage manual", ("Priya", "Mei"), 70, 97, 160),
        ),
        customer="Hansen & Söhne",
        rate=8_800,
        minutes=150_000,
        status="active",
        tags=("retail",),
        loose=(Loose("Answer the fire officer about Kiel", ("Jonas",), 1, "in_progress", "high"),),
    ),
    Job(
        "Solveig clinic wayfinding",
        "SOLV",
        3,
        13,
        steps=(
            Step("Walk the building with patients", ("Mei", "Jonas"), 0, 20, 60),
            Step("Signs and colours of the floors", ("Mei", "Priya", "Oskar"), 15, 60, 240),
            Step("Prototype signs", ("Rui",), 30, 70, 110),
            Step("Drawings of all signs", ("Priya", "Mei"), 55, 100, 220),
        ),
        customer="Klinik Solveig",
        rate=8_400,
        minutes=72_000,
        status="active",
        tags=("health",),
    ),
    Job(
        "Lighting for Studio Lumen",
        "LUMEN",
        0,
        7,
        steps=(
            Step("Light plan of the showroom", ("Mei", "Oskar"), 0, 50, 160),
            Step("Lamp holders in wood", ("Rui", "Jonas"), 30, 100, 140),
        ),
        customer="Studio Lumen",
        rate=9_500,
        minutes=40_000,
        status="on_hold",
        tags=("retail",),
        loose=(Loose("Second showroom: wait for the lease", ("Jonas",), 40, "blocked", "low"),),
    ),
)

NOTES = ("", "Drawings", "Second round", "Call with the customer", "On site", "Details", "Corrections", "Sketches")
