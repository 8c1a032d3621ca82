import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('the process says when it is ready and ends cleanly on SIGTERM, leaving nothing behind but the folder of fonts that all starts share', async () => {
  const own = await mkdtemp(join(tmpdir(), 'render-process-'));
  const env = {
    PATH: process.env.PATH,
    TMPDIR: own,
    LOG_LEVEL: 'error',
    GRPC_PORT: '0',
    HEALTH_PORT: '0',
    SERVICE_TOKEN_SECRET: randomBytes(32).toString('hex'),
    NODES_ADDRESS: '127.0.0.1:1',
    HISTORIC_ADDRESS: '127.0.0.1:1',
    EVENTS_ADDRESS: '127.0.0.1:1',
  };
  const main = new URL('../../main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, 'render'], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let log = '';
  child.stdout?.on('data', (text) => {
    log += text;
  });
  try {
    const ended = once(child, 'exit');
    const [first] = await Promise.race([once(child, 'message'), ended]);
    expect({ first, log }).toEqual({ first: 'ready', log: '' });
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(await readdir(own)).toEqual([expect.stringMatching(/^catchment-fonts-\d+-[\da-f]{16}$/)]);
  } finally {
    child.kill('SIGKILL');
    await rm(own, { recursive: true, force: true });
  }
});
