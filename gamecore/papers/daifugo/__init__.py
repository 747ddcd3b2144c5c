"""The replication of a Daifugo player that lets another win (Ohmuro and Yokoyama)."""
