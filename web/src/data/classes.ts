import { words } from '../words/index.ts';
import { start } from './session.ts';

/** "Location" of `io.svc.models.node.location.Location`. */
export const shortClass = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The class as the API takes it, from what follows `models.node.`: `point.NumberPoint`. */
export const fullClass = (name: string): string => `${start().classNamespace}.models.node.${name}`;

/** What a person calls it. */
export function className(name: string): string {
  const short = shortClass(name);
  const known: Readonly<Record<string, string>> = words.value.classes;
  return known[short] ?? short;
}
