-- Entries that have waited since before migration 0009: their history begins with all that the store has by now.
UPDATE waiting_entries SET message_ms = (extract(epoch FROM now()) * 1000)::bigint WHERE message_ms IS NULL;
