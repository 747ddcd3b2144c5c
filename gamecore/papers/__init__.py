"""The replication: experiments, what they measured, and verdicts on what the papers print.

It imports the games; no game imports it.
"""
