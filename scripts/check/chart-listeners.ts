import { LISTENER_NAMES, listenerRow } from '@catchment/contracts/transports';

/** The templates of the chart read the listeners here, below the root. */
export const CHART_LISTENERS = 'deploy/chart/catchment/files/listeners.json';

/** Lists every listener but that of Scouts, which has a Service and settings of its own. */
export function chartListenersText(): string {
  const rows = LISTENER_NAMES.filter((name) => name !== 'scout').map(listenerRow);
  return `${JSON.stringify(rows, null, 2)}\n`;
}
