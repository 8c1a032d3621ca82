import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

/** Prometheus has these rule files, each with its test beside it. */
export const RULES = path.resolve(import.meta.dirname, '../chart/catchment/rules');

export type Rule = {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};
type RuleFile = {
  /** The name without its ending. */
  readonly name: string;
  readonly file: string;
  readonly testFile: string;
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
type Alert = Rule & { readonly alert: string };

export async function readRuleFiles(): Promise<RuleFile[]> {
  const names = (await readdir(RULES))
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('.test.yaml'))
    .map((file) => path.basename(file, '.yaml'))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(RULES, `${name}.yaml`);
      const { groups } = parse(await readFile(file, 'utf8')) as Pick<RuleFile, 'groups'>;
      return { name, file, testFile: path.join(RULES, `${name}.test.yaml`), groups };
    }),
  );
}

export const rulesOf = (files: readonly RuleFile[]): Rule[] =>
  files.flatMap(({ groups }) => groups.flatMap(({ rules }) => rules));

export const alertsOf = (files: readonly RuleFile[]): Alert[] =>
  rulesOf(files).filter((rule): rule is Alert => rule.alert !== undefined);
