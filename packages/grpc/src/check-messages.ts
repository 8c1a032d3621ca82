import { DomainError } from '@catchment/errors';
import type { ServedStream, ServedUnary } from './call-runner.ts';
import type { Method } from './transport.ts';

/**
 * Returns the method as tests serve it inside a process: each message that crosses must be what a wire would have made of it,
 * and nobody can change it afterwards. A difference fails the call with an internal error that names the method and the
 * path of the property.
 */
export function checkingUnary({ path, handler }: ServedUnary, method: Method): ServedUnary {
  return {
    path,
    handler: async (request, context) => {
      const checkUnchanged = checkRequest(method, request);
      const response = await handler(request, context);
      checkUnchanged();
      checkResponse(method, response);
      return response;
    },
  };
}

/** Returns the same for a method whose answer is a stream. */
export function checkingStream({ path, handler }: ServedStream, method: Method): ServedStream {
  return {
    path,
    handler: async function* (request, context) {
      const checkUnchanged = checkRequest(method, request);
      for await (const response of handler(request, context)) {
        checkResponse(method, response);
        yield response;
      }
      checkUnchanged();
    },
  };
}

/** @returns checks the request again: bytes cannot be frozen */
function checkRequest({ path, requestSerialize, requestDeserialize }: Method, request: unknown): () => void {
  const sent = checkMessage(`${path}: request`, request, requestSerialize, requestDeserialize);
  return () => {
    if (!sent.equals(requestSerialize(request)))
      throw new DomainError('internal', 'INTERNAL', `${path}: bytes of the request were changed during the call`);
  };
}

function checkResponse({ path, responseSerialize, responseDeserialize }: Method, response: unknown): void {
  checkMessage(`${path}: response`, response, responseSerialize, responseDeserialize);
}

function checkMessage(
  at: string,
  message: unknown,
  serialize: (message: unknown) => Buffer,
  deserialize: (bytes: Buffer) => unknown,
): Buffer {
  try {
    const bytes = serialize(message);
    compare(at, message, deserialize(bytes));
    freeze(message);
    return bytes;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('internal', 'INTERNAL', `${at} cannot be encoded: ${String(error)}`, { cause: error });
  }
}

/** @throws DomainError internal with the path of the first difference */
function compare(at: string, sent: unknown, received: unknown): void {
  if (sent === received || (Number.isNaN(sent) && Number.isNaN(received))) return;
  if (sent instanceof Uint8Array && received instanceof Uint8Array) {
    if (Buffer.compare(sent, received) !== 0) differ(at, sent, received);
  } else if (Array.isArray(sent) && Array.isArray(received)) {
    if (sent.length !== received.length) differ(`${at}.length`, sent.length, received.length);
    for (const [index, entry] of sent.entries()) compare(`${at}[${index}]`, entry, received[index]);
  } else if (isPlain(sent) && isPlain(received)) {
    const names = new Set([...Object.keys(sent), ...Object.keys(received)]);
    for (const name of names) compare(`${at}.${name}`, sent[name], received[name]);
  } else differ(at, sent, received);
}

const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function differ(at: string, sent: unknown, received: unknown): never {
  const text = `${at} is ${brief(sent)}, and a wire would make it ${brief(received)}`;
  throw new DomainError('internal', 'INTERNAL', text);
}

function brief(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return Array.isArray(value) ? 'an array' : `an object of ${value.constructor?.name ?? 'no class'}`;
}

const frozen = new WeakSet<object>();

/** All but bytes, which cannot be. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || frozen.has(value)) return;
  frozen.add(Object.freeze(value));
  for (const part of Object.values(value)) freeze(part);
}
