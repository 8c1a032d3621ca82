import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../src/start/paths.ts';

export const KEY = 'SecretKeySecretKeySecretKeySecretKey0123';
export type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Speaks HTTP as Catchment does, for failures that a whole Catchment has no reason to give. */
export class FakeApi {
  readonly asked: Asked[] = [];
  answer: RequestListener = (_request, response) => response.end('[]');
  #server: Server | undefined;

  async open(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { headers, method = '' } = request;
      const bytes = Buffer.concat(chunks);
      const sent = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const body = sent.length > 0 ? JSON.parse(sent.toString()) : undefined;
      this.asked.push({ method, url: new URL(request.url ?? '', this.url), headers, body });
      this.answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const { port } = (this.#server as Server).address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

/** Runs `catchment` with nothing of this machine's profiles. */
export function runCommand(
  args: readonly string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      path.join(ROOT, 'cli/bin/catchment'),
      [...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
    child.stdin?.on('error', () => {});
  });
}
