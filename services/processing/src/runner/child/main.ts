// A runner evaluates programs that come by stdin, and answers by stdout, until stdin ends. It is started without rights and without an
// environment (`../runner-process.ts`); what programs do stays in their realms.
import { writeSync } from 'node:fs';
import { encodeFrame, FrameReader } from '../frames.ts';
import type { Request } from '../messages.ts';
import { answer } from './answer.ts';

// Local times of programs are those of UTC, wherever the runner is.
process.env.TZ = 'UTC';

const reader = new FrameReader();

function send(head: object, body?: string): void {
  const bytes = encodeFrame(head, body);
  for (let from = 0; from < bytes.length; ) from += writeSync(1, bytes, from);
}

let work = Promise.resolve();
process.stdin.on('data', (chunk: Buffer) => {
  for (const { head, body } of reader.read(chunk)) work = work.then(() => answer(head as Request, body, send));
});
process.stdin.on('end', () => process.exit(0));
send({ type: 'hello' });
