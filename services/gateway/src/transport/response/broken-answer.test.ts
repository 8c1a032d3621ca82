import { DomainError } from '@catchment/errors';
import { breakageOf, breakageOfSocket, levelOf, statusOf } from './broken-answer.ts';

const socketError = (code: string) => Object.assign(new Error(code), { code });

test.each([
  [
    'a peer that is away',
    breakageOf(new DomainError('unavailable', 'PEER_UNAVAILABLE', 'x')),
    'peer failed',
    'warn',
    500,
  ],
  ['a peer that refuses', breakageOf(new DomainError('not_found', 'NOT_FOUND', 'x')), 'peer failed', 'warn', 500],
  [
    'the time of the call',
    breakageOf(new DomainError('deadline_exceeded', 'DEADLINE_EXCEEDED', 'x')),
    'deadline',
    'warn',
    500,
  ],
  ['a fault of ours', breakageOf(new TypeError('x')), 'fault', 'error', 500],
  ['a reset by the client', breakageOfSocket(socketError('ECONNRESET')), 'client left', 'info', 499],
  ['a client that is gone', breakageOfSocket(socketError('EPIPE')), 'client left', 'info', 499],
  ['a network that fails', breakageOfSocket(socketError('ETIMEDOUT')), 'connection failed', 'warn', 499],
  ['what is no HTTP', breakageOfSocket(socketError('HPE_INVALID_METHOD')), 'client sent what is no HTTP', 'info', 499],
] as const)('%s', (_what, breakage, reason, level, status) => {
  expect([breakage.reason, levelOf(breakage), statusOf(breakage)]).toEqual([reason, level, status]);
});
