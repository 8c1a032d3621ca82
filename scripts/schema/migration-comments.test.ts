import { migrationComments, viewStatements } from './migration-comments.ts';

const said = (...migrations: string[]) => Object.fromEntries(migrationComments(migrations));

test('what stands above a table, a column, an index and a function is said of it', () => {
  const migration = `-- The file as a whole.

-- Devices of accounts,
-- one row each.
CREATE TABLE IF NOT EXISTS devices (
  device_id text PRIMARY KEY,
  -- Unique in the installation.
  device_key text NOT NULL,
  -- Two columns together.
  UNIQUE (device_id, device_key)
);
-- By account.
CREATE UNIQUE INDEX devices_key ON devices (device_key);
-- Counts.
CREATE OR REPLACE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Inside.
  RETURN NULL;
END $$;
-- When it is called.
CREATE TRIGGER counted AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION counted();
`;
  expect(said(migration)).toEqual({
    devices: ['Devices of accounts,', 'one row each.'],
    'devices.device_key': ['Unique in the installation.'],
    devices_key: ['By account.'],
    counted: ['Counts.'],
  });
});

const TABLE = '-- Old.\nCREATE TABLE old (\n  -- A.\n  a text\n);\n';

test.each([
  [
    'a column that is added',
    '-- B.\nALTER TABLE old ADD COLUMN b text;',
    { old: ['Old.'], 'old.a': ['A.'], 'old.b': ['B.'] },
  ],
  [
    'several columns that are added: what stands above them is about the table',
    '-- New ones.\nALTER TABLE old\n  -- B.\n  ADD COLUMN b text,\n  ADD COLUMN c text;\n-- Not of a column.\nDROP INDEX x;',
    { old: ['Old.', 'New ones.'], 'old.a': ['A.'], 'old.b': ['B.'] },
  ],
  ['a table that is renamed', 'ALTER TABLE old RENAME TO fresh;', { fresh: ['Old.'], 'fresh.a': ['A.'] }],
  ['a column that is renamed', 'ALTER TABLE old RENAME COLUMN a TO b;', { old: ['Old.'], 'old.b': ['A.'] }],
  ['a table that is dropped', 'DROP TABLE old;', {}],
  ['another word for the same', '-- Newer.\nCREATE TABLE IF NOT EXISTS old (\n', { old: ['Newer.'], 'old.a': ['A.'] }],
])('a later migration: %s', (_what, migration, expected) => {
  expect(said(TABLE, migration)).toEqual(expected);
});

test('a view is as the last migration makes it', () => {
  const made = 'CREATE OR REPLACE VIEW v AS\nSELECT b\nFROM t;';
  expect([...viewStatements([`CREATE VIEW v AS SELECT a FROM t;`, `-- Since.\n${made}\nSELECT 1;`])]).toEqual([
    ['v', made],
  ]);
});
