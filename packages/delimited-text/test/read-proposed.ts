import { UTC_ZONE } from '@catchment/time';
import { proposeParser } from '../src/detection/propose-parser.ts';
import { openText } from '../src/records/open-text.ts';

export async function* once(text: string) {
  yield Buffer.from(text);
}

/** Returns what a proposal reads: names, types and units, and each row. */
export async function proposed(text: string) {
  const proposal = await proposeParser(once(text));
  const opened = await openText(once(text), { zone: UTC_ZONE, nowMs: 0, settings: proposal.parser });
  const rows: unknown[][] = [];
  for await (const { timeMs, cells } of opened.records())
    rows.push([
      new Date(timeMs)
        .toISOString()
        .slice(0, 23)
        .replace(/:00\.000$|\.000$/, ''),
      ...cells.map((cell) => cell?.value),
    ]);
  const keys = opened.series.map(({ key, type, units }) => `${key}|${type}|${units}`);
  return { ...proposal, keys, rows, report: opened.report };
}
export const lines = (...all: string[]) => `${all.join('\n')}\n`;
