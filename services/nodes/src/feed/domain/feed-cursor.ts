/** A cursor goes back so far. */
export const KEPT_DAYS = 7;

/** A part lists nodes in the order of these places. */
export type NodePlace = { readonly createdMs: number; readonly nodeId: string };

/**
 * At this place in a stream of changes all that was committed in snapshot `from` is sent. Within the changes up to `to`, all nodes to
 * `after` are sent too. Snapshots are those of PostgreSQL (`pg_snapshot`); without `from` everything is to be sent.
 */
export type FeedCursor = {
  /** The stream shows this part of the nodes: a cursor continues with the same view alone. */
  readonly view: string;
  /** `from` was taken at this time, in Unix seconds. */
  readonly atSeconds: number;
  readonly from: string | undefined;
  readonly rest?: { readonly to: string; readonly after: NodePlace };
};

const SNAPSHOT = String.raw`\d{1,20}:\d{1,20}:[\d,]{0,4000}`;
const CURSOR = new RegExp(
  String.raw`^([\w-]{16})\.([0-9a-z]{1,8})\.(${SNAPSHOT}|)(?:\.(${SNAPSHOT})\.(-?\d{1,16})\.([0-9a-f]{24}))?$`,
);

export function cursorText({ view, atSeconds, from = '', rest }: FeedCursor): string {
  const text = `${view}.${atSeconds.toString(36)}.${from}`;
  return rest ? `${text}.${rest.to}.${rest.after.createdMs}.${rest.after.nodeId}` : text;
}

/** @returns undefined for a text that no stream has given */
export function parseCursor(text: string): FeedCursor | undefined {
  const [whole, view = '', at = '', from = '', to, createdMs, nodeId] = CURSOR.exec(text) ?? [];
  if (whole === undefined || (from === '' && to === undefined)) return undefined;
  return {
    view,
    atSeconds: Number.parseInt(at, 36),
    from: from === '' ? undefined : from,
    ...(to !== undefined && nodeId !== undefined && { rest: { to, after: { createdMs: Number(createdMs), nodeId } } }),
  };
}

/** Returns the first transaction number that a snapshot knows nothing of. */
export const nextOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? '0');
/** Returns the lowest one that was still under way. */
export const oldestOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[0] ?? '0');
