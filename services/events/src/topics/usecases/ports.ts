/** A CloudEvent for a topic. */
export type TopicMessage = {
  /** Id of the CloudEvent. */
  readonly id: string;
  /** Messages of one key stay in order: the owner. */
  readonly key: string;
  /** JSON. */
  readonly value: string;
};

export type Topic = {
  /**
   * Resolves when the topic has them. A repeated message has the same id.
   * @returns those that it will never take, being too large
   * @throws DomainError unavailable (TOPIC_UNAVAILABLE) when that is not certain
   */
  send(messages: Iterable<TopicMessage>): Promise<{ readonly refused: readonly TopicMessage[] }>;
};

/** Topics have come so far in the event log. */
export type TopicPositions = {
  /** Notes where a new topic begins. */
  begin(topic: string, position: number): Promise<void>;
  /**
   * Runs `work`, unless another replica does so, and stores the position that it answers.
   * @returns whether the position has moved
   */
  advance(topic: string, work: (position: number) => Promise<number>): Promise<boolean>;
};

/** Holds what the writer of records has said of the ingest log, until it is in its topic. */
export type SettledLog = {
  /** All messages of the partition up to this one are stored, and which records of these columns. */
  settle(
    partition: number,
    sequence: number,
    columns: readonly { readonly sequence: number; readonly entry: number; readonly written: Uint8Array }[],
  ): Promise<void>;
  /** 0 = none yet. */
  upTo(partition: number): Promise<number>;
  /** Returns the verdicts by the index of the column's entry in its message. */
  verdicts(partition: number, sequence: number): Promise<ReadonlyMap<number, Uint8Array>>;
  stagePart(part: {
    readonly columnKey: string;
    readonly part: number;
    readonly partition: number;
    readonly data: Uint8Array;
  }): Promise<void>;
  /** Returns the staged parts of a column, in order. */
  partsOf(columnKey: string): Promise<readonly Uint8Array[]>;
  /** Drops what was said of these messages. */
  forget(partition: number, sequences: readonly number[]): Promise<void>;
  /** Removes what nobody came for: facts about messages that became dead letters, and parts of columns. */
  purge(): Promise<void>;
};
