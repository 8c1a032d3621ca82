-- The boundaries of a move are messages of the log now (docs/adr/0042-one-sequence.md), and writers claim nothing before they begin. So
-- replicas of the version before must move nothing any more: to them no move is ever due. What they have begun is gone on with here.
ALTER TABLE shard_moves
  ADD COLUMN try_time timestamptz NOT NULL DEFAULT '-infinity',
  ALTER COLUMN next_try SET DEFAULT 'infinity';
UPDATE shard_moves SET next_try = 'infinity';
ALTER TABLE shard_moves ADD CONSTRAINT shard_moves_next_try_check CHECK (next_try = 'infinity');

-- Boundaries: by partition, from 1; empty: there is no mark yet that was put into the log in this state.
ALTER TABLE shard_portions ALTER COLUMN boundaries SET DEFAULT '{}';

-- The copy that is no longer needed is gone.
ALTER TABLE portion_series ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
