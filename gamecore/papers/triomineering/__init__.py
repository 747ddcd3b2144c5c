"""The replication of MSUCB for Synchronized Triomineering."""
