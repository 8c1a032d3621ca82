import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installedTools } from '../tools/installed.ts';
import { runTool } from './run-tool.ts';
import { type Description, operationsOf, pythonOperations, rOperations } from './sdk-operations.ts';

/** Clients are built from this description of the API, below the root: a diff of it is the diff of the API. */
const OPEN_API = 'sdk/openapi.json';
/** The TypeScript client has these types: a diff of the file is the diff of the API. */
const TYPES = 'sdk/typescript/src/generated/api.ts';
/**
 * The clients of Python and R call each operation by these. Models of Python are made by
 * sdk/python/scripts/generate.py, which needs Python.
 */
const OPERATIONS = {
  'sdk/python/src/catchment/_generated/operations.py': pythonOperations,
  'sdk/r/R/operations.R': rOperations,
} as const;

/** `generateSdk` writes these, below the root. */
export const GENERATED_SDK = [OPEN_API, TYPES, ...Object.keys(OPERATIONS)] as const;

/** Writes the description of the API, and what clients are made of it. @returns what went wrong */
export async function generateSdk(root: string): Promise<string | undefined> {
  // Reads schemas that may have been written a moment ago.
  const { openApiText } = await import('./open-api.ts');
  const text = await openApiText();
  await write(root, OPEN_API, text);
  const operations = operationsOf(JSON.parse(text) as Description);
  for (const [file, textOf] of Object.entries(OPERATIONS)) await write(root, file, textOf(operations));
  const target = path.join(root, TYPES);
  await mkdir(path.dirname(target), { recursive: true });
  const args = [
    path.join(root, OPEN_API),
    '--output',
    target,
    '--alphabetize',
    '--empty-objects-unknown',
    '--default-non-nullable=false',
  ];
  const { status, printed } = await runTool('openapi-typescript', args, root, await installedTools('openapi'));
  return status === 0 ? undefined : printed;
}

async function write(root: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}
