import { readFileSync } from 'node:fs';
import { ConfigError } from '@catchment/config';
import { config as alarms } from '../services/alarms/src/config.ts';
import { config as devices } from '../services/devices/src/config.ts';
import { config as events } from '../services/events/src/config.ts';
import { config as gateway } from '../services/gateway/src/config.ts';
import { config as historic } from '../services/historic/src/config.ts';
import { config as nodes } from '../services/nodes/src/config.ts';
import { config as processing } from '../services/processing/src/config.ts';
import { config as render } from '../services/render/src/config.ts';

const SERVICES = [alarms, devices, events, gateway, historic, nodes, processing, render];

/** Reads the peers of each service, as the lines «a -- gRPC --> b & c» of the page draw them. */
function drawnPeers(page: string): Map<string, string[]> {
  const lines = page.matchAll(/^ *(\w+) -- gRPC --> (.+)$/gm);
  return new Map(Array.from(lines, ([, from = '', to = '']) => [from, to.split('&').map((name) => name.trim())]));
}

test('the diagram of README draws the calls that services are made for', () => {
  const drawn = drawnPeers(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  const used = SERVICES.map(({ name, uses }) => {
    const { peers, optionalPeers = [] } = uses as { peers: readonly string[]; optionalPeers?: readonly string[] };
    return [name, [...peers, ...optionalPeers]] as const;
  });
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(used));
});

/** Every service has these settings, which deploy/README.md and docs describe; the machine has one. */
const OF_EVERY = /^(?:LOG_LEVEL|REHEARSE_TRANSACTIONS|OTEL_\w+|PATH)$/;

type Config = { readonly read: (env: Readonly<Record<string, string | undefined>>) => unknown };

/** Lists the names of all that a service reads: some only where another one is set. */
function settingsOf(config: Config): string[] {
  const names = new Set<string>();
  for (const value of [undefined, 'a=http://a:1']) {
    const given: Record<string, string | undefined> = value === undefined ? {} : { KAFKA_SASL_MECHANISM: 'PLAIN' };
    const env = new Proxy(given, {
      get: (known, name: string) => {
        names.add(name);
        return known[name] ?? value;
      },
    });
    expect(() => config.read(env)).toThrow(ConfigError);
  }
  return [...names];
}

/** The names in the first column of the tables of a README; `<NAME>` stands for any. */
const namedIn = (readme: string): string[] =>
  [...readme.matchAll(/^\| (`[A-Z<][^|]*)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z0-9_<>]+)`/g)].map(([, name = '']) => name),
  );

const isOne = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replace('<NAME>', '[A-Z0-9_]+')}$`).test(name);

test.each(SERVICES)('the README of $name lists the settings that it reads, and no others', (config) => {
  const read = settingsOf(config);
  const named = namedIn(readFileSync(new URL(`../services/${config.name}/README.md`, import.meta.url), 'utf8'));
  const ours = (names: readonly string[]) => names.filter((name) => !OF_EVERY.test(name));
  expect(ours(read).filter((name) => !named.some((pattern) => isOne(name, pattern)))).toEqual([]);
  expect(ours(named).filter((pattern) => !read.some((name) => isOne(name, pattern)))).toEqual([]);
});
