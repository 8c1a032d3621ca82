import { until } from '@catchment/testkit';
import type { Api } from './api.ts';

/** Times as Unix ms. */
type Record = { readonly v: number | string | null; readonly q?: number };
/** The keys are the series and Unix ms. */
export type Read = Map<string, Map<number, Record>>;

const PAGE_ROWS = 20_000;

/** Reads every record of every series, by GET /historic. @param series ids of parameters by their names */
export async function readAll(api: Api, series: ReadonlyMap<string, string>): Promise<Read> {
  const keys = [...series.keys()];
  const read: Read = new Map(keys.map((key) => [key, new Map()]));
  if (keys.length === 0) return read;
  let start = '1800-01-01T00:00:00.000Z';
  const rows = Math.ceil(PAGE_ROWS / keys.length);
  for (;;) {
    const query = `params=${[...series.values()].join(',')}&startTime=${start}&limit=${rows}&renderType=VALUE&renderFormat=`;
    // A busy store answers 503, and the read is repeated.
    const { json, status, text } = await until(
      async () => {
        const answer = await api.get(`/historic?${query}`);
        return answer.status !== 503 && answer;
      },
      { everyMs: 1000, what: 'the store has time for a read' },
    );
    if (status !== 200) throw new Error(text);
    for (const { ts, f } of json.data) {
      for (const n in f) {
        const { v, q } = f[n];
        const value = v?.$time === undefined ? v : Date.parse(v.$time);
        read.get(keys[Number(n)] ?? '')?.set(Date.parse(ts), { v: value, ...(q !== undefined && q !== null && { q }) });
      }
    }
    const last = json.data.at(-1);
    if (json.data.length < rows) return read;
    start = new Date(Date.parse(last.ts) + 1).toISOString();
  }
}
