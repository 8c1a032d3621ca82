-- Boundaries of a move are messages of the log (migration 0019): nobody reads what writers claimed, or the rounds of moves before.
ALTER TABLE shard_claims DROP COLUMN claimed;
ALTER TABLE shard_moves DROP COLUMN next_try, DROP COLUMN scanned_to, DROP COLUMN round_found;
