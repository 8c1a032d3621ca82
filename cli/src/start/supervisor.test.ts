import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { Supervisor } from './supervisor.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-logs-'));
});
afterEach(() => rm(folder, { recursive: true }));

function supervisor() {
  const said: string[] = [];
  return {
    said,
    supervisor: new Supervisor({ logFolder: folder, say: (line) => said.push(line), onChange: () => {} }),
  };
}
const program = (script: string) => ({ name: 'services', args: ['-e', script], env: process.env });
const refusal = {
  level: 'error',
  service: 'devices',
  msg: 'configuration refused',
  problems: ['FTP_PORT must be a port'],
};

test('a program that refuses its settings is not started again: the start ends, and says which setting', async () => {
  const { said, supervisor: keeper } = supervisor();
  await keeper.start(
    program(
      `console.log(${JSON.stringify(JSON.stringify(refusal))}); for (let n = 0; n < 100; n += 1) console.log('{"level":"info","msg":"service stopped"}'); process.exitCode = 78`,
    ),
  );
  await expect(keeper.refused).rejects.toThrow(
    `devices: configuration refused: FTP_PORT must be a port; correct it and start again (${folder}/services.log)`,
  );
  await keeper.stop([]);
  expect([said, (await readFile(keeper.logFile('services'), 'utf8')).split('refused').length]).toEqual([[], 2]);
});

test('a program that crashes is started again', async () => {
  const { said, supervisor: keeper } = supervisor();
  await keeper.start(program('process.exitCode = 1'));
  await until(() => said.length >= 2, { what: 'two restarts' });
  await keeper.stop([]);
  expect(said[0]).toMatch(/^services stopped unexpectedly \(exit code 1\), starting it again/);
});
