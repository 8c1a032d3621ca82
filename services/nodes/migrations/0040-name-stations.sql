-- A station of TcpServer and Meshlium transports is that of one source: what it sends could reach another account otherwise. No version so far has
-- received anything from a station; where several sources name one, the first that was made keeps it.
WITH named AS (
  SELECT node_id, row_number() OVER (
    PARTITION BY config -> 'transport' ->> 'class', COALESCE(config -> 'transport' ->> 'siteId',
      (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId'))
    ORDER BY created_ms, node_id) AS place
  FROM nodes
  WHERE config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium') AND COALESCE(config -> 'transport' ->> 'siteId',
    (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId')) IS NOT NULL
)
UPDATE nodes SET config = config #- '{transport,siteId}' #- '{transport,waspmoteId}', revision = nextval('node_revision')
FROM named WHERE named.node_id = nodes.node_id AND named.place > 1;
CREATE UNIQUE INDEX nodes_station ON nodes ((config -> 'transport' ->> 'class'), (COALESCE(config -> 'transport' ->> 'siteId',
  (config -> 'transport' ->> 'meshliumId') || ' ' || (config -> 'transport' ->> 'waspmoteId'))))
  WHERE config -> 'transport' ->> 'class' IN ('TcpServer', 'Meshlium');
-- Sources that bring data by themselves: the devices service lists them when it starts.
CREATE INDEX nodes_acquiring ON nodes (node_id) WHERE class COLLATE "C" LIKE 'source.%' AND class <> 'source.data.Processor'
  AND (COALESCE(config -> 'transport' ->> 'class', 'None') <> 'None' OR COALESCE(config ->> 'scheduleType', 'NONE') <> 'NONE');
