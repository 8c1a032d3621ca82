import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, MODEL } from '../../api.ts';

/** Measures how long the values of another account took to become current values, ms; as they came. */
export type Beats = { readonly delaysMs: readonly number[]; readonly lost: number; readonly faults: readonly string[] };

const EVERY_MS = 1_000;
const ASK_MS = 50;
/** A value that is not shown by then is lost. */
const LIMIT_MS = 60_000;

/** Starts another account that writes once a second and reads its current value: whatever is sent meanwhile, it must not wait. */
export async function startNeighbour(api: Api): Promise<() => Promise<Beats>> {
  const { sourceId } = await api.createSite();
  const { _id } = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Beat', parentId: sourceId });
  const delaysMs: number[] = [];
  const faults: string[] = [];
  let lost = 0;
  let isOver = false;
  const beat = async (value: number) => {
    const beganMs = performance.now();
    const written = await api.put(`/nodes/${_id}/historic/now`, { value });
    if (written.status !== 202) return void faults.push(`${written.status} ${written.text.slice(0, 200)}`);
    while (performance.now() - beganMs < LIMIT_MS) {
      const shown = await api.get(`/nodes/${_id}?attr=currentValue`);
      if (shown.status !== 200) faults.push(`${shown.status} ${shown.text.slice(0, 200)}`);
      else if (shown.json.currentValue === value) return void delaysMs.push(performance.now() - beganMs);
      await sleep(ASK_MS);
    }
    lost += 1;
  };
  const running = (async () => {
    for (let value = 1; !isOver; value += 1) {
      await beat(value).catch((error) => faults.push(String(error)));
      await sleep(EVERY_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return { delaysMs, lost, faults };
  };
}
