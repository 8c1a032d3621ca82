import type { Duplex } from 'node:stream';
import { COLUMNS_MAX } from '@catchment/ids';
import { formatIsoMs } from '@catchment/time';
import {
  CommunicationFailure,
  type LoggerDriver,
  type PendingControl,
  type SessionProgress,
} from '../../acquisition/index.ts';
import { blocksOf, type ReadBlock } from '../domain/read-plan.ts';
import { isBits, type Register } from '../domain/register.ts';
import { ModbusConnection, ModbusRefusal } from './modbus-connection.ts';

/** One event names this many refused registers. */
const MAX_REPORTED = 5;

/** Polls a Modbus TCP device (docs/reference/sources.md#modbus). */
export const modbusDriver = (answerMs?: number): LoggerDriver => ({
  sourceClass: 'source.data.Modbus',
  async run(pipe: Duplex, { source, controls, collects, progress, now, signal }) {
    const { unitId = 1, registers = [] } = source.attributes as { unitId?: number; registers?: readonly Register[] };
    const connection = new ModbusConnection(pipe, unitId, answerMs);
    const onAbort = () => pipe.destroy();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (controls.length > 0) {
        await progress.step('CONTROLLING');
        for (const control of controls) await send(connection, registers, control, progress);
      }
      if (collects) await collect(connection, registers, progress, now);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  },
});

async function send(
  connection: ModbusConnection,
  registers: readonly Register[],
  control: PendingControl,
  progress: SessionProgress,
): Promise<void> {
  const { series, value, family } = control;
  const register = registers.find((register) => register.series === series);
  const refuse = (reason: string) => progress.controlled(control, reason);
  if (!register) return refuse(`no entry of registers has the series ${series}`);
  if (register.table === 'INPUT' || register.table === 'DISCRETE')
    return refuse(`${register.table} registers can only be read`);
  if (family !== 'NUMBER' || typeof value !== 'number') return refuse('registers have numbers only');
  try {
    await connection.write(register, value);
  } catch (error) {
    if (error instanceof RangeError || error instanceof ModbusRefusal) return refuse(error.message);
    throw error;
  }
  await progress.controlled(control);
}

type Read = { readonly register: Register; readonly value: number };

async function collect(
  connection: ModbusConnection,
  registers: readonly Register[],
  progress: SessionProgress,
  now: () => number,
): Promise<void> {
  await progress.step('DOWNLOADING');
  if (registers.length === 0) {
    await progress.event('WARNING', 'registers: has no entry to read');
    return;
  }
  const timeMs = now();
  const found: Read[] = [];
  const refused: { readonly register: Register; readonly reason: string }[] = [];
  for (const block of blocksOf(registers)) await readBlock(connection, block, found, refused);
  if (refused.length > 0) {
    const shown = refused.slice(0, MAX_REPORTED).map(({ register, reason }) => `${nameOf(register)}: ${reason}`);
    const more = refused.length > MAX_REPORTED ? ` and ${refused.length - MAX_REPORTED} more` : '';
    const message = `${shown.join(', ')}${more}`;
    if (refused.length === registers.length) throw new CommunicationFailure(message);
    await progress.event('WARNING', `Registers not read: ${message}`);
  }
  if (found.length === 0) return;
  await progress.step('PROCESSING');
  for (let from = 0; from < found.length; from += COLUMNS_MAX)
    await progress.write(documentOf(timeMs, found.slice(from, from + COLUMNS_MAX)), from === 0 ? 1 : 0, 'Modbus');
}

/** One entry that a device has not makes it refuse the whole block: then each is read by itself. @throws CommunicationFailure */
async function readBlock(
  connection: ModbusConnection,
  block: ReadBlock,
  found: Read[],
  refused: { readonly register: Register; readonly reason: string }[],
): Promise<void> {
  try {
    const values = await connection.read(block);
    for (const [n, register] of block.registers.entries()) {
      const value = values[n];
      if (value !== undefined) found.push({ register, value });
    }
  } catch (error) {
    if (!(error instanceof ModbusRefusal)) throw error;
    const [register] = block.registers;
    if (register && block.registers.length === 1) refused.push({ register, reason: error.message });
    else
      for (const register of block.registers)
        for (const single of blocksOf([register])) await readBlock(connection, single, found, refused);
  }
}

const nameOf = ({ series, table, address }: Register): string => `${series} (${table} ${address})`;

function documentOf(timeMs: number, found: readonly Read[]): object {
  const columns = found.map(({ register: { series, units, table, type } }, n) => {
    const isTruth = isBits(table) || type === 'BOOLEAN';
    if (isTruth) return [n, { name: series, series, dataType: 'BOOLEAN' }];
    return [n, { name: series, series, dataType: 'NUMBER', ...(units && { units }) }];
  });
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: Object.fromEntries(columns) },
    data: [{ ts: formatIsoMs(timeMs), f: Object.fromEntries(found.map(({ value }, n) => [n, { v: value }])) }],
  };
}
