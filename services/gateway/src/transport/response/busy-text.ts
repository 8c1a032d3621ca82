import type { Reason } from '@catchment/errors';
import { FAILURES } from './failures.ts';

/** These wait in the queue of a service that had no room for them in time (docs/adr/0006-fair-queues.md). */
const QUEUES: Readonly<Partial<Record<Reason, string>>> = {
  TOO_MANY_LISTS: 'lists; ask for fewer at a time, or for parts of them by limit and skip',
  TOO_MANY_READS: 'reads of records; ask for fewer at a time, or for shorter ranges',
  TOO_MANY_CHARTS: 'charts; ask for fewer at a time, or for smaller ones',
  TOO_MANY_REPORTS: 'reports; ask for fewer at a time',
  TOO_MANY_CHANGES: 'changes of nodes; send fewer at a time',
  TOO_MANY_WRITES: 'writes of records; send fewer at a time, or larger documents',
  TOO_MANY_SEGMENTS: 'parts of files; send or fetch fewer files at a time',
  TOO_MANY_PREVIEWS: 'previews; ask for fewer at a time',
  TOO_MANY_PAGES: 'pages and their tiles; open fewer at a time',
};

/** Says which requests had no turn, and what to do; undefined for any other reason. */
export function busyText(reason: Reason): string | undefined {
  const what = QUEUES[reason];
  return what && `${FAILURES[503].message}: the account’s turn did not come in time for so many ${what}`;
}
