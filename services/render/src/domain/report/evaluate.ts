import { DomainError, tooLarge } from '@catchment/errors';
import { Budget, DOCUMENT_WORK, hasExpressions, type Objects, parseExpressions } from '@catchment/expressions';
import type { EffectiveZone } from '@catchment/time';

/** All expressions of a report may do so much together: about a second. */
const REPORT_WORK = 10 * DOCUMENT_WORK;
/** Characters that a report may print. */
const MAX_CHARACTERS = 2_000_000;

/** Names of a page that are known once all pages are; the others are those of the report. */
export type PageNames = { readonly page_number: number; readonly page_count: number };

/** An expression cannot be printed. `at` names the place in the template. */
export type ReportProblem = { readonly at: string; readonly message: string };

/** Lines end in one way, and there is nothing that a document cannot hold. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Cc}/gu, (sign) => (sign === '\t' || sign === '\n' ? sign : ''));

/** Returns whether a text depends on the page that it is on. */
export const namesPage = (...texts: readonly string[]): boolean =>
  texts.some((text) => /page_number|page_count/.test(text));

/**
 * Evaluates the texts of one report. What cannot be evaluated prints nothing, and is remembered as a problem.
 */
export class Evaluator {
  readonly #objects: Objects;
  readonly #clock: { readonly nowMs: number; readonly zone: EffectiveZone };
  readonly #problems = new Map<string, string>();
  #work = REPORT_WORK;
  #characters = MAX_CHARACTERS;

  constructor(objects: Objects, clock: { readonly nowMs: number; readonly zone: EffectiveZone }) {
    this.#objects = objects;
    this.#clock = clock;
  }

  /** Lists what went wrong, a sentence for each place in the template. */
  get problems(): readonly ReportProblem[] {
    return [...this.#problems].map(([at, message]) => ({ at, message }));
  }

  /** Remembers that something cannot be printed. @param at names the place in the template */
  fail(at: string, problem: string): void {
    if (!this.#problems.has(at)) this.#problems.set(at, problem);
  }

  /** @throws DomainError too_large: all texts together */
  text(at: string, source: string, page?: PageNames): string {
    const text = plain(hasExpressions(source) ? this.#render(at, source, page) : source);
    this.#characters -= text.length;
    if (this.#characters < 0) throw tooLarge(`The report has more than ${MAX_CHARACTERS} characters`);
    return text;
  }

  /**
   * Evaluates a condition: an expression alone, or a text with expressions, which holds unless it is empty, `false` or `nil`. One that
   * cannot be evaluated does not hold.
   */
  holds(at: string, condition: string, page?: PageNames): boolean {
    if (!hasExpressions(condition)) return this.#render(at, `{% if ${condition} %}1{% endif %}`, page) === '1';
    return !['', 'false', 'nil'].includes(this.#render(at, condition, page).trim());
  }

  #render(at: string, source: string, page: PageNames | undefined): string {
    if (this.#work <= 0) throw tooLarge('The expressions of the report take too much work');
    const work = Math.min(DOCUMENT_WORK, this.#work);
    const budget = new Budget(work);
    try {
      return parseExpressions(source).render({ ...this.#objects, ...page }, { ...this.#clock, work: budget });
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
      this.fail(at, error.message);
      return '';
    } finally {
      this.#work -= work - budget.left;
    }
  }
}
