import { UsageError } from '../command-line/failure.ts';
import { UNCHOSEN_DATA_DIR } from '../data-dir.ts';
import { type Config, configFile, type Profile, readConfig, unknownProfile } from './config-file.ts';

type Place = Profile & { readonly name: string };
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
 * The address and the key: of the options, then of the environment, then of a profile, then of the installation that runs on this machine. A key
 * is sent to another address than its own place names only where the caller gives it.
 * @throws UsageError that says what is missing, and what to do
 */
export async function settingsOf(given: Given, env: NodeJS.ProcessEnv, local: Local): Promise<Settings> {
  const places = await placesOf(given, env, local);
  const withUrl = places.find(({ url }) => url);
  const withKey = places.find(({ key }) => key);
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

/** In the order in which they count. */
async function placesOf(given: Given, env: NodeJS.ProcessEnv, local: Local): Promise<Place[]> {
  const options = placeOf('the options', given.url, given.key);
  // A profile that is named counts before the environment.
  const environment = placeOf('the environment', env.CATCHMENT_URL, env.CATCHMENT_KEY);
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

const isWhole = (places: readonly Place[]): boolean => places.some(({ url }) => url) && places.some(({ key }) => key);

const placeOf = (name: string, url: string | undefined, key: string | undefined): Place => ({
  name,
  ...(url && { url }),
  ...(key && { key }),
});

function profileOf({ file, chosen, top, profiles }: Config, asked: string | undefined): Place {
  const wanted = asked ?? chosen;
  if (wanted === undefined) return { name: file, ...top };
  const found = profiles[wanted];
  if (!found) throw new UsageError(unknownProfile(file, wanted, Object.keys(profiles)));
  return { name: `profile '${wanted}' of ${file}`, ...found };
}

/** Without a slash at the end, and without the path of the API, which people copy with it. */
export function bare(url: string): string {
  const text = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--url: must be an address such as https://catchment.example.org');
  return text;
}
