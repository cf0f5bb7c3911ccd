"""Speed and memory, measured as ratios in one run against peers and against the limit; run by `make bench`."""
