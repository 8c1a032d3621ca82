import { words } from '../../words/index.ts';
import { start } from '../session/session.ts';

/** "Location" of `io.svc.models.node.location.Location`. */
export const shortClass = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Returns the class as the API takes it, from what follows `models.node.`: `point.NumberPoint`. */
export const fullClass = (name: string): string => `${start().classNamespace}.models.node.${name}`;

/** Names a class as people call it. */
export function className(name: string): string {
  const short = shortClass(name);
  const known: Readonly<Record<string, string>> = words.value.classes;
  return known[short] ?? short;
}

/** Returns whether its data come by a source, itself or one above; a Location may have one below. What is computed has none. */
export const hasSource = ({ _class }: { readonly _class: string }): boolean =>
  _class.includes('.source.') ||
  _class.endsWith('.Location') ||
  (_class.includes('.point.') && !/(Process|Rating)Point$/.test(_class));
