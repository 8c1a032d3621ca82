/** This part of a schema is needed to find one; forms know the rest. */
export type ApiSchema = {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  readonly required?: readonly string[];
};
type Schemas = Readonly<Record<string, ApiSchema>>;

type Description = { readonly components: { readonly schemas: Schemas } };

let asked: Promise<Schemas> | undefined;

/** Reads the schemas of the API, as it describes itself, when a form first needs them. */
export function schemas(): Promise<Schemas> {
  asked ??= fetch('/api/v1/openapi.json')
    .then(async (response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      return ((await response.json()) as Description).components.schemas;
    })
    .catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
  return asked;
}

/**
 * Returns the schema of what may be set of a class: that of a creation. A class that is not created by itself, such as a file, has those
 * attributes that an update may have.
 */
export function settableOf(all: Schemas, className: string): ApiSchema | undefined {
  const schemas = Object.values(all).filter(({ properties }) => properties?._class?.enum?.[0] === className);
  // An object of an answer has an id, too.
  const creation = schemas.find(({ properties }) => !Object.hasOwn(properties!, '_id'));
  if (creation) return creation;
  const updatable = Object.entries(all.NodeAttributes?.properties ?? {});
  const answer = schemas[0]?.properties;
  return answer && { properties: Object.fromEntries(updatable.filter(([name]) => Object.hasOwn(answer, name))) };
}
