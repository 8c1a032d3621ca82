import type { ContactWay } from '@catchment/query';

export type AcquisitionEvent = { readonly timeMs: number; readonly level: string; readonly message: string };

/** An event says this of a source's contacts; an event that says nothing of them is undefined. */
export type Said =
  | { readonly kind: 'contact'; readonly way: ContactWay; readonly stored: boolean }
  | {
      readonly kind: 'failure';
      readonly code: 'CONNECTION_FAILED' | 'ACQUISITION_FAILED' | 'REFUSED';
      readonly text: string;
    }
  | { readonly kind: 'clock'; readonly aheadSeconds: number };

type Reading = readonly [pattern: RegExp, said: (groups: Readonly<Record<string, string>>) => Said];

const contact = (way: ContactWay, stored: boolean) => (): Said => ({ kind: 'contact', way, stored });

/** The texts stand in docs/reference/acquisition.md#events-of-an-acquisition and docs/reference/events.md#standard-messages. */
const READINGS: readonly Reading[] = [
  [/^Processed \d+ records from API\b/, contact('WRITE', true)],
  [/^Processed \d+ records from /, contact('DATA', true)],
  [/^Acquired (?:and deleted )?'/, contact('FILE', false)],
  [/^No new records$/, contact('SESSION', false)],
  [/^Device \d+ connected$/, contact('CONNECTION', false)],
  [
    /^Connection failed: (?<text>.+?)(?: \[retry \d+ of \d+ in .+\])?$/s,
    ({ text = '' }) => ({ kind: 'failure', code: 'CONNECTION_FAILED', text }),
  ],
  [/^Acquisition failed: (?<text>.+)$/s, ({ text = '' }) => ({ kind: 'failure', code: 'ACQUISITION_FAILED', text })],
  [/^(?<text>Refused .+)$/s, ({ text = '' }) => ({ kind: 'failure', code: 'REFUSED', text })],
  [
    /^Clock of the logger set: it was (?<seconds>[\d.]+) s (?<way>fast|slow)$/,
    ({ seconds, way }) => ({ kind: 'clock', aheadSeconds: Number(seconds) * (way === 'fast' ? 1 : -1) }),
  ],
];

export function saidBy({ message }: Pick<AcquisitionEvent, 'message'>): Said | undefined {
  for (const [pattern, said] of READINGS) {
    const found = pattern.exec(message);
    if (found) return said(found.groups ?? {});
  }
  return undefined;
}
