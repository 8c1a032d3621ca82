import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Installation } from './installation.ts';

const READER = fileURLToPath(new URL('./read-configuration.ts', import.meta.url));

/** The rules of a service say this about its settings. */
export type ServiceRules = {
  readonly service: string;
  /** The rules refuse these; the service does not start. */
  readonly problems: readonly string[];
  /** One process has at most this many connections to PostgreSQL; absent where it has none, or where something is refused. */
  readonly databaseConnections?: number;
};

/** Reads the settings of each service by its own rules, in a process that knows them: once, however many ask. */
export function serviceRules({ settings }: Installation): (signal: AbortSignal) => Promise<readonly ServiceRules[]> {
  let read: Promise<readonly ServiceRules[]> | undefined;
  return (signal) => {
    read ??= settings.size === 0 ? Promise.resolve([]) : readRules(settings, signal);
    return read;
  };
}

async function readRules(settings: Installation['settings'], signal: AbortSignal): Promise<readonly ServiceRules[]> {
  const child = spawn(process.execPath, [READER], { signal, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  // The settings go by stdin, not as arguments or environment: they hold secrets.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(Object.fromEntries(settings)));
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (code !== 0) throw new Error(`the rules of the services could not be read: ${errors.trim().split('\n')[0] ?? ''}`);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ServiceRules);
}
