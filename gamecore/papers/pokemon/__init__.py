"""The replication of δ-Nash players in a simplified Pokémon battle (Konishi, Ikeda and Hsueh)."""
