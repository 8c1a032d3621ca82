import { until } from '@catchment/testkit';
import type { HttpClient } from './http-client.ts';

const MODEL = 'io.svc.models.node';
const TIME = '2024-01-01T00:00:00.000Z';
const LIMIT_MS = 60_000;

/** Ratings that are made, and whose inputs are written, while nobody computes them. */
export class WaitingRatings {
  readonly #client: HttpClient;
  #made: string[] = [];

  constructor(client: HttpClient) {
    this.#client = client;
  }

  /** Makes a rating of twice its input, with one record in the input. */
  async make(): Promise<void> {
    const make = async (cls: string, body: object) =>
      ((await this.#client.json('POST', '/nodes', { _class: `${MODEL}.${cls}`, ...body })) as { _id: string })._id;
    const workspace = await make('Workspace', { name: `Waiting ${Date.now()}` });
    const location = await make('location.Location', { name: 'Site', parentId: workspace });
    const source = await make('source.data.Jts', { name: 'Source', parentId: location });
    const stage = await make('point.NumberPoint', { name: 'Stage', parentId: source });
    const ratings = [{ startTime: TIME, equationType: 'POLYNOMIAL', coefficients: { a: 0, b: 2 } }];
    const rating = { inputNodeId: stage, ratings };
    this.#made.push(await make('point.NumberRatingPoint', { name: 'Flow', parentId: source, rating }));
    const data = [{ ts: TIME, f: { 0: { v: 21 } } }];
    await this.#client.json('PUT', `/nodes/${stage}/historic`, { docType: 'jts', data });
  }

  /** Waits for those that were made since the last time. @returns a text for each that has no result */
  async notComputed(): Promise<string[]> {
    const made = this.#made;
    this.#made = [];
    const results = await Promise.allSettled(made.map((id) => this.#computed(id)));
    return results.flatMap((result, n) => (result.status === 'rejected' ? [`rating ${made[n]} that had waited`] : []));
  }

  #computed(id: string): Promise<unknown> {
    const isComputed = async () =>
      ((await this.#client.json('GET', `/nodes/${id}`)) as { currentValue?: number }).currentValue === 42;
    return until(isComputed, { what: `rating ${id} is computed`, deadlineMs: LIMIT_MS });
  }
}
