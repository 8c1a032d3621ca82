import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  type Context,
  ContinueTag,
  CycleTag,
  type Emitter,
  ForTag,
  IfTag,
  type Liquid,
  RawTag,
  TablerowTag,
  Tag,
  type TagToken,
  type TopLevelToken,
  UnlessTag,
} from 'liquidjs';
import { charge } from './budget.ts';
import { textOf } from './values.ts';

/** Takes what tags and outputs write; what is written is counted. */
export class CountingEmitter implements Emitter {
  buffer = '';
  readonly #budget: { use(cost: number): void };

  constructor(budget: { use(cost: number): void }) {
    this.#budget = budget;
  }

  write(value: unknown): void {
    charge(this.#budget, value);
    this.buffer += textOf(value);
  }
}

class CountingCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = new CountingEmitter(context.memoryLimit);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    (context.bottom() as Record<string, unknown>)[this.variable] = emitter.buffer;
  }
}

/** Prints a counter and changes it. Counters have a separate name space; those of liquidjs write into the objects. */
const counter = (print: (counters: Map<string, number>, name: string) => number) =>
  class extends Tag {
    readonly counter: string;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      this.counter = this.tokenizer.readIdentifier().getText();
      this.tokenizer.assert(this.counter !== '', 'expected the name of a counter');
    }

    override render(context: Context, emitter: Emitter): void {
      emitter.write(print(context.getRegister('counters', new Map<string, number>()), this.counter));
    }
  };

function add(counters: Map<string, number>, name: string, step: number): number {
  const before = counters.get(name) ?? 0;
  counters.set(name, before + step);
  return before;
}

/** There are these tags (docs/reference/expressions.md#tags); what ends or divides one belongs to it. */
export const TAGS = {
  assign: AssignTag,
  break: BreakTag,
  capture: CountingCapture,
  case: CaseTag,
  comment: CommentTag,
  continue: ContinueTag,
  cycle: CycleTag,
  decrement: counter((counters, name) => add(counters, name, -1) - 1),
  for: ForTag,
  if: IfTag,
  increment: counter((counters, name) => add(counters, name, 1)),
  raw: RawTag,
  tablerow: TablerowTag,
  unless: UnlessTag,
};
