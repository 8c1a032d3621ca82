import { Client } from '@catchment/client';
import { httpUrl } from '../api/api-options.ts';
import { answer } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { checkName, configFile, readConfig, saveProfile } from './config-file.ts';
import type { LoginOptions } from './login-options.ts';
import { ask, askSecretly, firstLine } from './prompt.ts';
import { bare } from './settings.ts';

/** Somebody waits, and has to see what is wrong with the address. */
const TRIES = 1;

/** Keeps an address and a key that work as a profile. */
export async function login({ url: given, profile, default: isChosen, json }: LoginOptions): Promise<void> {
  checkName(profile);
  const file = configFile(process.env);
  const { profiles, chosen } = await readConfig(file);
  const isTerminal = process.stdin.isTTY === true;
  if (given === undefined && !isTerminal) throw new UsageError('--url: must be given where there is no terminal');
  const url = bare(given ?? httpUrl(await ask('Address: ')));
  const key = isTerminal ? await askSecretly('API key (not shown): ') : await firstLine(process.stdin);
  if (key === '') throw new UsageError('key: is empty; nothing was kept');
  // The rights of the key do not matter: that it is a key does.
  for await (const _ of new Client({ url, key, retry: { tries: TRIES } }).nodes.list({ limit: 1, attr: '_id' })) break;
  const isDefault = isChosen || (chosen === undefined && Object.keys(profiles).length === 0);
  await saveProfile(file, profile, { url, key }, isDefault);
  const use = isDefault ? '' : ` Use it with --profile ${profile}, or CATCHMENT_PROFILE=${profile}.`;
  answer(
    { json: json === true },
    { profile, url, file, isDefault },
    () => `The key works. Profile ${profile} of ${url} is kept in ${file}.${use}`,
  );
}
