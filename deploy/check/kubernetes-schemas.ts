import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

/** take-schemas.ts takes these from a cluster's /openapi/v3. */
export const SCHEMAS_FILE = path.join(import.meta.dirname, 'data/kubernetes-schemas.json');
/** Clusters may have these beside: taken by take-custom-schemas.ts. */
export const CUSTOM_SCHEMAS_FILE = path.join(import.meta.dirname, 'data/custom-schemas.json');

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
};
export type Schema = { [key: string]: unknown };
/** `kinds` names the schema of each `apps/v1/Deployment`; these need others of `schemas`. */
export type KubernetesSchemas = {
  readonly version: string;
  readonly kinds: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, Schema>>;
};

/** Returns all schemas, in which unknown fields are errors. @param base what references to others begin with */
export async function closedSchemas(base = ''): Promise<Pick<KubernetesSchemas, 'kinds' | 'schemas'>> {
  const files = await Promise.all([SCHEMAS_FILE, CUSTOM_SCHEMAS_FILE].map((file) => readFile(file, 'utf8')));
  const [builtIn, custom] = files.map((text) => JSON.parse(text) as Omit<KubernetesSchemas, 'version'>);
  const schemas = Object.entries({ ...builtIn?.schemas, ...custom?.schemas });
  return {
    kinds: { ...builtIn?.kinds, ...custom?.kinds },
    schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, withoutUnknownFields(schema, base)])),
  };
}

/** Finds errors of an object, as the API server with strict field validation would report them. */
export async function objectValidator(): Promise<(object: Manifest) => string[]> {
  const { kinds, schemas } = await closedSchemas();
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `/${name}`);
  return (object) => {
    const kind = `${object.apiVersion}/${object.kind}`;
    const validate: ValidateFunction | undefined = kinds[kind] ? ajv.getSchema(`/${kinds[kind]}`) : undefined;
    const where = `${object.kind}/${object.metadata?.name}`;
    if (!validate) return [`${where}: no schema for ${kind}; take them again (deploy/README.md)`];
    if (validate(object)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${where}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** Kubernetes' schemas let unknown fields pass, which are typing errors here. */
function withoutUnknownFields(schema: Schema, base: string): Schema {
  const rewritten = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      // Go writes flags for all that follows, JavaScript for a group.
      if (key === 'pattern') return [key, String(value).replace(/^\^\(\?i\)(.*)$/, '^(?i:$1)')];
      if (key === '$ref') return [key, String(value).replace('#/components/schemas', base)];
      if (Array.isArray(value))
        return [key, value.map((item) => (isSchema(item) ? withoutUnknownFields(item, base) : item))];
      return [key, isSchema(value) ? withoutUnknownFields(value, base) : value];
    }),
  );
  const isClosed = isSchema(schema.properties) && schema.type === 'object' && !('additionalProperties' in schema);
  return isClosed ? { ...rewritten, additionalProperties: false } : rewritten;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
