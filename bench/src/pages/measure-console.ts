import type { Installation } from '../installation.ts';
import type { Row } from '../report.ts';
import { measureAnswers, measureScrolling, measureSearch } from './console/at-hand.ts';
import { measureBurst } from './console/burst.ts';
import { measureFirstRows } from './console/first-rows.ts';
import { measureLossyNetwork } from './console/lossy-network.ts';
import { openStage, type Stage } from './console/stage.ts';
import { measureYearChart } from './console/year-chart.ts';

const RUNS = 3;

type Scene = (stage: Stage, runs: number) => Promise<Row[]>;
/** The last one leaves other alarms behind it. */
const SCENES: Readonly<Record<string, Scene>> = {
  'first rows': measureFirstRows,
  scrolling: measureScrolling,
  answers: measureAnswers,
  search: measureSearch,
  'a year': measureYearChart,
  'a network that loses': measureLossyNetwork,
  'many alarms at once': measureBurst,
};

/** Measures the console in a browser with a slow processor, in an account of 50 000 nodes with 2 000 alarms. */
export async function measureConsole(installation: Installation, scale: number): Promise<Row[]> {
  const stage = await openStage(installation);
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(SCENES)) {
      console.log(`  ${name}`);
      const found = await measure(stage, Math.max(1, Math.ceil(RUNS * scale)));
      for (const { name: what, value, unit } of found) console.log(`    ${what}: ${value} ${unit}`);
      rows.push(...found);
    }
    return rows;
  } finally {
    await stage.close();
  }
}
