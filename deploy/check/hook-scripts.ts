import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { CHART } from './helm.ts';

const TOKEN = 'token-of-the-pod';
/** A body that is a text is none of JSON. */
export type Answer = { readonly status: number; readonly body?: object | string };
export type Asked = { readonly request: string; readonly body: unknown };

/**
 * Starts as much of the API of Kubernetes as a hook asks, with what was asked. `request` is like `GET nodes`. Closes
 * with `await using`.
 */
export async function kubernetes(answer: (request: string, time: number, body: unknown) => Answer) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const name = `${request.method} ${request.url?.split('/').slice(-2).join('/')}`;
    const sent = await text(request);
    asked.push({ request: name, body: sent ? JSON.parse(sent) : undefined });
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const time = asked.filter((request) => request.request === name).length;
    const { status, body = {} } = isKnown ? answer(name, time, asked.at(-1)?.body) : { status: 401 };
    const isText = typeof body === 'string';
    response
      .writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json' })
      .end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** Runs a script of `files/` to its end, as the chart gives it to its pod. */
export async function runHook(script: string, url: string, settings: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hook-'));
  try {
    await writeFile(path.join(folder, 'token'), `${TOKEN}\n`);
    const parts = await Promise.all(
      ['kubernetes', script].map((name) => readFile(path.join(CHART, `files/${name}.mjs`), 'utf8')),
    );
    const env = {
      API_URL: url,
      TOKEN_FILE: path.join(folder, 'token'),
      PAUSE_MS: '5',
      NAMESPACE: 'water',
      ...settings,
    };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', parts.join('\n')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [said, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await exited, said: said + error };
  } finally {
    await rm(folder, { recursive: true });
  }
}
