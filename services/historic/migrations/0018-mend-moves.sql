-- What the round over all nodes of the account that is under way has found of the workspace: series to move, or such as another move
-- holds. Only a round that has found none is the last. Of moves that are under way now nothing is known: one more round.
ALTER TABLE shard_moves ADD COLUMN IF NOT EXISTS round_found text NOT NULL DEFAULT 'series'
  CHECK (round_found IN ('none', 'held', 'series'));

-- Takes no new workspaces: it is about to be removed.
ALTER TABLE shards ADD COLUMN IF NOT EXISTS is_drained boolean NOT NULL DEFAULT false;

-- The last error of the removal of copies that are no longer needed, and when it is tried again.
ALTER TABLE shard_portions ADD COLUMN IF NOT EXISTS failure text;
ALTER TABLE shard_portions ADD COLUMN IF NOT EXISTS next_try timestamptz NOT NULL DEFAULT '-infinity';
