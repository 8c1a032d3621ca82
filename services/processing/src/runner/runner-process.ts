import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Confined, confined } from './confine.ts';
import { encodeFrame, type Frame, FrameReader, MAX_FRAME_BYTES } from './frames.ts';
import type { Request } from './messages.ts';

/** The reason why a runner was ended. */
export type Death = 'stuck' | 'memory' | 'protocol' | 'exit' | 'closed';

export class RunnerEnded extends Error {
  readonly death: Death;
  constructor(death: Death) {
    super(`the runner ended: ${death}`);
    this.death = death;
  }
}

const START_LIMIT_MS = 30_000;
/** A runner that works is looked at so often. */
const WATCH_MS = 40;
/** A runner needs so much processor time beside its runs between two answers. */
const SPARE_MS = 250;
/** A process that sleeps: it gives no answer, and in this time by the clock on the wall it has hardly worked. A busy machine lets it work. */
const MAX_IDLE_MS = 60_000;
const HARDLY_MS = 100;
/** This factor applies where the system does not report the processor time of others. */
const WALL_FACTOR = 5;
/** Twice as much, and the service, is what a container is given. */
const MAX_RESIDENT_BYTES = 448 * 1024 * 1024;
const HEAP_MEBIBYTES = 192;
const MAX_ERROR_CHARACTERS = 4_000;
/** Kernels count processor time of others in these steps. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

const require = createRequire(import.meta.url);
/** A runner may read its own code and these libraries. */
const LIBRARIES = [
  '@jitl/quickjs-wasmfile-release-sync',
  '@jitl/quickjs-ffi-types',
  'acorn',
  'base64-js',
  'buffer',
  'everpolate',
  'ieee754',
  'moment',
  'moment-timezone',
  'quickjs-emscripten-core',
];

function folderOf(library: string): string {
  for (const base of require.resolve.paths(`${library}/package.json`) ?? []) {
    const folder = path.join(base, library);
    if (existsSync(path.join(folder, 'package.json'))) return realpathSync(folder);
  }
  throw new Error(`${library} is not installed`);
}

/** Makes the command line of a runner. */
function commandOf(script: string): Confined {
  const sourceFolder = path.resolve(import.meta.dirname, '..');
  const readable = [
    path.join(sourceFolder, 'runner'),
    path.dirname(script),
    path.join(sourceFolder, '..', 'package.json'),
    // Node looks for a library here before it looks in the folders above.
    path.join(sourceFolder, '..', 'node_modules'),
    ...LIBRARIES.map(folderOf),
  ];
  const args = [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disable-proto=throw',
    '--disallow-code-generation-from-strings',
    '--no-addons',
    '--no-experimental-global-navigator',
    '--expose-gc',
    '--stack-size=3900',
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    script,
  ];
  return confined(process.execPath, args, readable);
}

/** A request gets so much time before the runner counts as stuck. */
export type Patience = { readonly limitMs: number };

/** Evaluates programs in a child process, one request at a time. */
export class RunnerProcess {
  /** A person could do this so that it has fewer rights. */
  readonly advice: string | undefined;
  readonly #child: ChildProcess;
  readonly #ended = Promise.withResolvers<never>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #reader = new FrameReader();
  #death: Death | undefined;
  #waiting: { readonly onFrame: (frame: Frame) => boolean } | undefined;
  #cpuMs = 0;
  #heardMs = 0;
  /** The process was last seen to have worked at `atMs`, with processor time `cpuMs`. */
  #worked = { atMs: 0, cpuMs: 0 };
  #errorText = '';

  /**
   * @param onErrorText what the runner said on stderr before it ended; never of a program
   * @param script what it runs, which tests replace
   */
  constructor(
    onErrorText: (text: string) => void,
    script = fileURLToPath(new URL('./child/main.ts', import.meta.url)),
  ) {
    // The death of a runner that has nothing to do is no unhandled rejection.
    this.#ended.promise.catch(() => {});
    const { program, args, advice } = commandOf(script);
    this.advice = advice;
    this.#child = spawn(program, args, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.on('error', () => {
      this.end('exit');
      // It was never started: no exit follows.
      if (this.#child.pid === undefined) this.#gone.resolve();
    });
    this.#child.on('exit', () => {
      this.end('exit');
      this.#gone.resolve();
    });
    this.#child.stdin?.on('error', () => this.end('exit'));
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#errorText.length < MAX_ERROR_CHARACTERS)
        this.#errorText += chunk.toString('utf8', 0, MAX_ERROR_CHARACTERS);
    });
    // What it has said may come behind its exit.
    this.#child.on('close', () => {
      if (this.#errorText !== '') onErrorText(this.#errorText.slice(0, MAX_ERROR_CHARACTERS));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  /** Waits until it can work. @throws RunnerEnded */
  async started(): Promise<void> {
    await this.#wait({ limitMs: START_LIMIT_MS }, ({ head }) => head.type === 'hello' || this.#refuse());
  }

  /**
   * Sends a request; resolves when `onFrame` says that a frame was the last.
   * @throws RunnerEnded when it dies, does not answer, or answers what it should not
   */
  async request(head: Request, body: string, patience: Patience, onFrame: (frame: Frame) => boolean): Promise<void> {
    const bytes = encodeFrame(head, body);
    if (bytes.length > MAX_FRAME_BYTES) throw new RangeError('a request is too large');
    const answered = this.#wait(patience, onFrame);
    this.#child.stdin?.write(bytes);
    await answered;
  }

  end(death: Death): void {
    if (this.#death !== undefined) return;
    this.#death = death;
    this.#child.kill('SIGKILL');
    this.#ended.reject(new RunnerEnded(death));
  }

  /** Ends it, and waits until the system has no such process any more. */
  async close(): Promise<void> {
    this.end('closed');
    await this.#gone.promise;
  }

  async #wait({ limitMs }: Patience, onFrame: (frame: Frame) => boolean): Promise<void> {
    if (this.#death !== undefined) throw new RunnerEnded(this.#death);
    const done = Promise.withResolvers<void>();
    this.#waiting = {
      onFrame: (frame) => {
        if (!onFrame(frame)) return false;
        done.resolve();
        return true;
      },
    };
    this.#heard();
    const watch = setInterval(() => this.#look(limitMs), WATCH_MS);
    try {
      await Promise.race([done.promise, this.#ended.promise]);
    } finally {
      clearInterval(watch);
      this.#waiting = undefined;
    }
  }

  #take(chunk: Buffer): void {
    if (this.#death !== undefined) return;
    try {
      for (const frame of this.#reader.read(chunk)) {
        if (this.#waiting === undefined) this.#refuse();
        this.#heard();
        if (this.#waiting?.onFrame(frame)) this.#waiting = undefined;
      }
    } catch {
      this.end('protocol');
    }
  }

  #refuse(): never {
    throw new Error('the runner said something unexpected');
  }

  #heard(): void {
    this.#heardMs = performance.now();
    this.#cpuMs = this.#processorMs() ?? 0;
    this.#worked = { atMs: this.#heardMs, cpuMs: this.#cpuMs };
  }

  #look(limitMs: number): void {
    if (this.#isStuck(limitMs)) this.end('stuck');
    else if (this.#residentBytes() > MAX_RESIDENT_BYTES) this.end('memory');
  }

  #isStuck(limitMs: number): boolean {
    const nowMs = performance.now();
    const cpuMs = this.#processorMs();
    if (cpuMs === undefined) return nowMs - this.#heardMs > WALL_FACTOR * (limitMs + SPARE_MS);
    if (cpuMs - this.#worked.cpuMs >= HARDLY_MS) this.#worked = { atMs: nowMs, cpuMs };
    return cpuMs - this.#cpuMs > limitMs + SPARE_MS || nowMs - this.#worked.atMs > Math.max(MAX_IDLE_MS, limitMs);
  }

  /** Returns the processor time of the runner's main thread; undefined where the system does not report it. */
  #processorMs(): number | undefined {
    const text = this.#proc(`task/${this.pid}/stat`);
    if (text === undefined) return undefined;
    // The 14th and the 15th field are counted from behind the name, which may have blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  #residentBytes(): number {
    return Number(this.#proc('statm')?.split(' ')[1] ?? 0) * PAGE_BYTES;
  }

  #proc(name: string): string | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      return readFileSync(`/proc/${this.pid}/${name}`, 'utf8');
    } catch {
      return undefined;
    }
  }
}
