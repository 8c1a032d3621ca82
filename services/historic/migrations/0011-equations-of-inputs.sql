-- The equation of the input's transform; empty = none. Then input_multiplier and input_offset hold what takes effect, otherwise 1 and 0.
ALTER TABLE ratings ADD COLUMN IF NOT EXISTS input_equation text NOT NULL DEFAULT '';
