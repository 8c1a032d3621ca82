import { ValueType } from '@catchment/contracts/nodes';
import type { ProgramNode, ResolvedPath } from '@catchment/contracts/programs';
import { AGGREGATE_SYNONYMS, AGGREGATES_OF_ANYTHING, INTERVAL_AGGREGATES, PERCENTILE_RANGE } from '@catchment/query';
import {
  familyOf,
  type Plan,
  type PlanColumn,
  type PlanInput,
  type PlanOutput,
  qualityExcluded,
} from '../domain/plan.ts';
import type {
  AggregateInputs,
  Analysis,
  Family,
  ProgramError,
  ProgramKind,
  ProgramText,
  Reference,
  RunMode,
  SecondaryInputs,
} from '../domain/program.ts';
import type { BoundProgram, BoundReference, SandboxNode } from './sandbox.ts';

/** A program comes with its surroundings, as the nodes service has it or as somebody wants to test it. */
export type ProgramFacts = ProgramText & {
  readonly runMode: RunMode;
  readonly secondaryInputs: SecondaryInputs;
  readonly aggregateInputs: AggregateInputs;
  readonly qualityFilter?: readonly string[];
  readonly zone: Plan['zone'];
  readonly node: ProgramNode;
  readonly source: ProgramNode;
  readonly location?: ProgramNode;
  readonly workspace: ProgramNode;
};

/** The output is to be created. */
type DeclaredOutput = { readonly output: number; readonly name: string; readonly dataType: Family };

export type Bound = {
  readonly plan: Plan;
  readonly program: Omit<BoundProgram, 'key'>;
  readonly declares: readonly DeclaredOutput[];
  /** Changes of these nodes may change it. */
  readonly dependsOn: readonly string[];
  /** Nodes of the inputs: an input that is not computed closes no circle. */
  readonly inputNodes: readonly { readonly class: string; readonly sourceId: string }[];
};

/** See docs/reference/processing-and-ratings.md#process-nodes. */
const LIMITS: Record<ProgramKind, { readonly inputs: number; readonly outputs: number }> = {
  parameter: { inputs: 3, outputs: 1 },
  processor: { inputs: 25, outputs: 100 },
};
/** Aggregates that have a result for an interval: INTERPOLATED is of its boundaries. */
const AGGREGATES: ReadonlySet<string> = new Set(
  [...INTERVAL_AGGREGATES, ...Object.keys(AGGREGATE_SYNONYMS)].filter((name) => name !== 'INTERPOLATED'),
);
const OF_ANYTHING: ReadonlySet<string> = new Set(AGGREGATES_OF_ANYTHING);
const TYPED: Partial<Record<Reference['call'], Family>> = {
  NUMBER: 'NUMBER',
  TEXT: 'TEXT',
  TIME: 'TIME',
  BOOLEAN: 'BOOLEAN',
};
const VALUE_TYPES: Partial<Record<Family, ValueType>> = {
  NUMBER: ValueType.VALUE_TYPE_NUMBER,
  BOOLEAN: ValueType.VALUE_TYPE_NUMBER,
  TEXT: ValueType.VALUE_TYPE_TEXT,
  TIME: ValueType.VALUE_TYPE_TIME,
};

/** The error says what is wrong for a validation; it is thrown within and never leaves. */
class Wrong extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Puts together what the text of a program says and what its paths name.
 * @param resolved of each reference, in order
 * @returns the first thing that is wrong with it, otherwise all that running it needs
 */
export function bindProgram(
  facts: ProgramFacts,
  analysis: Analysis,
  resolved: readonly ResolvedPath[],
  qualities: Readonly<Record<string, number>>,
): Bound | { readonly error: ProgramError } {
  try {
    return new Binder(facts).bind(analysis, resolved, qualities);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { error: { message: error.message, ...(error.line !== undefined && { line: error.line }) } };
  }
}

class Binder {
  readonly #facts: ProgramFacts;
  readonly #nodes: SandboxNode[] = [];
  readonly #nodeIndexes = new Map<string, number>();
  readonly #inputs: PlanInput[] = [];
  readonly #columns: PlanColumn[] = [];
  readonly #outputs: (PlanOutput & { readonly family: Family })[] = [];
  readonly #declares: DeclaredOutput[] = [];
  readonly #dependsOn = new Set<string>();
  readonly #inputNodes: Bound['inputNodes'][number][] = [];

  constructor(facts: ProgramFacts) {
    this.#facts = facts;
  }

  bind(
    { references, locationLine }: Analysis,
    resolved: readonly ResolvedPath[],
    qualities: Readonly<Record<string, number>>,
  ): Bound {
    const { kind, code, sharedCode, node, source, location, workspace, zone } = this.#facts;
    const output = node.config;
    const family = familyOf(output?.series?.valueType);
    const globals = {
      THIS: this.#node(node, kind === 'parameter' ? family : undefined),
      SOURCE: this.#node(source),
      ...(location && { LOCATION: this.#node(location) }),
      WORKSPACE: this.#node(workspace),
    };
    if (kind === 'parameter') {
      if (!output?.series || !family) throw new Wrong('the node has no records');
      this.#outputs.push({ nodeId: output.nodeId, name: output.name, valueType: output.series.valueType, family });
    }
    const bound = references.map((reference, index) => this.#reference(reference, resolved[index]));
    if (location && locationLine !== undefined) {
      const here: Reference = { call: 'NODE', text: '', path: 'LOCATION', line: locationLine };
      bound.push({ call: here.call, text: here.text, nodes: [this.#bound(here, location, false)] });
    }
    this.#checkLimits();
    const { runMode, secondaryInputs, aggregateInputs } = this.#facts;
    const excluded = qualityExcluded(this.#facts.qualityFilter);
    return {
      plan: {
        kind,
        runMode,
        secondaryInputs,
        aggregateInputs,
        zone,
        ...(excluded !== undefined && { qualityExcluded: excluded }),
        inputs: this.#inputs,
        columns: this.#columns,
        outputs: this.#outputs.map(({ nodeId, name, valueType }) => ({ nodeId, name, valueType })),
        asksNewest: `${code}${sharedCode}`.includes('newestTime'),
      },
      program: {
        kind,
        code,
        sharedCode,
        globals,
        zone,
        qualities,
        nodes: this.#nodes,
        references: bound,
        outputs: this.#outputs.map((output) => output.family),
      },
      declares: this.#declares,
      dependsOn: [...this.#dependsOn],
      inputNodes: this.#inputNodes,
    };
  }

  #checkLimits(): void {
    const { kind, runMode } = this.#facts;
    const { inputs, outputs } = LIMITS[kind];
    const what = kind === 'parameter' ? 'process parameter' : 'processor';
    if (this.#inputs.length > inputs)
      throw new Wrong(`a ${what} has at most ${inputs} inputs, not ${this.#inputs.length}`);
    if (this.#outputs.length > outputs)
      throw new Wrong(`a ${what} has at most ${outputs} outputs, not ${this.#outputs.length}`);
    if (this.#inputs.length === 0 && runMode !== 'SCHEDULE')
      throw new Wrong('the program has no input that could start it');
  }

  #reference(reference: Reference, found: ResolvedPath | undefined): BoundReference {
    const { call, text } = reference;
    const dataType = TYPED[call];
    if (found?.mayDeclare && dataType && !reference.aggregate && this.#facts.kind === 'processor')
      return { call, text, nodes: [this.#declared(reference.path, dataType)] };
    if (!found || found.failure) throw new Wrong(found?.failure || `no node '${reference.path}'`, reference.line);
    return { call, text, nodes: found.nodes.map((node) => this.#bound(reference, node, found.isOutput)) };
  }

  /** Returns an output that the validation creates. */
  #declared(name: string, family: Family): BoundReference['nodes'][number] {
    const known = this.#outputs.findIndex((output) => output.name === name);
    const output = known < 0 ? this.#outputs.length : known;
    if (known < 0) {
      this.#outputs.push({ nodeId: '', name, valueType: VALUE_TYPES[family] ?? ValueType.VALUE_TYPE_NUMBER, family });
      this.#declares.push({ output, name, dataType: family });
    }
    // Its node is known when it has been created; until then programs see its name.
    const key = `declared ${name}`;
    let node = this.#nodeIndexes.get(key);
    if (node === undefined) {
      node = this.#nodes.push({ nodeId: '', family, attributes: { name } }) - 1;
      this.#nodeIndexes.set(key, node);
    }
    return { node, output };
  }

  #bound(reference: Reference, found: ProgramNode, isOutput: boolean): BoundReference['nodes'][number] {
    const { config } = found;
    const series = config?.series;
    const natural = familyOf(series?.valueType);
    const family = this.#familyOf(reference, natural);
    if (!config || !series || !natural || !family) {
      if (reference.aggregate) throw new Wrong(`'${reference.path}' has no records`, reference.line);
      return { node: this.#node(found) };
    }
    const programNode = this.#facts.node.config;
    if (isOutput && this.#facts.kind === 'processor') {
      if (reference.aggregate) throw new Wrong(usesItself([config.name, config.name]), reference.line);
      return {
        node: this.#node(found, family),
        output: this.#output(config.nodeId, config.name, series.valueType, family),
      };
    }
    if (config.nodeId === programNode?.nodeId) throw new Wrong(usesItself([config.name, config.name]), reference.line);
    this.#checkAggregate(reference, natural);
    const column = this.#column(reference, config, family === 'BOOLEAN');
    return { node: this.#node(found, family), column };
  }

  /** Returns the type of the values of a reference. @throws Wrong where the call asserts another one */
  #familyOf({ call, path, aggregate, line }: Reference, natural: Family | undefined): Family | undefined {
    const wanted = TYPED[call];
    const actual = aggregate?.name === 'COUNT' ? 'NUMBER' : natural;
    if (!wanted) return actual;
    const fits = wanted === actual || (wanted === 'BOOLEAN' && actual === 'NUMBER');
    if (!fits)
      throw new Wrong(
        `${call}('${path}') names ${actual ? `a node of type ${actual}` : 'a node without values'}`,
        line,
      );
    return wanted;
  }

  #checkAggregate({ aggregate, line }: Reference, natural: Family): void {
    if (!aggregate) return;
    const { name, percentile } = aggregate;
    if (!AGGREGATES.has(name)) throw new Wrong(`'${name}' is no aggregate of an interval`, line);
    if (natural !== 'NUMBER' && !OF_ANYTHING.has(name)) throw new Wrong(`'${name}' is an aggregate of numbers`, line);
    if (name !== 'PERCENTILE' && percentile !== undefined)
      throw new Wrong(`'${name}' is written without parentheses`, line);
    const { min, max } = PERCENTILE_RANGE;
    const value = /^\d{1,3}(\.\d{1,15})?$/.test(percentile ?? '') ? Number(percentile) : Number.NaN;
    if (name === 'PERCENTILE' && !(value >= min && value <= max))
      throw new Wrong(`PERCENTILE is written with a number from ${min} to ${max}, such as PERCENTILE(90)`, line);
  }

  #output(nodeId: string, name: string, valueType: ValueType, family: Family): number {
    const known = this.#outputs.findIndex((output) => output.nodeId === nodeId);
    return known < 0 ? this.#outputs.push({ nodeId, name, valueType, family }) - 1 : known;
  }

  #column({ aggregate }: Reference, config: NonNullable<ProgramNode['config']>, isBoolean: boolean): number {
    const { nodeId, ownerId, series } = config;
    const valueType = series?.valueType ?? ValueType.VALUE_TYPE_UNSPECIFIED;
    const isSame = (input: PlanInput) =>
      input.nodeId === nodeId && JSON.stringify(input.aggregate) === JSON.stringify(aggregate);
    let input = this.#inputs.findIndex(isSame);
    const transform = series?.equation || `${series?.multiplier} ${series?.offset}`;
    if (input < 0) {
      const more = { ...(aggregate && { aggregate }), ...(series?.isDirection && { isDirection: true }) };
      input = this.#inputs.push({ nodeId, ownerId, valueType, transform, ...more }) - 1;
      this.#inputNodes.push({ class: config.class, sourceId: config.sourceId });
    }
    const known = this.#columns.findIndex((column) => column.input === input && column.isBoolean === isBoolean);
    return known < 0 ? this.#columns.push({ input, isBoolean }) - 1 : known;
  }

  #node({ config, attributes }: ProgramNode, family?: Family): number {
    const nodeId = config?.nodeId ?? '';
    this.#dependsOn.add(nodeId);
    const key = `${nodeId} ${family ?? ''}`;
    const known = this.#nodeIndexes.get(key);
    if (known !== undefined) return known;
    const index = this.#nodes.length;
    this.#nodes.push({
      nodeId,
      ...(family && { family }),
      attributes: JSON.parse(Buffer.from(attributes).toString() || '{}'),
    });
    this.#nodeIndexes.set(key, index);
    return index;
  }
}

/** @param names from the node to itself */
export const usesItself = (names: readonly string[]): string => `${names[0]} uses itself: ${names.join(' → ')}`;

/** Returns the program with the nodes that were created for its outputs, in the order in which it declares them. */
export function withOutputs(
  bound: Bound,
  created: readonly { readonly nodeId: string; readonly name: string }[],
): Bound {
  const ids = new Map(bound.declares.map(({ output }, index) => [output, created[index]?.nodeId ?? '']));
  const byName = new Map(bound.declares.map(({ name }, index) => [name, created[index]?.nodeId ?? '']));
  return {
    ...bound,
    plan: {
      ...bound.plan,
      outputs: bound.plan.outputs.map((output, index) => ({ ...output, nodeId: ids.get(index) ?? output.nodeId })),
    },
    program: {
      ...bound.program,
      nodes: bound.program.nodes.map((node) =>
        node.nodeId === '' ? { ...node, nodeId: byName.get(String(node.attributes.name)) ?? '' } : node,
      ),
    },
    declares: [],
    dependsOn: [...bound.dependsOn, ...byName.values()],
  };
}
