// The tables of e2e/contract hold through the gateway of a whole installation, and against the OpenAPI document.
import { Api, unique } from './src/api.ts';
import { AnswerSchemas } from './src/contract/answer-schemas.ts';
import { isInTables, missingRows, operationOf, unknownInRows } from './src/contract/coverage.ts';
import { CHANGES, type OtherKeys, type Request, RULES, type Sample } from './src/contract/every-operation.ts';
import { type Run, requestOf, runRow } from './src/contract/run-row.ts';
import { type Runs, startRuns } from './src/contract/start-runs.ts';
import { readTables, titleOf } from './src/contract/table.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { type Operation, operationsOf } from './src/open-api.ts';

const TABLES = readTables('e2e/contract');
const ROWS = TABLES.flatMap(({ rows }) => rows);

let installation: Installation;
let operations: readonly Operation[];
let others: OtherKeys;
let runs: Runs;
let schemas: AnswerSchemas;

beforeAll(async () => {
  installation = await startInstallation();
  operations = await operationsOf(installation.url);
  schemas = await AnswerSchemas.of(installation.url);
  runs = await startRuns(installation, TABLES, schemas);
  const disabled = await installation.account({ name: unique('Disabled') });
  await installation.accountCommand(['disable', disabled.id]);
  const { names } = runs.values().next().value as Run;
  others = {
    disabled: disabled.api.key,
    stranger: names.get('stranger') ?? '',
    reader: names.get('reader') ?? '',
    workspaces: names.get('workspaces') ?? '',
  };
});
afterAll(() => installation?.stop());

describe('the tables and the OpenAPI document', () => {
  test('every operation and every query argument has its rows', () => {
    expect(missingRows(operations, ROWS)).toEqual([]);
  });

  test('every row asks for what the document lists', () => {
    expect(unknownInRows(operations, ROWS)).toEqual([]);
  });
});

for (const { file, rows } of TABLES) {
  describe(file, () => {
    for (const row of rows) test(titleOf(row), () => runRow(runs.get(file) as Run, row));
  });
}

test('their answers were held to the schemas of the document', () => {
  expect(schemas.checked).toBeGreaterThan(ROWS.length * 0.8);
});

describe('every operation', () => {
  test('has its changes described, and each description a change', () => {
    expect(RULES.map(({ what }) => what).sort()).toEqual(Object.keys(CHANGES).sort());
  });

  for (const [n, { what, status, answer }] of RULES.entries()) {
    // Each has its own address: 100 failed authentications from one are too many, and others share the installation.
    const client = { 'X-Forwarded-For': `192.0.2.${n}` };
    test(`${what} is ${status}`, async () => {
      const change = CHANGES[what];
      const samples = samplesOf().filter((sample) => change?.of?.(sample) !== false);
      const wrong: string[] = [];
      for (const sample of samples) {
        const request: Request = { ...sample.request, ...change?.to(sample, others) };
        const { method, path, key, body, headers } = request;
        const reply = await new Api(installation.url, key).send(method, path, body, { ...client, ...headers });
        const message = reply.status >= 400 ? reply.json.error.message : '';
        if (reply.status !== status || !message.includes(answer)) {
          wrong.push(`${sample.operation.name} (${sample.row.file}:${sample.row.line}): ${reply.status} ${message}`);
        }
        const misfit = schemas.wrongIn(method, path, reply);
        if (misfit) wrong.push(`${sample.operation.name}: ${misfit}`);
      }
      expect(wrong).toEqual([]);
      expect(samples.length).toBeGreaterThan(5);
    });
  }
});

/** Returns the first row of each operation that succeeds, with the names that its table gave. */
function samplesOf(): readonly Sample[] {
  return operations.filter(isInTables).flatMap((operation) => {
    const row = ROWS.find((row) => row.status < 300 && operationOf(row, operations) === operation);
    const run = row && runs.get(row.file);
    return run ? [{ operation, row, request: requestOf(run, row) }] : [];
  });
}
