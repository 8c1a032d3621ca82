import type { Api } from '../api.ts';
import { type Operation, patternOf } from '../open-api.ts';
import type { FirstAccount } from './first-account.ts';
import { hidden, open, type Trial } from './walk.ts';

type OutsideRoute = Operation & {
  /** The OpenAPI document does not list it for this reason. */
  readonly reason: string;
  readonly needsKey: boolean;
  /** True if a key that only reads is refused. */
  readonly isWrite: boolean;
  readonly trials: (first: FirstAccount) => readonly Trial[];
};

const LINE = 'river v=666 1709251200000000000';
const INFLUX =
  'clients of InfluxDB look for it at the root of the gateway, and read failures in the words of InfluxDB (docs/reference/line-protocol.md)';

const route = (name: string, more: Pick<OutsideRoute, 'needsKey' | 'isWrite' | 'trials'>): OutsideRoute => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, path, pattern: patternOf(path), queryArguments: [], reason: INFLUX, ...more };
};
const writes = (name: string, argument: string): OutsideRoute =>
  route(name, {
    needsKey: true,
    isWrite: true,
    trials: ({ site, custom, attachmentSource, others }) =>
      [site.source, custom.source, custom.source.slice(1), site.point, custom.point, attachmentSource, ...others].map(
        (source) => hidden(`${name.split(' ')[1]}?${argument}=${encodeURIComponent(source)}`, LINE),
      ),
  });
const statement = (method: string): OutsideRoute =>
  route(`${method} /query`, {
    needsKey: true,
    isWrite: false,
    trials: ({ custom }) => [open(`/query?q=${encodeURIComponent(`CREATE DATABASE "${custom.source}"`)}`)],
  });
const greeting = (path: string): OutsideRoute =>
  route(`GET ${path}`, { needsKey: false, isWrite: false, trials: () => [open(path), open(`${path}?verbose=true`)] });

/** Routes beside those of the OpenAPI document: each is walked like one of them. */
export const OUTSIDE: readonly OutsideRoute[] = [
  writes('POST /write', 'db'),
  writes('POST /api/v2/write', 'bucket'),
  statement('GET'),
  statement('POST'),
  greeting('/ping'),
  greeting('/health'),
];

export const outsideRoute = (name: string): OutsideRoute | undefined => OUTSIDE.find((route) => route.name === name);

/** Asks like its clients: below the root, with the key as a token; none where it is empty. */
export async function askOutside({ url, key }: Pick<Api, 'url' | 'key'>, method: string, trial: Trial) {
  const response = await fetch(`${url}${trial.path}`, {
    method,
    ...(key !== '' && { headers: { Authorization: `Token ${key}` } }),
    ...(method !== 'GET' && { body: String(trial.body ?? '') }),
  });
  return { status: response.status, text: await response.text() };
}
