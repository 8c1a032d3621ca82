import { appendFile, readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { isDeviceKey } from '../options.ts';

/** A modem of a fleet has what was made for it where the fleet was registered by this program. */
export type FleetModem = {
  readonly key: string;
  readonly secret?: string;
  readonly deviceId?: string;
  readonly sourceId?: string;
  /** These nodes were made for the whole fleet: its Location, then its Workspace where that was made too. */
  readonly placeIds?: readonly string[];
};

/** Reads a list of keys. @throws Error naming the file and the line, never what stands in it */
export async function readFleetKeys(file: string): Promise<FleetModem[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`);
  });
  const modems = fleetKeysOf(text, file);
  if (modems.length === 0) throw new Error(`${file} has no keys.`);
  return modems;
}

/**
 * Reads JSON lines such as `{"key": "123456789012", "secret": "…"}`, or CSV `key,secret`, also with this header.
 * @throws Error naming the line
 */
export function fleetKeysOf(text: string, file: string): FleetModem[] {
  const lines = text.split(/\r?\n/);
  const seen = new Set<string>();
  return lines.flatMap((line, n) => {
    if (line.trim() === '' || (n === 0 && /^\s*"?key"?\s*,/i.test(line))) return [];
    const modem = line.trimStart().startsWith('{') ? fromJson(line) : fromCsv(line);
    if (!modem || !isDeviceKey(modem.key))
      throw new Error(
        `${file}, line ${n + 1}: must be {"key": …, "secret": …} or key,secret; a key has 12 or 15 digits.`,
      );
    // A key without a secret has one modem; with secrets each registration has one.
    const identity = `${modem.key} ${modem.secret ?? ''}`;
    if (seen.has(identity)) throw new Error(`${file}, line ${n + 1}: names a modem a second time.`);
    seen.add(identity);
    return [modem];
  });
}

function fromJson(line: string): FleetModem | undefined {
  try {
    const { key, secret, deviceId, sourceId, placeIds } = JSON.parse(line) as Record<string, unknown>;
    if (typeof key !== 'string' || !(secret === undefined || secret === null || typeof secret === 'string')) return;
    return {
      key,
      ...(secret && { secret }),
      ...(typeof deviceId === 'string' && { deviceId }),
      ...(typeof sourceId === 'string' && { sourceId }),
      ...(Array.isArray(placeIds) && { placeIds: placeIds.map(String) }),
    };
  } catch {
    return undefined;
  }
}

function fromCsv(line: string): FleetModem | undefined {
  try {
    const [[key = '', secret = '', ...more] = []] = parse(line, { trim: true }) as string[][];
    return more.length > 0 ? undefined : { key, ...(secret !== '' && { secret }) };
  } catch {
    return undefined;
  }
}

/** Adds a modem to a list that only its owner can read: secrets are shown once. */
export const appendFleetKey = (file: string, modem: FleetModem): Promise<void> =>
  appendFile(file, `${JSON.stringify(modem)}\n`, { mode: 0o600 });
