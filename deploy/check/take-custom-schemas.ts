// `node deploy/check/take-custom-schemas.ts CRD.yaml …` takes the schemas of custom resources from the files that define them.
import { readFile, writeFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { CUSTOM_SCHEMAS_FILE, type Schema } from './kubernetes-schemas.ts';
import { trimmed } from './trimmed-schema.ts';

type Definition = {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
};

const kinds: Record<string, string> = {};
const schemas: Record<string, Schema> = {};
for (const file of process.argv.slice(2)) {
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const definition = document.toJS() as Definition | null;
    if (definition?.kind !== 'CustomResourceDefinition') continue;
    const { group, names, versions } = definition.spec;
    for (const { name: version, schema } of versions) {
      const name = `${group}.${version}.${names.kind}`;
      kinds[`${group}/${version}/${names.kind}`] = name;
      schemas[name] = trimmed(schema.openAPIV3Schema) as Schema;
    }
  }
}
await writeFile(CUSTOM_SCHEMAS_FILE, `${JSON.stringify({ kinds, schemas })}\n`);
process.stdout.write(`${Object.keys(kinds).join('\n')}\n`);
