-- How quality codes count in an account (semantics 6.4); NULL = as by default.
ALTER TABLE owners ADD COLUMN quality jsonb;
