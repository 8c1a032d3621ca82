// `npm run grafana -w deploy` writes the dashboards of the kit.
import { writeKit } from './files.ts';

await writeKit();
