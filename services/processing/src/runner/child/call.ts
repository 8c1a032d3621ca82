import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { ProgramError } from '../../domain/program.ts';
import { type Call, tooLong } from '../messages.ts';
import { newEngine, RUNTIME_LIMITS } from './engine.ts';
import { processorMs, readError, withClock } from './realm.ts';
import { BYTES, BYTES_LIBRARIES, CALLERS } from './texts.ts';

/** Decoders expect these to be there; nothing of it does anything. */
const PRELUDE = `var module = { exports: {} }; var exports = module.exports;
var console = { log() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {}, dir() {}, table() {}, assert() {}, time() {}, timeEnd() {} };`;
/** Made where a program speaks of it: reading the libraries takes some milliseconds. */
const NEEDS_BYTES = /\b(?:Buffer|TextDecoder|TextEncoder|atob|btoa|require)\b/;
/** A value has this many characters: with escapes it fits into a frame. */
const MAX_VALUE = 4 * 1024 * 1024;
const MAX_VALUES = 10_000;

class Refused extends Error {
  readonly error: ProgramError;
  constructor(error: ProgramError) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Makes an engine for one call: nothing is left of it for the next one, so nothing in it needs to be protected.
 * @returns what makes the call: it gives the values as they come, and returns why there are no more of them
 */
export async function prepareCall(
  { kind, code, argument, bytes, nowMs }: Call,
  limitMs: number,
): Promise<(onValue: (text: string) => void) => ProgramError | undefined> {
  const { engine } = await newEngine();
  const runtime = engine.newRuntime(RUNTIME_LIMITS);
  const context = runtime.newContext();
  if (NEEDS_BYTES.test(code)) makeBytes(context, limitMs);
  return (onValue) => {
    const endMs = processorMs() + limitMs;
    runtime.setInterruptHandler(() => processorMs() > endMs);
    try {
      withClock(nowMs, () => {
        evaluate(context, PRELUDE, 'prelude', limitMs).dispose();
        evaluate(context, code, 'program', limitMs).dispose();
        const call = evaluate(context, CALLERS[kind], 'caller', limitMs);
        const data = Buffer.from(bytes, 'base64');
        const given = [context.newString(argument), arrayBuffer(context, data), textOf(context, data)];
        const next = unwrap(context, context.callFunction(call, context.undefined, ...given), limitMs);
        for (let count = 0; ; count += 1) {
          const value = unwrap(context, context.callFunction(next, context.undefined), limitMs);
          if (context.typeof(value) === 'undefined') return;
          if (count >= MAX_VALUES) throw new Refused({ message: 'there are too many results' });
          onValue(textIn(context, value));
        }
      });
      return undefined;
    } catch (error) {
      if (error instanceof Refused) return error.error;
      return { message: 'stack overflow' };
    }
  };
}

function evaluate(context: QuickJSContext, text: string, name: string, limitMs: number): QuickJSHandle {
  return unwrap(context, context.evalCode(text, name), limitMs);
}

function makeBytes(context: QuickJSContext, limitMs: number): void {
  const make = evaluate(context, BYTES, 'bytes', limitMs);
  const libraries = evaluate(context, BYTES_LIBRARIES, 'libraries', limitMs);
  unwrap(context, context.callFunction(make, context.undefined, libraries, decoderOf(context)), limitMs).dispose();
}

/** Makes the TextDecoder of browsers, which the engine has not. */
const decoderOf = (context: QuickJSContext): QuickJSHandle =>
  context.newFunction('decode', (bytes, encoding, fatal, ignoreBOM) => {
    const name = context.getString(encoding);
    const options = { fatal: context.dump(fatal) === true, ignoreBOM: context.dump(ignoreBOM) === true };
    try {
      return context.newString(
        context.getArrayBuffer(bytes).consume(({ value }) => new TextDecoder(name, options).decode(value)),
      );
    } catch (error) {
      const isUnknown = error instanceof RangeError;
      const message = isUnknown ? `the encoding ${name.slice(0, 40)} is not known` : `the bytes are no ${name}`;
      return { error: context.newError(message) };
    }
  });

type Result = ReturnType<QuickJSContext['evalCode']>;

function unwrap(context: QuickJSContext, result: Result, limitMs: number): QuickJSHandle {
  if (!result.error) return result.value;
  const { isInterrupted, message, line } = result.error.consume((error) => readError(context, error));
  throw new Refused({ message: isInterrupted ? tooLong(limitMs) : message, ...(line > 0 && { line }) });
}

const arrayBuffer = (context: QuickJSContext, data: Buffer): QuickJSHandle =>
  context.newArrayBuffer(new Uint8Array(data).buffer);

/** Returns the bytes as a text of an encoding, decoded out here: in the engine it would take a hundred times as long. */
const textOf = (context: QuickJSContext, data: Buffer): QuickJSHandle =>
  context.newFunction('text', (encoding) => {
    const name = context.typeof(encoding) === 'string' ? context.getString(encoding) : 'utf-8';
    try {
      return context.newString(new TextDecoder(name).decode(data));
    } catch {
      return { error: context.newError(`the encoding ${name.slice(0, 40)} is not known`) };
    }
  });

function textIn(context: QuickJSContext, value: QuickJSHandle): string {
  if (context.typeof(value) !== 'string') throw new Refused({ message: 'the result is no text' });
  const length = context.getProp(value, 'length').consume((handle) => context.getNumber(handle));
  if (!(length <= MAX_VALUE)) throw new Refused({ message: 'the result is too large' });
  return value.consume((handle) => context.getString(handle));
}
