import { glob } from 'node:fs/promises';
import type { Statement, VariableDeclarator } from '@swc/core';
import { Visitor } from '@swc/core/Visitor.js';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import { IMPORT_RULES, roomRules, sharedRules } from './import-rules.ts';
import { roomPlans } from './room-map.ts';

const SOURCES = ['packages', 'services', 'cli', 'e2e', 'bench', 'scripts', 'deploy', 'web', 'sdk/typescript'];

const visitStatement = Visitor.prototype.visitStatement;
/** dependency-cruiser reads TypeScript by the visitor of swc, which does not know `using`. */
Visitor.prototype.visitStatement = function (this: Visitor, statement: Statement): Statement {
  if ((statement.type as string) !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators((statement as unknown as { decls: VariableDeclarator[] }).decls);
  return statement;
};

/** Every import between files of the repository at `root` that its rules forbid, a line each. */
export async function checkBoundaries(root: string): Promise<{ files: number; violations: string[] }> {
  const plans = await roomPlans(root);
  const { output } = await cruise(
    await Array.fromAsync(glob(`{${SOURCES.join(',')}}`, { cwd: root })),
    {
      baseDir: root,
      parser: 'swc',
      tsPreCompilationDeps: true,
      // Programs of people are bodies of functions: no modules, and no JavaScript by themselves.
      exclude: {
        path: '(^|/)\\.catchment/|^web/\\.?dist|^sdk/typescript/dist/|^services/processing/(examples|test/hostile)/',
      },
      doNotFollow: { path: '(^|/)(node_modules|generated)/' },
      validate: true,
      ruleSet: { forbidden: [...IMPORT_RULES, ...roomRules(plans), ...sharedRules(plans)] },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  );
  const { summary } = output as ICruiseResult;
  return { files: summary.totalCruised, violations: summary.violations.map(line).sort() };
}

const line = ({ rule, from, to, cycle }: IViolation): string =>
  `${rule.name}: ${from} imports ${cycle?.map(({ name }) => name).join(' → ') ?? to}`;
