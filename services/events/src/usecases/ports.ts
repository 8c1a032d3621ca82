import type { ApiCaller } from '@catchment/access';
import type { AcquisitionEvent, AlarmAt } from '@catchment/contracts/events';
import type { VisibleNodes } from '@catchment/node-replica';
import type { Event } from '../domain/event.ts';
import type { EventQuery } from '../domain/event-query.ts';

export type EventsDeps = { readonly events: EventStore; readonly nodes: VisibleNodes; readonly now: () => number };

/** A caller asks this of the events of a node. */
export type EventsCall = {
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Empty = of all nodes, where that is allowed. */
  readonly nodeRef: string;
};

/** A list may hold the events of these. */
export type EventScope = {
  readonly ownerId: string;
  /** undefined = every workspace. */
  readonly workspaceIds: readonly string[] | undefined;
  /** Events of the account itself, which have no workspace. */
  readonly withAccountEvents: boolean;
  /** undefined = of all nodes. */
  readonly nodeId: string | undefined;
  /** The caller may not see these nodes though their workspace is open (docs/reference/people-and-security.md#effective-permissions). */
  readonly closedNodeIds: readonly string[];
  /** The filter names these nodes by customId. */
  readonly nodeIds: ReadonlyMap<string, string>;
};

/**
 * An event has its place in the order in which events were committed: whoever has read up to a position has missed nothing
 * before it. Positions grow; there are gaps.
 */
export type RecordedEvent = Pick<Event, 'eventId' | 'ownerId' | 'nodeId' | 'timeMs'> & {
  readonly position: number;
  readonly text: EventText;
};

/** The API shows this JSON of an event, of the attributes that were asked for. */
export type EventText = string;

export type EventList = {
  /** The filter names nodes by these. */
  readonly customIds: readonly string[];
  /** Reads the list in batches. */
  readonly within: (scope: EventScope) => AsyncIterable<readonly EventText[]>;
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

/** Places in recording order. */
export type Places = {
  /** The account's newest event has this position; 0 = none. */
  readonly newest: number;
  /** The highest that any event was given: it may be deleted, or not recorded yet. */
  readonly highest: number;
  /** The n-th event of the account after a position is here; undefined = there are fewer. */
  readonly endOfWindow: number | undefined;
};

/** These accounts have events after a position; they were looked for this far. */
export type NewlyRecorded = { readonly position: number; readonly ownerIds: readonly string[] };

/** The events lie in a period, both bounds included. */
export type ActivePeriod = {
  readonly ownerId: string;
  /** All of its nodes; empty: `nodeIds`. */
  readonly workspaceId: string;
  readonly nodeIds: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
};

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
  /** Returns the alarms of nodes that were not cleared at a time. */
  alarmsAt(ownerId: string, nodeIds: readonly string[], timeMs: number): Promise<AlarmAt[]>;
  /** Returns the newest ACQUISITION events of a node, newest first. */
  acquisitionsOf(ownerId: string, nodeId: string, limit: number): Promise<AcquisitionEvent[]>;
  /** Returns the next events of all accounts after a position, in the order of recording. */
  recordedAfter(position: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Returns the newest position; 0 while there is none. */
  lastPosition(): Promise<number>;
  /** @param events n of the window; without a position there is none */
  placesAfter(ownerId: string, position: number | undefined, events: number): Promise<Places>;
  /** Counts events that raise an alarm, by type, most first. */
  countActive(period: ActivePeriod): Promise<readonly { readonly eventType: string; readonly count: number }[]>;
  /** Returns the accounts that have events after a position. */
  accountsAfter(position: number): Promise<NewlyRecorded>;
}

/** Unix ms; undefined = they are kept for ever. */
export type StoredBefore = {
  /** Accounts that have not set days have this time. */
  readonly allMs: number | undefined;
  /** The key is the owner id. */
  readonly own: ReadonlyMap<string, number | undefined>;
};

export interface EventRetention {
  /** Makes the months from the given time on. */
  makeMonthsAhead(nowMs: number): Promise<void>;
  /** @returns rows removed, until it is stopped; 0 also when another replica is at it */
  purge(before: { readonly debugMs: number; readonly deletedNodesMs: number }, stopping: AbortSignal): Promise<number>;
  /** Removes events of every level that were stored before a time of their account. @returns as `purge` */
  purgeStoredBefore(before: StoredBefore, stopping: AbortSignal): Promise<number>;
}
