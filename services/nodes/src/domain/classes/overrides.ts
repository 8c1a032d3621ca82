import { invalidAttribute, type RuleContext } from '../body/rule.ts';

/** An instance has these attributes as its own from the beginning; they neither follow the template nor are they locked. */
export const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(['customId', 'isPublic', 'publicId', 'overrides']);

/** Attributes that only make sense together are overridden together. */
const PARTS: Readonly<Record<string, string>> = { statesType: 'states', hysteresis: 'states' };

/** Returns an attribute's name in `overrides`. */
const overrideOf = (attribute: string): string => PARTS[attribute] ?? attribute;

/** Returns attributes that an override covers, as they are stored. */
export const coveredBy = (override: string): readonly string[] => [
  override,
  ...Object.keys(PARTS).filter((name) => PARTS[name] === override),
];

/** Returns `overrides` as it is stored: each name once, in the order of the class; null = none. @throws DomainError invalid_argument */
export function readOverrides(names: readonly string[], at: string, { template }: RuleContext): string[] | null {
  if (names.length === 0) return null;
  if (!template) throw invalidAttribute(at, 'only nodes of templates have it');
  const wanted = new Set(names.map(overrideOf));
  const unknown = [...wanted].find((name) => !template.overridable.includes(name));
  if (unknown !== undefined) throw invalidAttribute(at, `must be of ${template.overridable.join(', ')}`);
  return template.overridable.filter((name) => wanted.has(name));
}
