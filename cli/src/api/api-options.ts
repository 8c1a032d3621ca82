import { type Command, InvalidArgumentError } from 'commander';
import { dataDirOption } from '../data-dir.ts';
import { type Settings, settingsOf } from '../profiles/settings.ts';
import { openState, readRunning } from '../start/state.ts';
import { ApiClient } from './api-client.ts';

export type ApiOptions = {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly dataDir: string;
};

/** Adds the address of the API and the key to a command. */
export const addApiOptions = (command: Command): Command =>
  addUrlOptions(
    command.option(
      '--key <key>',
      'API key; the history of your shell keeps it: prefer CATCHMENT_KEY, or "catchment login"',
    ),
  );

/** Adds the address of the API of a command that takes the key from elsewhere only. */
export const addUrlOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the installation (or in the environment: CATCHMENT_URL)', httpUrl)
    .option('--profile <name>', 'address and key that "catchment login" keeps (or CATCHMENT_PROFILE)')
    .addOption(dataDirOption('without these: data folder of a local installation'));

export function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('must be an http or https address.');
  }
  return text.replace(/\/+$/, '');
}

/** @throws UsageError naming what is missing */
export async function apiClient(options: ApiOptions): Promise<ApiClient> {
  const { url, key } = await apiSettings(options);
  return new ApiClient(url, key);
}

/** Returns the address and the key of a command. @throws UsageError naming what is missing */
export function apiSettings(options: ApiOptions): Promise<Settings> {
  if (options.key !== undefined) noteKey(process.stderr);
  return settingsOf(options, process.env, runningHere);
}

/** Shows a person who types a key where it stays. */
export function noteKey(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): void {
  if (!stream.isTTY) return;
  stream.write(
    'Note: --key stays in the history of the shell and in the list of processes. Better: CATCHMENT_KEY in the environment, or "catchment login".\n',
  );
}

/** Finds the installation that runs on this machine, with the key that its first start made. */
async function runningHere(dataDir: string): Promise<Settings | undefined> {
  const running = await readRunning(dataDir);
  if (!running) return undefined;
  const { administrationKey = '' } = await openState(dataDir);
  return { url: running.url, key: administrationKey };
}

/** Collects the values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}.`);
  }
  return value;
};

/** Writes an id, or a customId with whatever signs it has, in a path. */
export const nodePath = (text: string): string =>
  text.startsWith('@') ? `@${encodeURIComponent(text.slice(1))}` : encodeURIComponent(text);
