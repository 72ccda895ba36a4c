"""Somebody who keeps servers running."""
TITLE = "An operator"
ABOUT = "Somebody who keeps tasks running on machines that are shared, full, or away."
FILES = {}
TASKS = [
    dict(title="Is this machine fit?", line="weir doctor", narrow=True, varies=True),
    dict(title="A port that there is not", line="weir server --port 99999", status=2, shows=[r"--port needs a whole number of at most 65535"]),
    dict(title="A server that is asked and then ended",
         line="weir server --port_file port & sleep 1; kill -HUP $!; kill -USR1 $!; sleep 0.5; kill $!; wait $!",
         shows=[r"^grpc://", r"SIGHUP"]),
    dict(title="A task that does not start",
         line="weir server --job_name worker --ps_hosts localhost:1 --worker_hosts localhost:0 --start-timeout 1",
         status=138, shows=[r"did not answer within 1 s: .*refused"], narrow=True),
    dict(title="A host that nobody knows",
         line="weir train logreg --data digits --job_name worker --ps_hosts ps.invalid:1 --worker_hosts localhost:0 "
              "--start-timeout 1",
         status=138, shows=[r"ps.invalid"]),
    dict(title="A folder that cannot be written", line="weir train logreg --data digits --dir /proc/run", status=1,
         shows=[r"/proc/run"], narrow=True),
    dict(title="Two trainings in one folder",
         line="weir train logreg --data digits --steps 100000000 --dir run -o json >/dev/null & sleep 1; "
              "weir train logreg --data digits --dir run --resume; status=$?; kill $!; wait $!; exit $status",
         status=1, shows=[r"another training writes to run"]),
    dict(title="A terminal that can do nothing", line="TERM=dumb weir train logreg --data digits --steps 100",
         shows=[r"^Done after 100 steps"], narrow=True),
    dict(title="No colours", line="NO_COLOR=1 weir train logreg --data digits --steps 100",
         shows=[r"^Done after 100 steps"]),
    dict(title="Settings by the environment", line="WEIR_TRAIN_STEPS=50 WEIR_TRAIN_DATA=digits weir train logreg",
         shows=[r"^Done after 50 steps"]),
    dict(title="Nobody to watch", line="weir top localhost:1", status=1, shows=[r"localhost:1"]),
]
