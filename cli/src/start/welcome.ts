import { LISTENER_NAMES } from '@catchment/contracts/transports';
import { findChromium } from '@catchment/service/find-chromium';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { defaultDataDir } from '../data-dir.ts';
import type { ListenerPorts } from './listeners.ts';

const NO_REPORTS = `There is no Chromium: reports are refused until one is installed (Debian and Ubuntu: apt install chromium),
which needs no restart. Everything else works.`;

/** A first start makes an account, whose owner has this e-mail. */
export const OWNER_EMAIL = 'owner@catchment.example';

type Welcome = {
  readonly url: string;
  readonly key: string;
  /** The owner of the new account sets a password here; undefined at later starts. */
  readonly activateUrl: string | undefined;
  readonly dataDir: string;
  readonly hasDemonstration: boolean;
  /** Public dashboards. */
  readonly pages: readonly { readonly name: string; readonly path: string }[];
  /** Prefix of classes. */
  readonly namespace: string;
  /** Devices and their clients connect here. */
  readonly listeners: ListenerPorts;
  readonly seconds: number;
};

/** Prints the first steps: the address, the key, and three commands that work as printed. */
export function welcome(options: JsonOption, of: Welcome): void {
  const { url, key, activateUrl, dataDir, pages, listeners, seconds } = of;
  const ready = { url, key, ...(activateUrl !== undefined && { activateUrl }), dataDir, pages, listeners, seconds };
  answer(options, ready, () => textOf(of));
}

function textOf(of: Welcome): string {
  const { url, key, hasDemonstration, pages, namespace, listeners, seconds } = of;
  const commands = hasDemonstration ? demonstrationCommands(url, key) : emptyCommands(url, key, namespace);
  return `
Catchment is ready after ${seconds.toFixed(0)} s.

  Address              ${url}
  Administration key   ${key || '(yours: the accounts are those of a backup)'}
  API reference        ${url}/docs
  People sign in       ${signIn(of)}
  Devices connect      ${portsOf(listeners)}
${pages.map(({ name, path }) => `  ${name.padEnd(20)} ${url}${path}\n`).join('')}
Three commands to try in another terminal:

${commands.map(({ why, command }) => `  # ${why}\n  ${command}`).join('\n\n')}

${findChromium(process.env.PATH ?? '', process.env.CHROMIUM_PATH) ? '' : `${NO_REPORTS}\n\n`}Ctrl-C stops everything; the data is kept.`;
}

/** A link to set a password works once: who has lost it finds here how to have another one, at every start. */
export function signIn({
  url,
  key,
  activateUrl,
  dataDir,
}: Pick<Welcome, 'url' | 'key' | 'activateUrl' | 'dataDir'>): string {
  const where = dataDir === defaultDataDir() ? '' : ` --data-dir '${dataDir}'`;
  const anew = `npm run catchment -- person link ${key ? OWNER_EMAIL : 'E-MAIL'}${where}`;
  const first = activateUrl === undefined ? `${url}/auth/login` : `${activateUrl} (set a password first, once)`;
  return `${first}\n  New password         ${anew}`;
}

const portsOf = (listeners: ListenerPorts): string =>
  LISTENER_NAMES.map((name) => `${name} ${listeners[name]}`).join(', ');

type Example = { readonly why: string; readonly command: string };

function demonstrationCommands(url: string, key: string): Example[] {
  const get = (path: string) => `curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1${path}'`;
  return [
    { why: 'the tree of nodes', command: get('/nodes?attr=name,customId,currentValue,units') },
    {
      why: 'the last five readings of a weather station on the Greenland ice sheet',
      command: get('/nodes/@kpc-air-temperature/historic?endTime=2016-09-01T00:00:00Z&limit=5'),
    },
    {
      why: 'a flood on Dead Run as a picture: chart.png',
      command: `${get('/nodes/@dead-run-stage/historic/chart?startTime=2018-06-01T00:00:00Z&endTime=2018-07-02T00:00:00Z')} -o chart.png`,
    },
  ];
}

function emptyCommands(url: string, key: string, namespace: string): Example[] {
  const header = `-H 'X-Api-Key: ${key}'`;
  return [
    { why: 'what the API offers', command: `curl -s ${url}/api/v1/openapi.json` },
    {
      why: 'a first workspace',
      command: `curl -s ${header} -H 'Content-Type: application/json' -d '{"_class":"${namespace}.models.node.Workspace","name":"My workspace"}' ${url}/api/v1/nodes`,
    },
    { why: 'the nodes of the account', command: `curl -s ${header} ${url}/api/v1/nodes` },
  ];
}
