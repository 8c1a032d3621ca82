import { readFileSync } from 'node:fs';
import { config as alarms } from '../services/alarms/src/config.ts';
import { config as devices } from '../services/devices/src/config.ts';
import { config as events } from '../services/events/src/config.ts';
import { config as gateway } from '../services/gateway/src/config.ts';
import { config as historic } from '../services/historic/src/config.ts';
import { config as nodes } from '../services/nodes/src/config.ts';
import { config as processing } from '../services/processing/src/config.ts';
import { config as render } from '../services/render/src/config.ts';

/** The peers of each service, as the lines «a -- gRPC --> b & c» of the page draw them. */
function drawnPeers(page: string): Map<string, string[]> {
  const lines = page.matchAll(/^ *(\w+) -- gRPC --> (.+)$/gm);
  return new Map(Array.from(lines, ([, from = '', to = '']) => [from, to.split('&').map((name) => name.trim())]));
}

test('the diagram of README draws the calls that services are made for', () => {
  const drawn = drawnPeers(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  const used = [alarms, devices, events, gateway, historic, nodes, processing, render].map(({ name, uses }) => {
    const { peers, optionalPeers = [] } = uses as { peers: readonly string[]; optionalPeers?: readonly string[] };
    return [name, [...peers, ...optionalPeers]] as const;
  });
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(used));
});
