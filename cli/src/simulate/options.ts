import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';
import type { FaultRates } from './station/faults.ts';

/** Every simulated station that sends messages has these options. */
export type StationOptions = {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly messages?: number;
  readonly file?: string;
  readonly records: number;
  readonly drops: number;
  readonly duplicates: number;
  readonly clockJumps: number;
};

export const addServerOptions = (command: Command, port: number): Command =>
  command
    .option('-H, --host <host>', 'where the devices service listens', '127.0.0.1')
    .option('-p, --port <number>', 'its port', portNumber(1), port)
    .option('--tls', 'connect with TLS', false);

export const addStationOptions = (command: Command): Command =>
  command
    .option('-m, --messages <number>', 'of each (default: until stopped, or the file ends)', wholeNumber(1, 1e9))
    .option('-f, --file <file>', 'data from a delimited text (TOA5, RDB, CSV) in place of a simulated tank')
    .option('--records <number>', 'of the file, in one message', wholeNumber(1, 10_000), 1)
    .option('--drops <percent>', 'messages after which the connection is cut', percent, 0)
    .option('--duplicates <percent>', 'messages that are sent twice', percent, 0)
    .option('--clock-jumps <percent>', 'messages whose clock is wrong, by up to a day', percent, 0);

export const ratesOf = ({
  drops,
  duplicates,
  clockJumps,
}: Pick<StationOptions, 'drops' | 'duplicates' | 'clockJumps'>): FaultRates => ({
  drop: drops,
  duplicate: duplicates,
  clockJump: clockJumps,
});

export function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100)) throw new InvalidArgumentError('must be from 0 to 100.');
  return value;
}

export type Address = { readonly host: string; readonly port: number };

const PORT_MAX = 65_535;

export const portNumber = (least: 0 | 1) => wholeNumber(least, PORT_MAX);

export function hostAndPort(text: string): Address {
  const found = /^(.+):(\d{1,5})$/.exec(text);
  if (!found?.[1] || Number(found[2]) > PORT_MAX) throw new InvalidArgumentError('must be <host>:<port>.');
  return { host: found[1].replace(/^\[|\]$/g, ''), port: Number(found[2]) };
}

/** Accepts a 15-digit IMEI or a 12-digit device number. */
export const isDeviceKey = (text: string): boolean => /^(?:\d{15}|\d{12})$/.test(text);

export function deviceKey(text: string): string {
  if (!isDeviceKey(text)) throw new InvalidArgumentError('must be a 15-digit IMEI or a 12-digit device number.');
  return text;
}

export const SEED_MAX = 1_000_000_000;

/** Aborted by SIGINT or SIGTERM. @param onFirst what the first of two signals does instead */
export function stopSignal(onFirst?: (stop: () => void) => void): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let count = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      count += 1;
      if (count === 1 && onFirst) onFirst(stop);
      else stop();
    });
  }
  return controller.signal;
}

/** Prints a line with its time on stdout. */
export const printing =
  ({ json }: JsonOption) =>
  (message: string): void => {
    const time = new Date().toISOString();
    console.log(json ? JSON.stringify({ time, message }) : `${time} ${message}`);
  };
