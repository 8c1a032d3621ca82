-- The message of the log up to which historic has reported what it wrote, by partition: what it has not said of messages before will not be
-- said any more.
CREATE TABLE settled (
  partition int PRIMARY KEY,
  log_sequence bigint NOT NULL
);
