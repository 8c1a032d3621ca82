import { installPackages } from './install-packages.ts';

const lines: string[] = [];
const options = { log: (line: string) => lines.push(line), yes: false };
beforeEach(() => lines.splice(0));

test('refuses without root or --yes, naming the command to run', async () => {
  const installing = installPackages(['postgres', 'nats', 'influx'], { ...options, isRoot: false, hasApt: true });
  await expect(installing).rejects.toThrow(
    'Run: sudo apt-get install -y --no-install-recommends postgresql nats-server influxdb',
  );
  expect(lines).toEqual([]); // nothing was begun
});

test.each([true, false])('without apt it says what else to do (root: %s)', async (isRoot) => {
  const installing = installPackages(['nats'], { ...options, yes: true, isRoot, hasApt: false });
  await expect(installing).rejects.toThrow(/nats-server not found.*container engine.*URL/);
});
