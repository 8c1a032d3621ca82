import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

type Look = { readonly isReady: boolean; readonly isEnding: boolean };
/** A part had no pod that serves from here until it had one again, in Unix ms; it may last. */
export type Absence = { readonly component: string; readonly fromMs: number; readonly toMs: number };
type Change = { readonly atMs: number; readonly text: string };

const FIELDS = [
  '{.metadata.labels.app\\.kubernetes\\.io/component}',
  '{.metadata.name}',
  '{.metadata.deletionTimestamp}',
  '{.status.conditions[?(@.type=="Ready")].status}',
];

/** Follows the pods of a namespace with one process, which costs less than looking again and again: when they become ready, and when they go. */
export class PodWatch {
  readonly #process: ChildProcess;
  readonly #pods = new Map<string, Map<string, Look>>();
  readonly #absences: { component: string; fromMs: number; toMs: number }[] = [];
  readonly changes: Change[] = [];

  constructor(namespace: string) {
    const format = `jsonpath=${FIELDS.join('|')}{"\\n"}`;
    const args = ['--namespace', namespace, 'get', 'pods', '--watch', '--output', format];
    this.#process = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (this.#process.stdout)
      createInterface({ input: this.#process.stdout }).on('line', (line) => this.#seen(line, Date.now()));
  }

  /** Returns when one of these parts was away, those that still are included. */
  absences(components: readonly string[]): readonly Absence[] {
    return this.#absences.filter(({ component }) => components.includes(component));
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.kill();
    await ended;
  }

  #seen(line: string, nowMs: number): void {
    const [component = '', name = '', deleted, ready] = line.split('|');
    const pods = this.#pods.get(component) ?? new Map<string, Look>();
    this.#pods.set(component, pods);
    const before = pods.get(name);
    const look = { isReady: ready === 'True', isEnding: Boolean(deleted) };
    const served = isServed(pods);
    pods.set(name, look);
    if (look.isEnding && !before?.isEnding) this.changes.push({ atMs: nowMs, text: `${name} ends` });
    else if (look.isReady && !before?.isReady) this.changes.push({ atMs: nowMs, text: `${name} is ready` });
    const serves = isServed(pods);
    if (served && !serves) this.#absences.push({ component, fromMs: nowMs, toMs: Number.POSITIVE_INFINITY });
    const open = this.#absences.findLast((absence) => absence.component === component);
    if (!served && serves && open) open.toMs = Math.min(open.toMs, nowMs);
  }
}

const isServed = (pods: ReadonlyMap<string, Look>): boolean =>
  [...pods.values()].some(({ isReady, isEnding }) => isReady && !isEnding);
