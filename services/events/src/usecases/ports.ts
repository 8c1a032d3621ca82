import type { ApiCaller } from '@catchment/access';
import type { VisibleNodes } from '@catchment/node-replica';
import type { Event } from '../domain/event.ts';
import type { EventQuery } from '../domain/event-query.ts';

export type EventsDeps = { readonly events: EventStore; readonly nodes: VisibleNodes; readonly now: () => number };

/** What a caller asks of the events of a node. */
export type EventsCall = {
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Empty = of all nodes, where that is allowed. */
  readonly nodeRef: string;
};

/** Whose events a list may hold. */
export type EventScope = {
  readonly ownerId: string;
  /** undefined = every workspace. */
  readonly workspaceIds: readonly string[] | undefined;
  /** Events of the account itself, which have no workspace. */
  readonly withAccountEvents: boolean;
  /** undefined = of all nodes. */
  readonly nodeId: string | undefined;
  /** Nodes that the caller may not see though their workspace is open (docs/reference/people-and-security.md#effective-permissions). */
  readonly closedNodeIds: readonly string[];
  /** The nodes that the filter names, by customId. */
  readonly nodeIds: ReadonlyMap<string, string>;
};

/**
 * An event and its place in the order in which events were committed: whoever has read up to a position has missed nothing
 * before it. Positions grow; there are gaps.
 */
export type RecordedEvent = Event & { readonly position: number };

export type EventList = {
  /** By which the filter names nodes. */
  readonly customIds: readonly string[];
  /** Reads the list in batches. */
  readonly within: (scope: EventScope) => AsyncIterable<readonly Event[]>;
  /**
   * The next events of the list after a position, up to another one where it is given, in the order of recording; bounds, sort, skip and
   * limit of the query do not count.
   */
  readonly recordedAfter: (
    scope: EventScope,
    position: number,
    limit: number,
    upTo?: number,
  ) => Promise<readonly RecordedEvent[]>;
};

/** Places in the order of recording. */
export type Places = {
  /** Of the newest event of the account; 0 = none yet. */
  readonly newest: number;
  /** The highest that any event was given: it may be deleted, or not recorded yet. */
  readonly highest: number;
  /** Of the n-th event of the account after a position; undefined = there are fewer. */
  readonly endOfWindow: number | undefined;
};

/** Accounts of the events after a position, and how far they were looked for. */
export type NewlyRecorded = { readonly position: number; readonly ownerIds: readonly string[] };

export interface EventStore {
  /** Stores what is not stored yet and whose node has not been deleted. */
  record(events: readonly Event[]): Promise<void>;
  /** Removes the events of the event's node; it alone is left. */
  clear(event: Event): Promise<void>;
  /** Removes the events of nodes, and those that arrive later too. */
  forgetNodes(nodeIds: readonly string[]): Promise<void>;
  /**
   * Prepares a list.
   * @throws DomainError invalid_argument for filter and sort
   */
  list(query: EventQuery): EventList;
  /** The next events of all accounts after a position, in the order of recording. */
  recordedAfter(position: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** The newest position; 0 = none yet. */
  lastPosition(): Promise<number>;
  /** @param events n of the window; without a position there is none */
  placesAfter(ownerId: string, position: number | undefined, events: number): Promise<Places>;
  /** The accounts that have events after a position. */
  accountsAfter(position: number): Promise<NewlyRecorded>;
}

export interface EventRetention {
  /** Makes the months from the given time on. */
  makeMonthsAhead(nowMs: number): Promise<void>;
  /** @returns rows removed; 0 also when another replica is at it */
  purge(before: { readonly debugMs: number; readonly deletedNodesMs: number }): Promise<number>;
}

/** A CloudEvent on its way to a topic. */
export type TopicMessage = {
  /** Of the CloudEvent. */
  readonly id: string;
  /** Messages of one key stay in order: the owner. */
  readonly key: string;
  /** JSON. */
  readonly value: string;
};

export type Topic = {
  /**
   * Resolves when the topic has them. What is sent again has the same ids.
   * @returns those that it will never take, being too large
   * @throws DomainError unavailable (TOPIC_UNAVAILABLE) when that is not certain
   */
  send(messages: Iterable<TopicMessage>): Promise<{ readonly refused: readonly TopicMessage[] }>;
};

/** How far topics have come in the event log. */
export type TopicPositions = {
  /** Where a topic begins that is new. */
  begin(topic: string, position: number): Promise<void>;
  /**
   * Runs `work`, unless another replica does so, and stores the position that it answers.
   * @returns whether the position has moved
   */
  advance(topic: string, work: (position: number) => Promise<number>): Promise<boolean>;
};

/** What the writer of records has said of the ingest log, until it is in its topic. */
export type SettledLog = {
  /** All messages of the partition up to this one are stored, and which records of these columns. */
  settle(
    partition: number,
    sequence: number,
    columns: readonly { readonly sequence: number; readonly entry: number; readonly written: Uint8Array }[],
  ): Promise<void>;
  /** 0 = none yet. */
  upTo(partition: number): Promise<number>;
  /** By the index of the column's entry in its message. */
  verdicts(partition: number, sequence: number): Promise<ReadonlyMap<number, Uint8Array>>;
  stagePart(part: {
    readonly columnKey: string;
    readonly part: number;
    readonly partition: number;
    readonly sequence: number;
    readonly data: Uint8Array;
  }): Promise<void>;
  /** The staged parts of a column, in order. */
  partsOf(columnKey: string): Promise<readonly Uint8Array[]>;
  /** Drops what was said of messages up to this one. */
  forget(partition: number, sequence: number): Promise<void>;
  /** Removes parts of columns that are complete for long, or never will be. @returns how many */
  purge(): Promise<number>;
};
