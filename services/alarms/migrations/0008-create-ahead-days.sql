-- Sources with a record that lay more than a day ahead, by the UTC day (of Unix time) on which it came: an event reports it once a day.
CREATE TABLE ahead_days (
  node_id text COLLATE "C" NOT NULL,
  day int NOT NULL,
  PRIMARY KEY (node_id, day)
);
