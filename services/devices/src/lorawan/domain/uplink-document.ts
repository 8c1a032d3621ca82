import { isStorableText, TEXT_MAX } from '@catchment/ids';
import { formatIsoMs } from '@catchment/time';
import type { Radio } from './uplink.ts';

export type UplinkValue = number | string | boolean;

/** One uplink has at most this many series, beside those of the radio. */
export const MAX_VALUES = 90;
const MAX_DEPTH = 4;
const MAX_KEY = 200;

/**
 * Returns values of what was decoded, by dotted names (docs/reference/iot.md#lorawan-uplinks).
 * @returns `isCut`: there are more than fit; `badText`: the name of a text that is too long, or has what nothing can keep
 */
export function flatten(decoded: object): {
  readonly values: ReadonlyMap<string, UplinkValue>;
  readonly isCut: boolean;
  readonly badText?: string;
} {
  const values = new Map<string, UplinkValue>();
  let isCut = false;
  let badText: string | undefined;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) isCut = true;
      else
        for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`, depth + 1);
      return;
    }
    if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'boolean') return;
    if (typeof value === 'number' && !Number.isFinite(value)) return;
    const name = path
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, '')
      .trim();
    if (name === '' || name.length > MAX_KEY || (!values.has(name) && values.size >= MAX_VALUES)) isCut = true;
    else if (typeof value === 'string' && !(isStorableText(value) && value.length <= TEXT_MAX)) badText ??= name;
    else values.set(name, value);
  };
  visit(decoded, '', 1);
  return { values, isCut, ...(badText !== undefined && { badText }) };
}

const DATA_TYPES = { number: 'NUMBER', string: 'TEXT', boolean: 'BOOLEAN' } as const;
const RADIO: Readonly<Record<keyof Radio, readonly [name: string, units: string]>> = {
  rssi: ['RSSI', 'dBm'],
  snr: ['SNR', 'dB'],
  gateways: ['Gateways', ''],
  port: ['Port', ''],
  counter: ['Counter', ''],
  battery: ['Battery', '%'],
  margin: ['Margin', 'dB'],
};

/** Returns the JTS document of an uplink: one record in each series. undefined: nothing was measured. */
export function uplinkDocument(
  timeMs: number,
  values: ReadonlyMap<string, UplinkValue>,
  radio: Radio,
): Record<string, unknown> | undefined {
  const columns: object[] = [];
  const f: Record<string, object> = {};
  const add = (name: string, value: UplinkValue, units = '') => {
    const dataType = DATA_TYPES[typeof value as keyof typeof DATA_TYPES];
    f[columns.length] = { v: value };
    columns.push({ name, series: name, dataType, ...(units !== '' && { units }) });
  };
  for (const [name, value] of values) add(name, value);
  for (const [field, [name, units]] of Object.entries(RADIO)) {
    const value = radio[field as keyof Radio];
    if (value !== undefined) add(`Radio - ${name}`, value, units);
  }
  if (columns.length === 0) return undefined;
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: { ...columns } },
    data: [{ ts: formatIsoMs(timeMs), f }],
  };
}
