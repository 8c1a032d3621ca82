import vm from 'node:vm';
import type { ProgramError, ProgramText } from '../../domain/program.ts';
import { type Call, type DoneReason, type PreparedProgram, type Request, tooLong } from '../messages.ts';
import { prepareCall } from './call.ts';
import { compile } from './compile.ts';
import { BrokenRealm, type Interruption, NoProgram, processorMs, Realm } from './realm.ts';
import { type PreparedSource, placed, prepareExpression, prepareSource } from './source.ts';

type Send = (head: object, body?: string) => void;
type Opened = {
  readonly program: PreparedProgram;
  readonly source: PreparedSource;
  /** Size of text and nodes. */
  readonly bytes: number;
  realm: Realm | undefined;
};

/** Programs that are kept prepared, and what their realms may take in all. */
const MAX_PROGRAMS = 48;
const MAX_REALM_BYTES = 192 * 1024 * 1024;
const MAX_PROGRAM_BYTES = 48 * 1024 * 1024;
/** This much is freed before the memory of the engines is collected. */
const MAX_FREED_BYTES = 32 * 1024 * 1024;
/** An engine that is used once takes about this. */
const ENGINE_BYTES = 4 * 1024 * 1024;

/** The one that was used last comes last. */
const opened = new Map<string, Opened>();
let freedBytes = 0;

/** Does what a frame asks for. */
export async function answer(request: Request, body: string, send: Send): Promise<void> {
  switch (request.type) {
    case 'analyse':
      send({ type: 'analysed' }, JSON.stringify(await analyse(JSON.parse(body) as ProgramText)));
      break;
    case 'open': {
      if (body !== '') await open(request.key, body, send);
      else send({ type: opened.has(request.key) ? 'ready' : 'unknown' });
      break;
    }
    case 'run': {
      const program = opened.get(request.key);
      if (program === undefined) throw new Error('a program was not opened');
      opened.delete(request.key);
      opened.set(request.key, program);
      send({ type: 'done', reason: await run(program, body, request, send) });
      makeRoom();
      break;
    }
    case 'call': {
      const { limitMs } = request;
      const call = await prepareCall(JSON.parse(body) as Call, limitMs);
      const refusal = endingSomeTime(() => call((value) => send({ type: 'value' }, value)));
      if (refusal === undefined) send({ type: 'called' });
      else send({ type: 'refused' }, JSON.stringify(refusal));
      freedBytes += ENGINE_BYTES;
      collectFreed();
      break;
    }
  }
}

/** Reads a program, and has the engine read it too: it may know less of the language. */
async function analyse(text: ProgramText): Promise<object> {
  const source = prepareSource(text);
  if ('error' in source) return source;
  const refusal = await compile(source.script);
  return refusal === undefined ? source.analysis : { error: placed(refusal.message, source.place(refusal.line)) };
}

async function open(key: string, body: string, send: Send): Promise<void> {
  const program = JSON.parse(body) as PreparedProgram;
  const { kind, code, sharedCode } = program;
  const source = kind === 'expression' ? prepareExpression(code) : prepareSource({ kind, code, sharedCode });
  const refuse = (error: ProgramError) => send({ type: 'refused' }, JSON.stringify(error));
  if ('error' in source) return refuse(source.error);
  const loaded: Opened = { program, source, bytes: 2 * body.length, realm: undefined };
  const refusal = await begin(loaded);
  if (refusal !== undefined) return refuse(refusal);
  opened.set(key, loaded);
  makeRoom();
  send({ type: 'ready' });
}

/** Makes the realm of a program. @returns why there is none */
async function begin(loaded: Opened): Promise<ProgramError | undefined> {
  const { program, source } = loaded;
  const { code: _, sharedCode: __, zone, ...rest } = program;
  try {
    loaded.realm = await Realm.create({
      script: source.script,
      firstOwnLine: source.firstOwnLine,
      usesMoment: source.usesMoment,
      program: rest,
      zone,
    });
    return undefined;
  } catch (error) {
    if (error instanceof NoProgram) return placed(error.message, source.place(error.line));
    if (error instanceof BrokenRealm) return { message: error.message };
    throw error;
  }
}

/** Evaluates the runs of a chunk. @returns why it stops */
async function run(
  loaded: Opened,
  chunk: string,
  { limitMs, count, budgetMs }: Extract<Request, { type: 'run' }>,
  send: Send,
): Promise<DoneReason> {
  const endMs = performance.now() + budgetMs;
  try {
    if (loaded.realm === undefined && (await begin(loaded)) !== undefined)
      throw new BrokenRealm('the program cannot begin');
    const realm = loaded.realm as Realm;
    realm.feed(chunk);
    for (;;) {
      const beganMs = processorMs();
      const slice = endingSomeTime(() => realm.slice(count, limitMs));
      const tookMs = processorMs() - beganMs;
      let isMore: boolean;
      let isWorn = true;
      if (!('isMore' in slice)) isMore = realm.interrupted(interruptionText(slice, limitMs), slice.line);
      else {
        ({ isMore, isWorn } = slice);
        // Something that cannot be interrupted took its time.
        if (tookMs > limitMs && count > 1) throw new BrokenRealm('slow');
        if (tookMs > limitMs) isMore = realm.tooSlow(tooLong(limitMs));
      }
      send({ type: 'part' }, realm.take());
      // The next run shall not find what a promise has left, nor what a run that was ended was about.
      isWorn ||= realm.hasLeftovers;
      if (isWorn) close(loaded);
      if (!isMore) return 'all';
      if (isWorn) return 'time';
      if (performance.now() > endMs) return 'time';
    }
  } catch (error) {
    if (!(error instanceof BrokenRealm) && (error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw error;
    close(loaded);
    return 'unclear';
  }
}

const interruptionText = ({ isInterrupted, message }: Interruption, limitMs: number): string =>
  isInterrupted ? tooLong(limitMs) : message;

const script = new vm.Script('catchmentWork()');
const ORPHAN_LIMIT_MS = 1_800_000;

/**
 * Ends work that no interrupt of the engine reaches, should nobody be there to end this process. This is a time by the clock on the wall,
 * which says nothing of the work on a busy machine: whoever has started this process ends it by its processor time long before.
 */
function endingSomeTime<T>(work: () => T): T {
  Object.assign(globalThis, { catchmentWork: work });
  return script.runInThisContext({ timeout: ORPHAN_LIMIT_MS }) as T;
}

function close(loaded: Opened): void {
  freedBytes += loaded.realm?.memoryBytes ?? 0;
  loaded.realm = undefined;
}

/** Forgets the programs that were used least lately, and their realms, as long as they are too many or too large. */
function makeRoom(): void {
  const sumOf = (bytesOf: (loaded: Opened) => number) =>
    [...opened.values()].reduce((sum, entry) => sum + bytesOf(entry), 0);
  let realmBytes = sumOf(({ realm }) => realm?.memoryBytes ?? 0);
  let programBytes = sumOf(({ bytes }) => bytes);
  for (const [key, loaded] of opened) {
    const fits = realmBytes <= MAX_REALM_BYTES && programBytes <= MAX_PROGRAM_BYTES;
    if (opened.size <= MAX_PROGRAMS && fits) break;
    realmBytes -= loaded.realm?.memoryBytes ?? 0;
    programBytes -= loaded.bytes;
    opened.delete(key);
    close(loaded);
  }
  collectFreed();
}

function collectFreed(): void {
  if (freedBytes < MAX_FREED_BYTES) return;
  freedBytes = 0;
  globalThis.gc?.();
}
