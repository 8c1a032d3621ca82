/** Messages of stations count by what became of them. */
export type MessageCounts = {
  /** Different messages, sent at least once. */
  sent: number;
  acknowledged: number;
  /** These were sent again after a broken connection, or twice by a fault. */
  repeated: number;
  /** The server said that it never takes them. */
  refused: number;
};

export const noMessages = (): MessageCounts => ({ sent: 0, acknowledged: 0, repeated: 0, refused: 0 });
