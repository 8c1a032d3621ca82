/** As much of a schema as is needed to find one; forms know the rest. */
export type ApiSchema = {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  readonly required?: readonly string[];
};
type Schemas = Readonly<Record<string, ApiSchema>>;

type Description = { readonly components: { readonly schemas: Schemas } };

let asked: Promise<Schemas> | undefined;

/** The schemas of the API, as it describes itself; read when a form first needs them. */
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

/** The schema of what may be set of a class: that of a creation. */
export function creationOf(all: Schemas, className: string): ApiSchema | undefined {
  return Object.values(all).find(
    ({ properties, required }) =>
      properties?._class?.enum?.[0] === className && required?.includes('_class') && required.includes('name'),
  );
}
