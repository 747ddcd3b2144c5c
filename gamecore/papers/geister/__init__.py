"""The replication of retrograde analysis and CFR players for 4×4 Geister (Kawakami)."""
