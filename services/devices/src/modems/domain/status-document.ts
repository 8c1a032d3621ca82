import { formatIsoMs } from '@catchment/time';
import type { ModemStatus, StatusField } from './modem-message.ts';

const UNITS: Record<StatusField | 'latitude' | 'longitude', string> = {
  signal: 'dBm',
  supply: 'V',
  battery: '%',
  temperature: '°C',
  uptime: 's',
  latitude: '°',
  longitude: '°',
};

/**
 * Returns the JTS document of a status message: one record in each series `Status - <Field>` of the source (table `Status`,
 * docs/reference/devices.md#what-a-scout-sends; names after docs/reference/node-tree.md#names).
 * @returns undefined when the message measures nothing
 */
export function statusDocument(status: ModemStatus, arrivalMs: number): Record<string, unknown> | undefined {
  const measured = Object.entries({ ...status.values, ...status.position }) as [keyof typeof UNITS, number][];
  if (measured.length === 0) return undefined;
  const columns = measured.map(([field], index) => {
    const name = `Status - ${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    return [index, { name, series: name, dataType: 'NUMBER', units: UNITS[field] }];
  });
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: Object.fromEntries(columns) },
    data: [
      {
        ts: formatIsoMs(status.timeMs ?? arrivalMs),
        f: Object.fromEntries(measured.map(([, value], index) => [index, { v: value }])),
      },
    ],
  };
}

/** Returns the JTS document of a line of the modem's log: a record of the series `Logs - Message`. */
export const logDocument = (level: string, message: string, arrivalMs: number): Record<string, unknown> => ({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'Logs - Message', series: 'Logs - Message', dataType: 'TEXT' } } },
  data: [{ ts: formatIsoMs(arrivalMs), f: { 0: { v: `${level} ${message}` } } }],
});
