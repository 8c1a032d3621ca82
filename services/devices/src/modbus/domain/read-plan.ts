import { isBits, type Register, type Table, widthOf } from './register.ts';

/** A request reads this many registers, or bits, of a table. */
export type ReadBlock = {
  readonly table: Table;
  readonly start: number;
  readonly count: number;
  readonly registers: readonly Register[];
};

/** The protocol lets one request read this many at most. */
const MAX_REGISTERS = 125;
const MAX_BITS = 2_000;

/**
 * Returns requests for all entries, as few as their places allow. Registers between entries are not read: many devices
 * refuse a request that touches an address which they do not have.
 */
export function blocksOf(registers: readonly Register[]): ReadBlock[] {
  const sorted = [...registers].sort((a, b) =>
    a.table === b.table ? a.address - b.address : a.table.localeCompare(b.table),
  );
  const blocks: (ReadBlock & { registers: Register[] })[] = [];
  for (const register of sorted) {
    const { table, address } = register;
    const last = blocks.at(-1);
    const end = address + widthOf(register);
    const max = isBits(table) ? MAX_BITS : MAX_REGISTERS;
    if (last?.table === table && address <= last.start + last.count && end - last.start <= max) {
      const count = Math.max(last.count, end - last.start);
      blocks[blocks.length - 1] = { ...last, count, registers: [...last.registers, register] };
    } else blocks.push({ table, start: address, count: widthOf(register), registers: [register] });
  }
  return blocks;
}
