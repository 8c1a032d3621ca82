// `npm run test:python -w packages/pakbus`: PyCampbellCR1000 reads a table of a real station from the simulator; every value is compared
// with the file.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readToa5, SimulatedLogger } from '@catchment/pakbus/simulator';

const FILE = path.resolve(import.meta.dirname, '../../../cli/data/promice/CR1000_TableMem_10min_2016.dat.gz');
const LINES = 204;
const PYTHON = process.env.PYTHON ?? 'python3';
/** Their client shows floats as they are in four bytes, and a text of one character as its code. */
const isSame = (value: number, text: string) =>
  /^-?(?:nan|inf)?$/i.test(text) ||
  Math.fround(value) === Math.fround(Number(text)) ||
  (text.length === 1 && value === text.charCodeAt(0));

const lines = gunzipSync(readFileSync(FILE)).toString().split('\n').slice(0, LINES);
const { table } = readToa5(lines.join('\n'));
const [firstMs, lastMs] = [0, LINES - 5].map((place) => table.content.record(place).timeMs);
const logger = new SimulatedLogger({ address: 1, tables: [table], now: () => lastMs! });
const server = createServer((socket) => {
  const answer = logger.line();
  socket.on('data', (bytes: Buffer) => {
    for (const frame of answer(bytes)) socket.write(frame);
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as { port: number };

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const script = path.join(import.meta.dirname, 'read-logger.py');
const words = [script, String(port), table.name, iso(firstMs!), iso(lastMs! + 1_000)];
const { stdout } = await promisify(execFile)(PYTHON, words, { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 });
server.close();

const answer = JSON.parse(stdout.replaceAll(/\b(?:NaN|-?Infinity)\b/g, 'null')) as {
  tables: string[];
  program: string;
  clock: string;
  records: { time: string; number: number; fields: Record<string, number | string | null> }[];
};
assert.deepEqual(answer.tables, [table.name]);
assert.equal(answer.clock, iso(lastMs!));
const [, names, , , ...data] = lines.map((line) => line.trim().replaceAll('"', '').split(','));
assert.equal(answer.records.length, data.length);
let compared = 0;
for (const [n, { time, number, fields }] of answer.records.entries()) {
  const line = data[n]!;
  assert.equal(time, line[0]!.replace(' ', 'T'));
  assert.equal(number, Number(line[1]));
  for (const [column, name] of names!.entries()) {
    if (column < 2) continue;
    const value = fields[name];
    const text = line[column]!;
    const isRight =
      typeof value === 'number' ? isSame(value, text) : value === null || value?.replace(/\0+$/, '') === text;
    assert.ok(isRight, `line ${n + 5}, ${name}: ${value} is not ${text}`);
    compared++;
  }
}
process.stdout.write(
  `${answer.records.length} records, ${compared} values read by PyCampbellCR1000 are those of the file\n`,
);
