import {
  COMPLETE,
  type Column,
  columnsOf,
  DENIED,
  NO_SUCH_VALUE,
  PakBusError,
  SET_VALUE,
  type Table,
  type Value,
} from '@catchment/pakbus';
import type { PendingControl, SessionProgress } from '../../acquisition/index.ts';
import { seriesOf } from '../domain/logger-columns.ts';
import type { PakBusSource } from '../domain/pakbus-source.ts';
import type { PakBusLink } from './pakbus-link.ts';

const REFUSALS: Readonly<Record<number, string>> = {
  [DENIED]: 'logger refused the value: the security code is wrong',
  [NO_SUCH_VALUE]: 'logger has no such variable',
  17: 'logger cannot convert the value',
  18: 'logger has no such element',
};

/**
 * Sets variables of the logger.
 * @throws CommunicationFailure; then the value may have been set or not, and stays pending
 */
export async function sendControls(
  link: PakBusLink,
  {
    tables,
    controls,
    source,
    progress,
  }: {
    readonly tables: readonly Table[];
    readonly controls: readonly PendingControl[];
    readonly source: PakBusSource;
    readonly progress: Pick<SessionProgress, 'controlled'>;
  },
): Promise<void> {
  for (const control of controls) {
    const refusal = await send(link, { control, tables, source });
    await progress.controlled(control, refusal);
  }
}

/** @returns why not, where it was refused */
async function send(
  link: PakBusLink,
  { control, tables, source }: { control: PendingControl; tables: readonly Table[]; source: PakBusSource },
): Promise<string | undefined> {
  if (control.family === 'TEXT') return 'texts cannot be sent to a PakBus logger';
  const found = findVariable(tables, control.series);
  if (!found) return `logger has no field ${control.series}`;
  const { table, column } = found;
  if (column.field.isReadOnly) return `${control.series} is read-only`;
  const value = loggerValue(control, column, source);
  if (value === undefined) return `${control.series} takes no such value`;
  const { securityCode } = source;
  const command = { securityCode, table: table.name, field: column.name, type: column.field.type, value };
  try {
    const { code } = await link.request(SET_VALUE, command);
    return code === COMPLETE ? undefined : (REFUSALS[code] ?? `logger refused the value with code ${code}`);
  } catch (error) {
    if (error instanceof PakBusError) return `${control.series} takes no such value`;
    throw error;
  }
}

function findVariable(tables: readonly Table[], series: string): { table: Table; column: Column } | undefined {
  for (const table of tables) {
    const column = columnsOf(table).find(({ name }) => seriesOf(table.name, name) === series);
    if (column) return { table, column };
  }
  return undefined;
}

function loggerValue({ family, value }: PendingControl, { type }: Column, { zone }: PakBusSource): Value {
  const known = type?.as?.family;
  if (family === 'TIME') return known === 'TIME' ? { timeMs: zone.localMsAt(Number(value)) } : undefined;
  const number = Number(value);
  return (known === 'NUMBER' || known === 'BOOLEAN') && Number.isFinite(number) ? number : undefined;
}
