// Prints how each file of e2e/data/makers is read: `node services/devices/test/maker-table.ts [part of a name]`.
import { makerFiles } from '@catchment/testkit';
import { readMakerFile } from './read-maker-file.ts';

const [part = ''] = process.argv.slice(2);
const counts: Record<string, number> = {};
for (const file of makerFiles().filter(({ name }) => name.includes(part))) {
  const { problems, reported } = await readMakerFile(file);
  const result = problems.length === 0 ? file.outcome : 'wrong';
  counts[result] = (counts[result] ?? 0) + 1;
  const why = [...problems, file.notYet ?? ''].filter(Boolean).join('; ');
  process.stdout.write(`${result.padEnd(8)} ${file.name.padEnd(36)} ${(why || reported[0]) ?? ''}\n`);
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
