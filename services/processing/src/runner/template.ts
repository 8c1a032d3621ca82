import { DomainError } from '@catchment/errors';

/** Expressions that a text may have: each is a program of its own. */
const MAX_EXPRESSIONS = 20;

export type Piece = { readonly text: string } | { readonly expression: string };

/** Splits a text at its `{{ expression }}`. @throws DomainError failed_precondition */
export function expressionsOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let begin = template.indexOf('{{'); begin >= 0; begin = template.indexOf('{{', from)) {
    const end = template.indexOf('}}', begin);
    if (end < 0) throw refused(`${template.slice(begin, begin + 40)}: '}}' is missing`);
    pieces.push({ text: template.slice(from, begin) }, { expression: template.slice(begin + 2, end) });
    if (pieces.length > 2 * MAX_EXPRESSIONS) throw refused(`more than ${MAX_EXPRESSIONS} expressions`);
    from = end + 2;
  }
  pieces.push({ text: template.slice(from) });
  return pieces;
}

const refused = (message: string): DomainError => new DomainError('failed_precondition', 'EXPRESSION_FAILED', message);
