-- Quality codes count so in an account (docs/reference/quality.md#quality-codes); NULL = as by default.
ALTER TABLE owners ADD COLUMN quality jsonb;
