-- Days that records, and events, of the account are kept (docs/operations/retention.md): 0 = for ever, NULL = as the installation has it.
ALTER TABLE owners ADD COLUMN record_days int CHECK (record_days BETWEEN 0 AND 36500),
  ADD COLUMN event_days int CHECK (event_days BETWEEN 0 AND 36500);
