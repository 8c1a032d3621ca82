-- No historic computes ratings any more: none that was not handed over is waited for. It is computed anew.
INSERT INTO ratings_released (released_time) SELECT now() WHERE NOT EXISTS (SELECT FROM ratings_released);
UPDATE ratings SET is_enabled = true, needs_check = digest <> '' WHERE NOT is_enabled;
