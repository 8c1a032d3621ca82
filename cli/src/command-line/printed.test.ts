import { EventEmitter } from 'node:events';
import { watchPrinted } from './printed.ts';

test.each([
  ['ENOSPC', ['Not all of it could be printed: write ENOSPC']],
  // `… | head`
  ['EPIPE', []],
])('what could not be printed is reported at the end, unless its reader has gone: %s', (code, expected) => {
  const program = Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter() });
  const reported: string[] = [];
  watchPrinted(program as never, ({ message }) => reported.push(message));
  for (let n = 0; n < 2; n += 1) program.stdout.emit('error', Object.assign(new Error(`write ${code}`), { code }));
  program.stderr.emit('error', new Error('write EIO'));
  expect(reported).toEqual([]);
  program.emit('exit');
  expect(reported).toEqual(expected);
});
