import { randomBytes } from 'node:crypto';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { BUILT_INS } from './built-ins.ts';
import { type EngineMemory, newEngine, RUNTIME_LIMITS } from './engine.ts';
import { HARDEN, KERNEL, KERNEL_PARTS, LIBRARIES, MOMENT_LIBRARIES, packedZone } from './texts.ts';

/** A new engine has this memory: what it reserves, and what a realm with libraries has touched of it. */
const RESERVED_BYTES = 16 * 1024 * 1024;
const TOUCHED_BYTES = 4 * 1024 * 1024;
/** The state that the kernel shares; its third entry says whether the slice is over, and why. */
const STATE_BYTES = 24;
const INTERRUPTED = 2;
/** The limit of a realm's beginning, which is no run yet. */
const BEGIN_MS = 2_000;
/** A slice ends with the run in which it has lasted so long. */
const SLICE_MS = 30;

/** The program cannot begin: its text is no program for QuickJS, or its beginning takes too long. */
export class NoProgram extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** The engine has lost its balance (its stack ran over): nothing of this realm can be believed any more. */
export class BrokenRealm extends Error {}

/** `now` of the realm that works at the moment; QuickJS asks the process for its clock. */
let clock: () => number = () => 0;
Date.now = () => clock();

/** Works in an engine whose time stands still. */
export function withClock<T>(nowMs: number, work: () => T): T {
  clock = () => nowMs;
  try {
    return work();
  } finally {
    clock = () => 0;
  }
}

/** Processor time of this thread. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

type RealmOptions = {
  readonly script: string;
  readonly firstOwnLine: number;
  readonly usesMoment: boolean;
  /** The kernel gets these options. */
  readonly program: object;
  readonly zone: { readonly name: string; readonly offsetMinutes: number | null };
};

/** A run was ended from outside by this. */
export type Interruption = { readonly isInterrupted: boolean; readonly message: string; readonly line: number };

/** Runs a program in an engine with separate memory. */
export class Realm {
  readonly #memory: EngineMemory;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  #kernel: QuickJSHandle | undefined;
  #statePointer = 0;
  #state = new Float64Array(0);
  /** Limits a run's processor time. */
  #limitMs = BEGIN_MS;
  #run = -1;
  #runCpuMs = 0;
  #sliceEndsMs = 0;

  static async create(options: RealmOptions): Promise<Realm> {
    const { memory, engine } = await newEngine();
    const runtime = engine.newRuntime(RUNTIME_LIMITS);
    const realm = new Realm(memory, runtime);
    realm.#begin(options);
    return realm;
  }

  private constructor(memory: EngineMemory, runtime: QuickJSRuntime) {
    this.#memory = memory;
    this.#runtime = runtime;
    runtime.setInterruptHandler(() => this.#isOver());
    this.#context = runtime.newContext();
  }

  /** The realm takes about this: memory that the engine has reserved from the beginning is hardly touched. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength - RESERVED_BYTES + TOUCHED_BYTES;
  }

  /** True where a job of a promise waits; no job is ever done, and the next run should not find it. */
  get hasLeftovers(): boolean {
    return this.#runtime.hasPendingJob();
  }

  feed(text: string): void {
    this.#guarded(() => this.#call('feed', this.#context.newString(text)));
  }

  /** Evaluates some runs. @returns whether there are more; what ended a run from outside */
  slice(count: number, limitMs: number): { readonly isMore: boolean; readonly isWorn: boolean } | Interruption {
    this.#limitMs = limitMs;
    this.#sliceEndsMs = performance.now() + SLICE_MS;
    const result = this.#guarded(() => this.#method('slice', this.#context.newNumber(count)));
    if (!result.error) {
      const bits = result.value.consume((value) => this.#context.getNumber(value));
      return { isMore: (bits & 1) > 0, isWorn: (bits & 2) > 0 };
    }
    return result.error.consume((error) => this.#interruption(error));
  }

  /** The run that was ended has failed. @returns whether there are more */
  interrupted(message: string, line: number): boolean {
    return this.#ended('interrupted', this.#context.newString(message), this.#context.newNumber(line));
  }

  /** The run that was the last took too long after all. @returns whether there are more */
  tooSlow(message: string): boolean {
    return this.#ended('tooSlow', this.#context.newString(message));
  }

  #ended(what: string, ...values: QuickJSHandle[]): boolean {
    return this.#guarded(() => this.#call(what, ...values)) === true;
  }

  /** Returns JSON of what the slices brought. */
  take(): string {
    return this.#guarded(() => this.#call('take')) as string;
  }

  #begin({ script, firstOwnLine, usesMoment, program, zone }: RealmOptions): void {
    const context = this.#context;
    this.#limitMs = BEGIN_MS;
    const packed = usesMoment && zone.offsetMinutes === null ? packedZone(zone.name) : undefined;
    const options = {
      ...program,
      firstOwnLine,
      builtIns: BUILT_INS,
      zone: { ...zone, packed, offsetMinutes: zone.offsetMinutes ?? 0 },
    };
    const boot = this.#evaluate(KERNEL, 'kernel');
    const parts = this.#evaluate(KERNEL_PARTS, 'kernel');
    const seal = this.#evaluate(HARDEN, 'kernel');
    const libraries = this.#evaluate(usesMoment ? MOMENT_LIBRARIES : LIBRARIES, 'library');
    const state = this.#share();
    const tick = context.newFunction('tick', () =>
      performance.now() > this.#sliceEndsMs ? context.true : context.false,
    );
    const kernel = this.#guarded(() =>
      context.callFunction(
        boot,
        context.undefined,
        parts,
        context.newString(JSON.stringify(options)),
        seal,
        libraries,
        tick,
        state,
      ),
    );
    this.#kernel = context.unwrapResult(kernel);
    const result = this.#guarded(() => context.evalCode(script, 'program'));
    const factory = result.error ? this.#refuse(result.error) : result.value;
    const loaded = this.#guarded(() => this.#method('load', factory));
    if (loaded.error) this.#refuse(loaded.error);
    for (const handle of [boot, parts, seal, libraries, tick, state]) handle.dispose();
  }

  #refuse(error: QuickJSHandle): never {
    const { message, line } = error.consume((handle) => this.#interruption(handle));
    throw new NoProgram(message, line);
  }

  #evaluate(text: string, name: string): QuickJSHandle {
    return this.#guarded(() => this.#context.unwrapResult(this.#context.evalCode(text, name)));
  }

  #method(name: string, ...values: QuickJSHandle[]) {
    const kernel = this.#kernel as QuickJSHandle;
    const method = this.#context.getProp(kernel, name);
    const result = this.#context.callFunction(method, kernel, ...values);
    for (const handle of [method, ...values]) handle.dispose();
    return result;
  }

  #call(name: string, ...values: QuickJSHandle[]): unknown {
    const result = this.#method(name, ...values);
    if (!result.error) return result.value.consume((value) => this.#context.dump(value));
    // The kernel itself failed: there was no memory left even for it.
    throw new BrokenRealm(result.error.consume((error) => this.#interruption(error).message));
  }

  #guarded<T>(work: () => T): T {
    this.#run = -1;
    clock = () => this.#shared()[1] ?? 0;
    try {
      return work();
    } catch (error) {
      if (error instanceof BrokenRealm || error instanceof NoProgram) throw error;
      throw new BrokenRealm('stack overflow', { cause: error });
    } finally {
      clock = () => 0;
    }
  }

  /** Memory that the kernel sees as an ArrayBuffer, and this process too. It is found by what is in it. */
  #share(): QuickJSHandle {
    const mark = randomBytes(STATE_BYTES);
    const handle = this.#context.newArrayBuffer(new Uint8Array(mark).buffer);
    this.#statePointer = Buffer.from(this.#memory.buffer).indexOf(mark);
    if (this.#statePointer < 0 || this.#statePointer % 8 !== 0) throw new Error('the engine copies what it is given');
    this.#shared().fill(0);
    return handle;
  }

  /** Returns the kernel's state, which lies in the memory of the engine; that moves when it grows. */
  #shared(): Float64Array {
    if (this.#state.length === 0 && this.#statePointer > 0)
      this.#state = new Float64Array(this.#memory.buffer, this.#statePointer, STATE_BYTES / 8);
    return this.#state;
  }

  /** QuickJS asks every some thousand steps whether it should go on. */
  #isOver(): boolean {
    const state = this.#shared();
    const run = state[0] ?? 0;
    if (performance.now() > this.#sliceEndsMs && state[2] === 0) state[2] = 1;
    const cpuMs = processorMs();
    if (run !== this.#run) {
      this.#run = run;
      this.#runCpuMs = cpuMs;
      return false;
    }
    if (cpuMs - this.#runCpuMs <= this.#limitMs) return false;
    if (state.length > 0) state[2] = INTERRUPTED;
    return true;
  }

  #interruption(error: QuickJSHandle): Interruption {
    return readError(this.#context, error);
  }
}

/** Reads what QuickJS says of an error that nothing of a program has caught. */
export function readError(context: QuickJSContext, error: QuickJSHandle): Interruption {
  const { message, stack, lineNumber } = (context.dump(error) ?? {}) as Record<string, unknown>;
  const line = /program:(\d{1,6})/.exec(String(stack))?.[1] ?? lineNumber ?? 0;
  const isInterrupted = message === 'interrupted';
  return { isInterrupted, message: String(message ?? error).slice(0, 500), line: Number(line) };
}
