import { isJsonObject, type JsonObject } from '../../domain/body/rule.ts';

/** Expressions can read this of a node beside its attributes (docs/reference/expressions.md#objects). */
type NodeExtras = {
  readonly path: string;
  /** Empty where there is no value. */
  readonly currentValueFormatted: string;
};

/** Returns a node as expressions read it: the document of the API, where secrets are masked, without keys, and some more. */
export function nodeObject(view: JsonObject, { path, currentValueFormatted }: NodeExtras): JsonObject {
  const states = (view.states ?? []) as readonly { readonly _id: string; readonly name: string }[];
  const nameOf = (stateId: unknown) => states.find(({ _id }) => _id === stateId)?.name;
  return {
    ...view,
    // The key of a transport lets its holder send in the name of its source, and mails go astray.
    ...(isJsonObject(view.transport) && { transport: { ...view.transport, key: null } }),
    metadata: metadataOf(view.metadata),
    _path: path,
    currentValueFormatted,
    currentStateName: nameOf(view.currentStateId),
    previousStateName: nameOf(view.previousStateId),
  };
}

/** Keeps the letters and digits of a name, since an expression cannot name more. */
const metadataOf = (metadata: unknown): JsonObject =>
  Object.fromEntries(
    ((metadata ?? []) as readonly { readonly name: string; readonly value: unknown }[]).map(({ name, value }) => [
      name.replaceAll(/[^\p{L}\p{N}]/gu, ''),
      value,
    ]),
  );
