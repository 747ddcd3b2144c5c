"""The replication of feature importance by abstraction on Goofspiel (Fujii)."""
