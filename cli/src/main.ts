import { failureOf, isAnswered, isPrinted } from './command-line/failure.ts';
import { watchPrinted } from './command-line/printed.ts';
import { programFor } from './command-line/program.ts';

watchPrinted(process, (error) => {
  if (!process.exitCode) report(error);
});

const args = process.argv.slice(2);
try {
  await (await programFor(args)).parseAsync(args, { from: 'user' });
} catch (error) {
  if (!isAnswered(error)) report(error);
}

function report(error: unknown): void {
  const failure = failureOf(error);
  if (!failure) return;
  const { code, ...shown } = failure;
  process.exitCode = code;
  if (args.includes('--json')) console.error(JSON.stringify({ error: shown }));
  else if (!isPrinted(error)) console.error(`\n${failure.message}`);
}
