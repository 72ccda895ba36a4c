"""Somebody who compares and measures."""
TITLE = "A researcher"
ABOUT = "Somebody who compares ways to train, and wants numbers for a table."
FILES = {}
TASKS = [
    dict(title="Two workers, asynchronous",
         line="weir train logreg --data digits --steps 100 --ps 1 --workers 2 --dir async",
         shows=[r"^Done after \d+ steps", r"^  worker 1 "], narrow=False),
    dict(title="The same, synchronous",
         line="weir train logreg --data digits --steps 100 --ps 1 --workers 2 --mode sync --dir sync",
         shows=[r"^Done after 100 steps", r"^  worker 1 +100 steps"], narrow=False),
    dict(title="How far apart are they?", line="weir ckpt diff async sync || true",
         lines=14),
    dict(title="One tensor", line="weir ckpt list sync", shows=[r"global_step"], narrow=True),
    dict(title="Events for a program", line="weir train logreg --data digits --steps 20 -o json | tail -1",
         shows=[r'"event": "end"', r'"status": 0']),
    dict(title="Events for a spreadsheet",
         line="weir train logreg --data digits --steps 20 --log-steps 10 -o csv | cut -d, -f1,2,4 | tail -4",
         shows=[r"^end,"]),
    dict(title="A rate that is too large", line="weir train logreg --data digits --rate 1e38 --optimizer sgd --steps 100", status=1,
         shows=[r"the loss is", r"lower --rate"], narrow=True),
    dict(title="Which experiments are there?", line="weir bench experiment --list", shows=[r"backup"], narrow=True),
    dict(title="An experiment misspelt", line="weir bench experiment bakup", status=2, shows=[r"bakup"]),
    dict(title="An experiment in a tiny form", lines=14, varies=True,  # a short run may not be sampled
         line="weir bench experiment softmax --quick --steps 2 --plain --out report 2>/dev/null; ls report",
         shows=[r"report.html", r"^softmax +(ps +workers|full +full)"]),
    dict(title="How fast is a step?", line="weir bench logreg --seconds 0.5", lines=24, varies=True),
]
