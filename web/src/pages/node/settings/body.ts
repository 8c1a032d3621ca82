import { type Document, differenceOf, forBody } from '../../../ui/form/draft.ts';
import type { Field } from '../../../ui/form/schema.ts';

type State = Readonly<Record<string, unknown>> & { readonly _id?: string };

/** Returns attributes as a form has them: what may be set of them, and nothing that is read-only. */
export const documentOf = (node: Document, fields: readonly Field[]): Document =>
  Object.fromEntries(fields.map((field) => [field.name, forBody(node[field.name], field)]));

/** Makes the body of an update: alarms by what is different of them, states by which of them have changed. */
export function bodyOf(changes: Document, base: Document): Document {
  return Object.fromEntries(
    Object.entries(changes).map(([name, after]) => {
      if (name === 'alarms') return [name, differenceOf(base[name], after)];
      if (name === 'states') return [name, statesOf(base[name], after)];
      return [name, after];
    }),
  );
}

/**
 * docs/reference/states.md#updates-of-states: with ids these states change; without any, the list replaces all. All of them are sent, so that a refusal names
 * a state by the place that it has in the form.
 */
function statesOf(before: unknown, after: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const [was, is] = [before as readonly State[], after as readonly State[]];
  const isSameList = was.length === is.length && is.every(({ _id }, i) => _id !== undefined && _id === was[i]?._id);
  return isSameList ? is : is.map(({ _id, ...state }) => state);
}
