-- A siteId is that of one source in the installation; a Meshlium is distinguished by its authKey, so that no account learns of, or takes, what another one has.
-- The index keeps its name, and what pods of the version before ask is still found by it.
DROP INDEX nodes_station;
CREATE UNIQUE INDEX nodes_station ON nodes ((config -> 'transport' ->> 'class'), (COALESCE(config -> 'transport' ->> 'siteId',
  (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId'))),
  (CASE config -> 'transport' ->> 'class' WHEN 'Meshlium' THEN node_id ELSE '' END))
  WHERE config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium');
-- Counts how often a siteId that an account chose was refused on a day of UTC: few times, since each refusal says that there is such a station.
CREATE TABLE station_refusals (
  owner_id text COLLATE "C" PRIMARY KEY REFERENCES owners ON DELETE CASCADE,
  day date NOT NULL,
  refusals int NOT NULL
);
