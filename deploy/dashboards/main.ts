// `npm run dashboards -w deploy` writes the dashboards of the chart.
import { writeDashboards } from './dashboard-files.ts';

await writeDashboards();
