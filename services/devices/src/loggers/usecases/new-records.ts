import { type LoggerRecord, type RecordLayout, type Selection, type Table, timeOf } from '@catchment/pakbus';
import { CommunicationFailure } from '../../acquisition/index.ts';
import type { Pointer } from '../domain/collection-memory.ts';
import type { LoggerCommands } from './logger-commands.ts';

/** A logger can name no later time. */
const FAR = timeOf({ seconds: 2 ** 31 - 1, nanoseconds: 0 });

/**
 * Reads what a table has beyond its pointer, up to what was its newest record at the beginning, in parts.
 * @param startMs of the logger's clock: older records are not wanted where nothing was collected yet
 * @throws TablesChanged, CommunicationFailure
 */
export async function* newRecords(
  commands: LoggerCommands,
  { table, layout, pointer, startMs }: NewRecords,
): AsyncGenerator<readonly LoggerRecord[]> {
  const ask = (selection: Selection) => commands.records(table, layout, selection);
  const newest = (await ask({ mode: 'newest', count: 1 })).at(-1);
  if (!newest || isSame(newest, pointer)) return;
  let part = await first(ask, { newest, pointer, startMs, signature: table.signature });
  while (part.length > 0) {
    checkOrder(table, part);
    yield part;
    const next = part.at(-1)!.number + 1;
    if (next > newest.number) return;
    part = await ask({ mode: 'numbers', from: next, to: newest.number + 1 });
    if ((part[0]?.number ?? next) < next) throw disorder(table);
  }
}

type NewRecords = {
  readonly table: Table;
  readonly layout: RecordLayout;
  readonly pointer: Pointer | undefined;
  readonly startMs: number | undefined;
};

const isSame = (record: LoggerRecord, pointer: Pointer | undefined) =>
  record.number === pointer?.number && record.timeMs === pointer.timeMs;

async function first(
  ask: (selection: Selection) => Promise<readonly LoggerRecord[]>,
  at: { newest: LoggerRecord; pointer: Pointer | undefined; startMs: number | undefined; signature: number },
): Promise<readonly LoggerRecord[]> {
  const { newest, pointer, startMs } = at;
  if (pointer?.signature === at.signature && pointer.number <= newest.number) {
    // The last known record is read too: where another one has its number, the table began anew.
    const part = await ask({ mode: 'numbers', from: pointer.number, to: newest.number + 1 });
    const [known] = part;
    if (known && known.number > pointer.number) return part;
    if (known && isSame(known, pointer)) {
      const rest = part.slice(1);
      return rest.length > 0 ? rest : ask({ mode: 'numbers', from: pointer.number + 1, to: newest.number + 1 });
    }
  }
  if (startMs === undefined || pointer) return ask({ mode: 'all' });
  return ask({ mode: 'times', from: { timeMs: startMs }, to: FAR });
}

function checkOrder(table: Table, records: readonly LoggerRecord[]): void {
  if (records.some(({ number }, n) => n > 0 && number <= records[n - 1]!.number)) throw disorder(table);
}
const disorder = ({ name }: Table) => new CommunicationFailure(`logger sent records of table ${name} out of order`);
