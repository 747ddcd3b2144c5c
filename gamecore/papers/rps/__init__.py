"""The replication of the practice report on rock-paper-scissors."""
