type Responses = Record<string, object>;
type Api = { paths?: object; components?: { responses?: Responses } };

/** Every operation may fail in the same ways: each is written once and referred to. */
export function withSharedFailures<T extends Api>(api: T): T {
  const shared: Responses = {};
  for (const path of Object.values(api.paths ?? {})) {
    for (const { responses = {} } of Object.values(path as Record<string, { responses?: Responses }>)) {
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const name = `Failure${status}`;
        shared[name] ??= answer;
        if (JSON.stringify(shared[name]) === JSON.stringify(answer))
          responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  return { ...api, components: { ...api.components, responses: shared } };
}
