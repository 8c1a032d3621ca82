import { failureOf, isAnswered, isTold } from './command-line/failure.ts';
import { programFor } from './command-line/program.ts';

// What cannot be printed, for its reader has gone or a disk is full, ends no work: whoever needs it to be printed waits for it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const args = process.argv.slice(2);
try {
  await (await programFor(args)).parseAsync(args, { from: 'user' });
} catch (error) {
  if (!isAnswered(error)) tell(error);
}

function tell(error: unknown): void {
  const failure = failureOf(error);
  if (!failure) return;
  const { code, ...told } = failure;
  process.exitCode = code;
  if (args.includes('--json')) console.error(JSON.stringify({ error: told }));
  else if (!isTold(error)) console.error(`\n${failure.message}`);
}
