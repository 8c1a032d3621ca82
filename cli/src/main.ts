import { failureOf, isAnswered, isTold } from './command-line/failure.ts';
import { watchPrinted } from './command-line/printed.ts';
import { programFor } from './command-line/program.ts';

watchPrinted(process, (error) => {
  if (!process.exitCode) tell(error);
});

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
