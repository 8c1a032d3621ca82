-- The codes that an account shows for numbers of its sources (docs/reference/quality.md#quality-codes), by these numbers;
-- NULL = all as they are.
CREATE FUNCTION shown_codes(quality jsonb) RETURNS jsonb IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_object_agg(source, code -> 'code')
  FROM jsonb_array_elements(quality -> 'codes') AS code, jsonb_array_elements_text(code -> 'sourceQuality') AS source
$$;
ALTER TABLE owners ADD COLUMN shown_codes jsonb GENERATED ALWAYS AS (shown_codes(quality)) STORED;
