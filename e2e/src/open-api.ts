export type Operation = {
  /** The tests' tables name it by method and path below /api/v1: `GET /nodes/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Addresses below /api/v1 that match are of this operation. */
  readonly pattern: RegExp;
  readonly queryArguments: readonly string[];
};

type Described = { parameters?: { name: string; in: string }[]; security?: Record<string, unknown>[] };

/** Lists every operation that the API describes of itself, but for those that no key is for: signing in and out. */
export async function operationsOf(url: string): Promise<readonly Operation[]> {
  const response = await fetch(`${url}/api/v1/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([whole, methods]) =>
    Object.entries(methods).flatMap(([word, { parameters = [], security }]) => {
      if (security && !security.some((scheme) => 'apiKey' in scheme)) return [];
      const method = word.toUpperCase();
      const path = whole.replace(/^\/api\/v1/, '');
      const queryArguments = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      return [{ name: `${method} ${path}`, method, path, pattern: patternOf(path), queryArguments }];
    }),
  );
}

/** Matches addresses whose path has these parameters. */
export const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{\w+\}/)
      .map(RegExp.escape)
      .join('[^/]+')}$`,
  );
