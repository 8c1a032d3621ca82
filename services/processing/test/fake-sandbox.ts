import type { Analysis, ProgramError, Reference, Value } from '../src/domain/program.ts';
import { namedAggregate } from '../src/runner/child/read-text.ts';
import type { Batch, BatchResult, EmittedRecord, OutputState, Sandbox } from '../src/usecases/sandbox.ts';

const CALL = /(NODE|NODES|NUMBER|TEXT|TIME|BOOLEAN)\('([^']*)'\)/g;

/** Reads references by their spelling and runs programs in this process: only the tests' own texts. */
export class FakeSandbox implements Sandbox {
  runs = 0;
  /** Size of each batch. */
  readonly sizes: number[] = [];
  readonly accounts: string[] = [];
  /** Waited for before each batch. */
  before: (batch: Batch) => Promise<void> = async () => {};

  async call(): Promise<never> {
    throw new Error('not used here');
  }

  async analyse({ code }: { code: string }): Promise<Analysis | { error: ProgramError }> {
    if (code.includes('%%')) return { error: { message: 'Unexpected token', line: lineOf(code, code.indexOf('%%')) } };
    const references = new Map<string, Reference>();
    for (const match of code.matchAll(CALL)) {
      const [whole, call, text = ''] = match;
      const [path = '', name, baseTime = '', interval = ''] = text.split(';');
      references.set(whole, {
        call: call as Reference['call'],
        text,
        path,
        ...(name !== undefined && { aggregate: { ...namedAggregate(name), baseTime, interval } }),
        line: lineOf(code, match.index),
      });
    }
    const grants = [...code.matchAll(/AUTH\('([^']*)', *'([^']*)'\)/g)].map(([, slug = '', key = ''], n) => ({
      slug,
      key,
      line: n + 1,
    }));
    return { references: [...references.values()], grants };
  }

  async run(account: string, batch: Batch): Promise<BatchResult> {
    this.accounts.push(account);
    this.sizes.push(batch.times.length);
    await this.before(batch);
    const { program, times, columns } = batch;
    const outputs: OutputState[] = [...batch.outputs];
    const records: EmittedRecord[] = [];
    const failures: BatchResult['failures'][number][] = [];
    let failed = 0;
    let failuresAfter = batch.failuresBefore;
    let runs = 0;
    for (const [run, now] of times.entries()) {
      if (failuresAfter >= batch.maxFailures) break;
      const emitted: EmittedRecord[] = [];
      const emit = (output: number, timeMs: number, value?: Value, quality?: number) => {
        emitted.push({
          run,
          output,
          timeMs,
          ...(value !== undefined && { value }),
          ...(quality !== undefined && { quality }),
        });
        if (value !== undefined) outputs[output] = { timeMs, value, ...(quality !== undefined && { quality }) };
      };
      const kept = [...outputs];
      const reference = (call: string) => (text: string) => {
        const bound = program.references.find((reference) => reference.call === call && reference.text === text);
        const made = (bound?.nodes ?? []).map(({ column, output, node }) => {
          const of = column === undefined ? undefined : columns[column];
          const state = output === undefined ? undefined : outputs[output];
          const view = {
            name: program.nodes[node]?.attributes.name,
            newestTime: of?.newestMs,
            quality: undefined as number | undefined,
            time: now,
            get currentValue() {
              return of ? of.values[run] : state?.value;
            },
            set currentValue(value: Value | undefined) {
              if (output === undefined) throw new Error('no output');
              if (value !== undefined) emit(output, view.time, value, view.quality);
            },
            currentQuality: of?.qualities[run],
            currentTime: of?.times[run],
          };
          return view;
        });
        return call === 'NODES' ? made : made[0];
      };
      const self = { currentValue: outputs[0]?.value };
      this.runs += 1;
      try {
        const calls = ['NODE', 'NODES', 'NUMBER', 'TEXT', 'TIME', 'BOOLEAN'];
        const body = new Function('NOW', 'THIS', 'AUTH', ...calls, `${program.sharedCode}\n${program.code}`);
        const result = body(now, self, () => {}, ...calls.map(reference));
        if (program.kind === 'parameter' && result !== undefined && result !== null) {
          const { time = now, value = result, quality } = typeof result === 'object' ? result : {};
          if (!Number.isFinite(value) && typeof value === 'number') throw new Error(`the result is ${value}`);
          emit(0, time, value, quality);
        }
        records.push(...emitted);
        failuresAfter = 0;
      } catch (error) {
        outputs.splice(0, outputs.length, ...kept);
        failures.push({ run, message: (error as Error).message ?? String(error), line: 1 });
        failed += 1;
        failuresAfter += 1;
      }
      runs = run + 1;
    }
    return {
      runs,
      records,
      failures: failures.slice(0, 100),
      failed,
      failuresAfter,
      outputs,
      console: [],
      elapsedMs: 1,
    };
  }

  async render(_account: string, { template }: { template: string }): Promise<string> {
    return template;
  }

  async close(): Promise<void> {}
}

const lineOf = (code: string, index: number): number => code.slice(0, index).split('\n').length;
