import { DomainError } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { TimeRange } from '@catchment/ingest-log';
import { MEASUREMENT, RUNS } from './storage-layout.ts';

/** The pieces of which statements are made. Only ids of 24 hex digits and whole numbers ever get into a statement. */

export function ofSeries(id: string): string {
  if (!isObjectId(id)) throw new DomainError('internal', 'NOT_AN_ID', 'a series id must be 24 hex characters');
  return `"s" = '${id.toLowerCase()}'`;
}

export const ofAnySeries = (ids: readonly string[]): string => `(${ids.map(ofSeries).join(' OR ')})`;

export function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new DomainError('internal', 'NOT_AN_INTEGER', 'a bound must be an integer');
  return value;
}

/** The bounds are included. */
export const inTime = ({ fromMs, toMs }: TimeRange): string =>
  `time >= ${whole(fromMs)}ms AND time <= ${whole(toMs)}ms`;

export function select(nodeId: string, fields: readonly string[], from = MEASUREMENT): string {
  const named = fields.map((field) => `"${field}"`).join(', ');
  return `SELECT ${named} FROM "${from}" WHERE ${ofSeries(nodeId)}`;
}

/** Deletes the records, and what their runs say about them. */
export const deletion = (condition: string): string =>
  [MEASUREMENT, RUNS].map((name) => `DELETE FROM "${name}" WHERE ${condition}`).join('; ');

/** Asks for an answer in pieces of this many rows, each with its time in Unix ms. */
export const inChunks = (rows: number): Record<string, string> => ({
  epoch: 'ms',
  chunked: 'true',
  chunk_size: String(rows),
});

/** A string field: only `"` and `\` are escaped; line breaks may stand inside the quotes. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
