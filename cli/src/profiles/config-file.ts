import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { UsageError } from '../command-line/failure.ts';

/** An installation and its key. */
export type Profile = { readonly url?: string; readonly key?: string };
export type Config = {
  readonly file: string;
  /** This profile counts where none is named; undefined: the address and key at the top of the file. */
  readonly chosen: string | undefined;
  readonly top: Profile;
  readonly profiles: Readonly<Record<string, Profile>>;
};

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the file that the Python client reads too (sdk/python/README.md). */
export const configFile = (env: NodeJS.ProcessEnv): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'catchment.toml');

/** @throws Error that names the file; never with what is in it */
export async function readConfig(file: string): Promise<Config> {
  return configOf(file, await textOf(file));
}

/** Keeps a profile, and leaves everything else in the file as it is, with its comments. @param isDefault it counts where none is named */
export async function saveProfile(
  file: string,
  name: string,
  { url, key }: Required<Profile>,
  isDefault: boolean,
): Promise<void> {
  checkName(name);
  const before = await textOf(file);
  const kept = withoutSection(before, name);
  const section = `[profiles.${name}]\nurl = ${quoted(url)}\nkey = ${quoted(key)}\n`;
  const text = `${isDefault ? withDefault(kept, name) : kept}${kept.trim() === '' ? '' : '\n'}${section}`;
  const { profiles, chosen } = configOf(file, before);
  await replace(file, text, {
    chosen: isDefault ? name : chosen,
    profiles: { ...profiles, [name]: { url, key } },
  });
}

/** @throws Error when there is none */
export async function removeProfile(file: string, name: string): Promise<void> {
  const before = await textOf(file);
  const { profiles, chosen } = configOf(file, before);
  if (!profiles[name]) throw new UsageError(unknownProfile(file, name, Object.keys(profiles)));
  const { [name]: _gone, ...left } = profiles;
  const kept = withoutSection(before, name);
  const isDefault = chosen === name;
  await replace(file, isDefault ? withDefault(kept, undefined) : kept, {
    chosen: isDefault ? undefined : chosen,
    profiles: left,
  });
}

export const unknownProfile = (file: string, name: string, known: readonly string[]): string =>
  `profile: ${file} has no profile '${name}'; known: ${known.join(', ') || 'none'}. "catchment login --profile ${name}" makes it`;

export function checkName(name: string): void {
  if (!NAME.test(name)) throw new UsageError('--profile: must be 1 to 64 letters, digits, _ or -');
}

function configOf(file: string, text: string): Config {
  let found: Record<string, unknown>;
  try {
    found = parse(text);
  } catch (error) {
    // The message of the parser shows the line, which may have a key.
    const { line, column } = error as { line?: number; column?: number };
    throw new Error(
      `${file}: is no TOML${line === undefined ? '' : ` (line ${line}, column ${column})`}: repair it, or move it away`,
    );
  }
  const profiles = Object.entries(tableOf(found.profiles)).map(
    ([name, profile]) => [name, profileOf(profile)] as const,
  );
  return { file, chosen: textIn(found.default), top: profileOf(found), profiles: Object.fromEntries(profiles) };
}

const tableOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function profileOf(value: unknown): Profile {
  const { url, key } = tableOf(value);
  const [ownUrl, ownKey] = [textIn(url), textIn(key)];
  return { ...(ownUrl !== undefined && { url: ownUrl }), ...(ownKey !== undefined && { key: ownKey }) };
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new Error(`${file}: cannot be read (${code})`, { cause: error });
  }
}

/** JSON's texts are TOML's basic strings. */
const quoted = (text: string): string => JSON.stringify(text);

/** Leaves out the lines from the head of a profile to the head of the next table. */
function withoutSection(text: string, name: string): string {
  const head = new RegExp(`^\\s*\\[\\s*profiles\\s*\\.\\s*(?:${name}|"${name}"|'${name}')\\s*\\]\\s*(?:#.*)?$`);
  let isWithin = false;
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isWithin = head.test(line);
    return !isWithin;
  });
  return kept.length === 1 && kept[0] === '' ? '' : `${kept.join('\n').trimEnd()}\n`;
}

/** `default` stands before all tables. */
function withDefault(text: string, name: string | undefined): string {
  const lines = text.split('\n');
  const tables = lines.findIndex((line) => /^\s*\[/.test(line));
  const top = (tables < 0 ? lines : lines.slice(0, tables)).filter((line) => !/^\s*default\s*=/.test(line));
  const rest = tables < 0 ? [] : lines.slice(tables);
  return [...(name === undefined ? [] : [`default = ${quoted(name)}`]), ...top, ...rest].join('\n').replace(/^\n+/, '');
}

/** Replaces the file as a whole or leaves it as it was; only its owner can read the new one, from its first byte on. */
async function replace(file: string, text: string, wanted: Pick<Config, 'chosen' | 'profiles'>): Promise<void> {
  const { chosen, profiles } = configOf(file, text);
  if (
    !isDeepStrictEqual(
      { chosen, profiles: { ...profiles } },
      { chosen: wanted.chosen, profiles: { ...wanted.profiles } },
    )
  )
    throw new Error(`${file}: is written in a way that this cannot change: change it by hand (sdk/python/README.md)`);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A link leads to where somebody keeps such files: it stays.
  const place = await realpath(file).catch(() => file);
  const draft = `${place}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns true where others than its owner may read it. */
export async function isOpenToOthers(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}
