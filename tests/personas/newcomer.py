"""Somebody who has just built Weir."""
TITLE = "A newcomer's first hour"
ABOUT = "Somebody who has just built Weir, reads little, and makes the usual mistakes."
FILES = {}
TASKS = [
    dict(title="What is it?", line="weir", status=2, shows=[r"usage: weir COMMAND", r"weir train"]),
    dict(title="Which version is this?", line="weir version", shows=[r"^weir: +\d"], narrow=True),
    dict(title="A command misspelt", line="weir trian logreg", status=2, shows=[r"Did you mean 'weir train'"],
         narrow=True),
    dict(title="A model as an option", line="weir train --model logreg", status=2,
         shows=[r"no option but an argument: 'weir train MODEL'"]),
    dict(title="A first training", line="weir train logreg --data digits --steps 200 --dir run1",
         shows=[r"^Done after 200 steps", r"^Checkpoint: run1/model.ckpt-200"]),
    dict(title="The same again", line="weir train logreg --data digits --steps 200 --dir run1", status=1,
         shows=[r"holds a checkpoint already", r"--resume"], narrow=True),
    dict(title="Going on from it", line="weir train logreg --data digits --steps 300 --dir run1 --resume",
         shows=[r"resumed at step 200", r"Done after 300 steps"]),
    dict(title="What is in the folder?", line="weir inspect run1", shows=[r"model.ckpt-300"]),
    dict(title="Data that are not there", line="weir train logreg --data ~/mnist", status=1,
         shows=[r"No such file or directory", r"digits"], narrow=True),
    dict(title="What a second worker gains",
         line="weir demo --data digits --model logreg --steps 200 --out demo",
         shows=[r"The accuracy is what it should be", r"Report: demo/report.html"], narrow=True),
    dict(title="A page of the guide", line="weir help train-a-model | head -5", shows=[r"Train a model"]),
]
