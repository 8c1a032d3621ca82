import type { Command } from 'commander';
import { wholeNumber } from '../../api/api-options.ts';
import { addServerOptions, addStationOptions, percent, ratesOf, SEED_MAX, type StationOptions } from '../options.ts';
import type { SimulateModemOptions } from './simulated-modem.ts';

/** A modem and a fleet have these options. */
export type ModemOptions = StationOptions & {
  readonly interval: number;
  readonly queue: number;
  readonly partials: number;
  readonly silences: number;
  readonly seed?: number;
};

export const addModemOptions = (command: Command, defaults: { readonly queue: number }): Command =>
  addStationOptions(
    addServerOptions(command, 4331)
      .option('-i, --interval <seconds>', 'between two reports', wholeNumber(1, 86_400), 10)
      .option('--queue <number>', 'reports kept while the server is away', wholeNumber(1, 1_000_000), defaults.queue),
  )
    .option('--partials <percent>', 'messages of which only half is sent before the connection is cut', percent, 0)
    .option(
      '--silences <percent>',
      'messages after which the modem reads nothing more, and makes another connection beside this one',
      percent,
      0,
    )
    .option('--seed <number>', 'same seed, same readings and faults', wholeNumber(0, SEED_MAX));

export const modemSettings = (options: ModemOptions) =>
  ({
    intervalSeconds: options.interval,
    queueLimit: options.queue,
    tls: options.tls,
    faults: { ...ratesOf(options), partial: options.partials, silence: options.silences },
    ...(options.messages !== undefined && { messages: options.messages }),
  }) satisfies Partial<SimulateModemOptions>;
