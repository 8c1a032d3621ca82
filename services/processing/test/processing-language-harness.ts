import { createHash } from 'node:crypto';
import type { Analysis, Family, ProgramError, ProgramKind, Value } from '../src/domain/program.ts';
import { QuickJsSandbox } from '../src/runner/quickjs-sandbox.ts';
import type {
  Batch,
  BatchResult,
  BoundProgram,
  InputColumn,
  OutputState,
  SandboxNode,
} from '../src/usecases/sandbox.ts';

export const START_MS = Date.UTC(2024, 0, 15, 10);
export const MINUTE_MS = 60_000;
const never = new AbortController().signal;

/** An input is a series over the runs, or a node without records. */
export type Input = {
  readonly values?: readonly (Value | undefined)[];
  readonly times?: readonly (number | undefined)[];
  readonly qualities?: readonly (number | undefined)[];
  readonly newestMs?: number;
  readonly family?: Family;
  readonly attributes?: Readonly<Record<string, unknown>>;
};

export type Given = {
  readonly kind?: ProgramKind;
  readonly shared?: string;
  /** The key is the text of the reference; a list has several of NODES. */
  readonly inputs?: Readonly<Record<string, Input | readonly Input[]>>;
  /** LOCATION has these records, where the program reads them. */
  readonly location?: Input;
  /** A processor's outputs by path. */
  readonly outputs?: Readonly<Record<string, Family>>;
  /** Type of the process parameter. */
  readonly family?: Family;
  readonly times?: readonly number[];
  readonly zone?: BoundProgram['zone'];
  readonly qualities?: Readonly<Record<string, number>>;
  readonly states?: readonly OutputState[];
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly account?: string;
  readonly failuresBefore?: number;
  readonly maxFailures?: number;
  readonly keepsConsole?: boolean;
  readonly limitMs?: number;
};

/** Opens a separate sandbox, with what it logs. */
export function openSandbox(runners = 1) {
  const logged: { readonly facts: object; readonly text: string }[] = [];
  const note = (facts: object, text: string) => void logged.push({ facts, text });
  const log = { info: note, warn: note } as unknown as ConstructorParameters<typeof QuickJsSandbox>[0]['log'];
  const sandbox = new QuickJsSandbox({ runners, log, now: () => START_MS });
  return {
    sandbox,
    logged,
    analyse: (code: string, { kind = 'parameter', shared = '' }: Pick<Given, 'kind' | 'shared'> = {}) =>
      sandbox.analyse({ kind, code, sharedCode: shared }, never),
    run: (code: string, given: Given = {}) => runIn(sandbox, code, given),
    close: () => sandbox.close(),
  };
}

/** Analyses a program, binds its references to the inputs that are given, and runs it. @throws Error what the analysis says */
async function runIn(sandbox: QuickJsSandbox, code: string, given: Given): Promise<BatchResult> {
  const { kind = 'parameter', shared = '', account = 'account' } = given;
  const analysis = await sandbox.analyse({ kind, code, sharedCode: shared }, never);
  if ('error' in analysis) throw Object.assign(new Error(analysis.error.message), { line: analysis.error.line });
  return await sandbox.run(account, bind(code, analysis, given), never);
}

export function bind(code: string, { references, locationLine }: Analysis, given: Given): Batch {
  const { kind = 'parameter', shared = '', inputs = {}, outputs = {}, family = 'NUMBER' } = given;
  const lengths = Object.values(inputs).flatMap((input) => [input].flat().map(({ values }) => values?.length ?? 0));
  const times = given.times ?? Array.from({ length: Math.max(1, ...lengths) }, (_, n) => START_MS + n * MINUTE_MS);
  const nodes: SandboxNode[] = [
    { nodeId: 'this', family, attributes: { name: 'This', units: 'm', ...given.attributes } },
    { nodeId: 'source', attributes: { name: 'Station', timezone: 'Europe/Berlin' } },
    { nodeId: 'location', attributes: { name: 'Weir', currentValue: [52.5, 13.4] } },
    { nodeId: 'workspace', attributes: { name: 'Basin' } },
  ];
  const columns: InputColumn[] = [];
  const paths = Object.keys(outputs);
  const bound = references.map(({ call, text }) => {
    if (text in outputs) {
      const node = nodes.push({ nodeId: text, family: outputs[text] ?? 'NUMBER', attributes: { name: text } }) - 1;
      return { call, text, nodes: [{ node, output: paths.indexOf(text) }] };
    }
    const all = [inputs[text] ?? []].flat() as Input[];
    return {
      call,
      text,
      nodes: all.map((input) => {
        const { values, attributes, family: type = 'NUMBER' } = input;
        const node = nodes.push({ nodeId: text, family: type, attributes: { name: text, ...attributes } }) - 1;
        if (values === undefined) return { node };
        return { node, column: columns.push(columnOf(input, times)) - 1 };
      }),
    };
  });
  if (given.location && locationLine !== undefined) {
    const column = columns.push(columnOf(given.location, times)) - 1;
    bound.push({ call: 'NODE', text: '', nodes: [{ node: 2, column }] });
  }
  const families = kind === 'parameter' ? [family] : Object.values(outputs);
  const program: BoundProgram = {
    kind,
    code,
    sharedCode: shared,
    nodes,
    references: bound,
    outputs: families,
    key: createHash('sha256')
      .update(JSON.stringify([code, given]))
      .digest('hex'),
    globals: { THIS: 0, SOURCE: 1, LOCATION: 2, WORKSPACE: 3 },
    zone: given.zone ?? { name: 'Europe/Berlin', adjustsForDst: true },
    qualities: given.qualities ?? { 'Bad - No Data': 155, 'Good - Entry Inserted': 162 },
  };
  return {
    program,
    times,
    columns,
    outputs: given.states ?? families.map(() => null),
    limitMs: given.limitMs ?? (kind === 'parameter' ? 200 : 2_000),
    keepsConsole: given.keepsConsole ?? false,
    maxFailures: given.maxFailures ?? 100,
    failuresBefore: given.failuresBefore ?? 0,
  };
}

const columnOf = ({ values = [], times: own, qualities, newestMs }: Input, times: readonly number[]): InputColumn => ({
  values: times.map((_, n) => values[n]),
  times: times.map((time, n) => (own ? own[n] : values[n] === undefined ? undefined : time)),
  qualities: times.map((_, n) => qualities?.[n]),
  ...(newestMs !== undefined && { newestMs }),
});

export const valuesOf = ({ records }: BatchResult): unknown[] => records.map(({ value }) => value);
export const textsOf = ({ failures }: BatchResult): string[] =>
  failures.map(({ message, line }: ProgramError) => (line === undefined ? message : `${message} (line ${line})`));
