import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { AccountsServiceService } from '@catchment/contracts/nodes';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';
import { freePort, ownNats, testDatabase, until } from '@catchment/testkit';

const SECRET = 'a-test-secret-of-more-than-32-characters';

test('the process becomes ready, serves, and ends in order on SIGTERM', async () => {
  await using db = await testDatabase();
  await using nats = await ownNats();
  const [grpcPort, healthPort, nobody] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts'), 'nodes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      GRPC_PORT: String(grpcPort),
      HEALTH_PORT: String(healthPort),
      SERVICE_TOKEN_SECRET: SECRET,
      NATS_URL: nats.url,
      DATABASE_URL: db.url,
      HISTORIC_ADDRESS: `127.0.0.1:${nobody}`,
    },
  });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += String(data);
  });
  const ended = once(child, 'close');
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok);
    const accounts = createGrpcClient(AccountsServiceService, `127.0.0.1:${grpcPort}`);
    const token = await new CallerSigner(SECRET).sign({ kind: 'service', service: 'test' });
    const request = { accountName: 'A', email: 'a@example.org', firstName: '', lastName: '', accountType: '' };
    const made = await accounts.createAccount(request, { token });
    expect(made.ownerId).toMatch(/^[0-9a-f]{24}$/);
    accounts.close();
    expect(printed).not.toContain(made.administrationKey);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  expect(printed).toContain('service stopped');
});
