import { UsageError } from '../command-line/failure.ts';
import { UNCHOSEN_DATA_DIR } from '../data-dir.ts';
import { type Config, configFile, type Profile, readConfig, unknownProfile } from './config-file.ts';

type SettingsSource = Profile & { readonly name: string };
export type Settings = { readonly url: string; readonly key: string };

export type Given = {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly dataDir: string;
};

/** Returns the settings of a local installation that runs, or undefined. */
export type Local = (dataDir: string) => Promise<Settings | undefined>;

/**
 * Returns the address and the key: of the options, then of the environment, then of a profile, then of the installation that runs on this
 * machine. A key is sent to an address other than that of its source only where the caller gives it.
 * @throws UsageError that says what is missing, and what to do
 */
export async function settingsOf(given: Given, env: NodeJS.ProcessEnv, local: Local): Promise<Settings> {
  const sources = await sourcesOf(given, env, local);
  const withUrl = sources.find(({ url }) => url);
  const withKey = sources.find(({ key }) => key);
  const file = configFile(env);
  if (!withUrl?.url)
    throw new UsageError(
      `No installation found. "catchment login" keeps the address and the key of one in ${file}; CATCHMENT_URL and CATCHMENT_KEY in the environment do too, and "npm start" starts one on this machine.`,
    );
  if (!withKey?.key)
    throw new UsageError(`No API key for ${withUrl.url}: "catchment login", or CATCHMENT_KEY in the environment.`);
  if (withKey.url && bare(withKey.url) !== bare(withUrl.url))
    throw new UsageError(
      `key: that of ${withKey.name} belongs to ${withKey.url}, but the address is ${withUrl.url}: give the key of that address too`,
    );
  return { url: bare(withUrl.url), key: withKey.key };
}

/** Lists the sources in the order in which they count. */
async function sourcesOf(given: Given, env: NodeJS.ProcessEnv, local: Local): Promise<SettingsSource[]> {
  const options = sourceOf('the options', given.url, given.key);
  // A profile that is named counts before the environment.
  const environment = sourceOf('the environment', env.CATCHMENT_URL, env.CATCHMENT_KEY);
  const before = given.profile ? [options] : [options, environment];
  if (isWhole(before)) return before;
  const asked = given.profile ?? (env.CATCHMENT_PROFILE || undefined);
  const isLocal = asked === undefined && given.dataDir !== UNCHOSEN_DATA_DIR;
  const profile = isLocal ? [] : [profileOf(await readConfig(configFile(env)), asked)];
  if (asked !== undefined || isWhole([...before, ...profile])) return [...before, ...profile];
  const running = await local(given.dataDir);
  if (!running) return [...before, ...profile];
  return [...before, ...profile, { name: 'the installation on this machine', ...running }];
}

const isWhole = (sources: readonly SettingsSource[]): boolean =>
  sources.some(({ url }) => url) && sources.some(({ key }) => key);

const sourceOf = (name: string, url: string | undefined, key: string | undefined): SettingsSource => ({
  name,
  ...(url && { url }),
  ...(key && { key }),
});

function profileOf({ file, chosen, top, profiles }: Config, asked: string | undefined): SettingsSource {
  const wanted = asked ?? chosen;
  if (wanted === undefined) return { name: file, ...top };
  const found = profiles[wanted];
  if (!found) throw new UsageError(unknownProfile(file, wanted, Object.keys(profiles)));
  return { name: `profile '${wanted}' of ${file}`, ...found };
}

/** Cuts off a slash at the end, and the path of the API, which people copy with it. */
export function bare(url: string): string {
  const text = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--url: must be an address such as https://catchment.example.org');
  return text;
}
