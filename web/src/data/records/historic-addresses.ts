import { start } from '../session/session.ts';

/** Returns an address for a link to records of some nodes as a file; it names the account, as requests of ours do. */
export function historicAddress(
  ids: readonly string[],
  range: { readonly startMs: number; readonly endMs: number },
  format: 'CSV' | 'ARROW',
): string {
  const query = new URLSearchParams({
    params: ids.join(','),
    startTime: new Date(Math.floor(range.startMs)).toISOString(),
    endTime: new Date(Math.ceil(range.endMs)).toISOString(),
    format,
    ...(format === 'CSV' && { quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' }),
    account: start().account.id,
  });
  return `/api/v1/historic?${query}`;
}

/**
 * Addresses a picture of a node's records, drawn by the server: for those who may look at charts and not read records.
 * @param range of a chart node its own where there is none
 */
export function chartPictureAddress(
  id: string,
  range: { readonly startMs: number; readonly endMs: number } | undefined,
  size: { readonly width: number; readonly height: number },
): string {
  const query = new URLSearchParams({
    ...(range && {
      startTime: new Date(Math.floor(range.startMs)).toISOString(),
      endTime: new Date(Math.ceil(range.endMs)).toISOString(),
    }),
    format: 'SVG',
    width: String(Math.min(Math.max(Math.round(size.width), 100), 4_000)),
    height: String(Math.min(Math.max(Math.round(size.height), 100), 4_000)),
    account: start().account.id,
  });
  return `/api/v1/nodes/${encodeURIComponent(id)}/historic/chart?${query}`;
}
