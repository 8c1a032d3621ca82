import { Context, type Liquid } from 'liquidjs';
import type { Budget } from './budget.ts';
import type { Clock } from './times.ts';
import { characterCount, charactersOf } from './values.ts';

/** Reading a property costs this, beside the characters handled. */
const PROPERTY_COST = 5;

/** A rendering goes by these: the objects, the time, and what it may still do. */
export class RenderContext extends Context {
  readonly clock: Clock;

  constructor(objects: object, liquid: Liquid, clock: Clock, budget: Budget) {
    const limit = budget as unknown as Context['memoryLimit'];
    super(objects, liquid.options, { sync: true }, { memoryLimit: limit, renderLimit: limit, liquid });
    this.clock = clock;
  }

  /** Makes the context of one item, for filters that look into items. */
  override spawn(item: object = {}): RenderContext {
    return new RenderContext(item, this.liquid as Liquid, this.clock, this.memoryLimit as unknown as Budget);
  }

  override readProperty(...property: Parameters<Context['readProperty']>): unknown {
    this.memoryLimit.use(PROPERTY_COST);
    const [value, key] = property;
    return typeof value === 'string' ? this.#ofText(value, key) : super.readProperty(value, key);
  }

  /** A text has a size and its characters, counted as filters count them. */
  #ofText(text: string, key: unknown): unknown {
    this.memoryLimit.use(text.length);
    if (key === 'size') return characterCount(text);
    return typeof key === 'number' ? charactersOf(text).at(key) : undefined;
  }
}
