import { DomainError } from '@catchment/errors';
import { Liquid, LiquidError, type Template, toValueSync } from 'liquidjs';
import { Budget, broken } from './budget.ts';
import { checkTemplates } from './check-template.ts';
import { FILTERS } from './filters.ts';
import { OPERATORS } from './operators.ts';
import { RenderContext } from './render-context.ts';
import { CountingEmitter, TAGS } from './tags.ts';
import type { Clock } from './times.ts';

const MAX_SOURCE = 65_536;

/** Work for the text of a message: some milliseconds. */
export const MESSAGE_WORK = 100_000;
/** Work for the text of a document that has its turn: about a tenth of a second. */
export const DOCUMENT_WORK = 2_000_000;

type RenderOptions = Clock & {
  /** The rendering may do so much (`MESSAGE_WORK`, `DOCUMENT_WORK`); several renderings may share a budget. */
  readonly work: number | Budget;
};

/** Names and what they stand for: JSON values. A value that must not be seen must not be in here. */
export type Objects = Readonly<Record<string, unknown>>;

/** A text with expressions, read and checked. */
export type ExpressionText = {
  /** @throws DomainError invalid_argument: an expression cannot be evaluated, or takes too much work */
  render(objects: Objects, options: RenderOptions): string;
};

/** Returns whether a text has expressions at all; one without stands for itself. */
export const hasExpressions = (text: string): boolean => /\{\{|\{%/.test(text);

/**
 * Reads a text with expressions (docs/reference/expressions.md).
 * @throws DomainError invalid_argument: not valid, or longer than 65 536 characters
 */
export function parseExpressions(source: string): ExpressionText {
  if (source.length > MAX_SOURCE) throw broken(`the text has more than ${MAX_SOURCE} characters`);
  const templates = refusing(() => {
    const parsed = liquid.parse(source);
    checkTemplates(parsed);
    return parsed;
  });
  return { render: (objects, options) => refusing(() => render(templates, objects, options)) };
}

const liquid = engine();

/** liquidjs without its files, and with our operators, tags and filters in place of its own. */
function engine(): Liquid {
  const made = new Liquid({ operators: OPERATORS, strictFilters: true, ownPropertyOnly: true });
  for (const name of Object.keys(made.tags)) delete made.tags[name];
  for (const name of Object.keys(made.filters)) made.unregisterFilter(name);
  for (const [name, tag] of Object.entries(TAGS)) made.registerTag(name, tag);
  for (const [name, filter] of Object.entries(FILTERS)) made.registerFilter(name, filter);
  return made;
}

function render(templates: Template[], objects: Objects, { work, ...clock }: RenderOptions): string {
  const budget = typeof work === 'number' ? new Budget(work) : work;
  const emitter = new CountingEmitter(budget);
  const context = new RenderContext(objects, liquid, clock, budget);
  toValueSync(liquid.renderer.renderTemplates(templates, context, emitter));
  return emitter.buffer;
}

/** Blames the text for whatever liquidjs throws: its own errors, those of filters, and a stack that is too deep. */
function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const original: unknown = LiquidError.is(error) ? (error as { originalError?: unknown }).originalError : undefined;
  if (original !== undefined) return refusalOf(original);
  return broken(error instanceof Error ? error.message : 'the text is not valid');
}
