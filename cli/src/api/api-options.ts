import { type Command, InvalidArgumentError } from 'commander';
import { dataDirOption } from '../data-dir.ts';
import { openState, readRunning } from '../start/state.ts';
import { ApiClient } from './api-client.ts';

export type ApiOptions = { readonly url?: string; readonly key?: string; readonly dataDir: string };

/** Address of the API and key of a command. */
export const addApiOptions = (command: Command): Command =>
  addUrlOptions(command.option('--key <key>', 'API key (better in the environment: CATCHMENT_KEY)'));

/** Address of the API of a command that takes the key from the environment only. */
export const addUrlOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the installation (or in the environment: CATCHMENT_URL)', httpUrl)
    .addOption(dataDirOption('without the two: data folder of a local installation'));

function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('must be an http or https address.');
  }
  return text.replace(/\/+$/, '');
}

/** @throws Error naming the missing option */
export async function apiClient(options: ApiOptions): Promise<ApiClient> {
  const url = options.url ?? (process.env.CATCHMENT_URL ? httpUrl(process.env.CATCHMENT_URL) : undefined);
  const key = options.key ?? process.env.CATCHMENT_KEY;
  if (url && key) return new ApiClient(url, key);
  const running = await readRunning(options.dataDir);
  if (!running) {
    throw new Error(
      'No installation found. Give its address and an API key (CATCHMENT_URL and CATCHMENT_KEY in the environment), or start one on this machine with "npm start".',
    );
  }
  const { administrationKey } = await openState(options.dataDir);
  const known = key ?? (url === undefined || url === running.url ? administrationKey : undefined);
  if (!known) throw new Error('No API key: set CATCHMENT_KEY in the environment.');
  return new ApiClient(url ?? running.url, known);
}

/** For options that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}.`);
  }
  return value;
};

/** In a path: an id, or a customId with whatever signs it has. */
export const nodePath = (text: string): string =>
  text.startsWith('@') ? `@${encodeURIComponent(text.slice(1))}` : encodeURIComponent(text);
