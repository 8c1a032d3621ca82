import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Interrupted } from '../command-line/interrupted.ts';

/** An API key has 40 characters. */
const LINE_MAX = 1_000;

/** Asks on the terminal; the question goes to standard error, since standard output is for results. */
export async function ask(question: string): Promise<string> {
  return answerOn(process.stderr, question);
}

/** Asks for what nobody else may see. */
export async function askSecretly(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await answerOn(nowhere, '');
  } finally {
    process.stderr.write('\n');
  }
}

async function answerOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const stop = new AbortController();
  lines.once('SIGINT', () => stop.abort(new Interrupted('SIGINT', 'Interrupted; nothing was kept.')));
  try {
    return (await lines.question(question, { signal: stop.signal })).trim();
  } finally {
    lines.close();
  }
}

/** Returns the first line of what a program gives. */
export async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += chunk.toString();
    if (text.includes('\n') || text.length > LINE_MAX) break;
  }
  return (text.split('\n')[0] ?? '').trim();
}
