import { unavailable } from '@catchment/errors';

/** Sees time (Unix ms), number and mark of a point; false = enough. No number is NaN, no mark 0. */
export type VisitPoint = (timeMs: number, number: number, mark: number) => boolean;

/**
 * The points of a CSV answer with two fields, `measurement,,time,number,mark` a line, or with the number alone: costs InfluxDB and us less than
 * its JSON.
 * @returns false when the visitor had enough
 * @throws DomainError unavailable when InfluxDB reports an error
 */
export async function visitCsv(
  pieces: AsyncIterable<string>,
  measurement: string,
  visit: VisitPoint,
  { hasMarks = true } = {},
): Promise<boolean> {
  const before = `${measurement},,`;
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      if (text.startsWith(before, from)) {
        const timeAt = from + before.length;
        const numberAt = text.indexOf(',', timeAt) + 1;
        const markAt = hasMarks ? text.indexOf(',', numberAt) + 1 : end + 1;
        const number = markAt === numberAt + 1 ? Number.NaN : Number(text.slice(numberAt, markAt - 1));
        const mark = markAt >= end ? 0 : Number(text.slice(markAt, end));
        if (!visit(Number(text.slice(timeAt, numberAt - 1)), number, mark)) return false;
      } else if (end > from && !text.startsWith('name,tags,time,', from)) refuse(text.slice(from, from + 300));
      from = end + 1;
    }
    rest = text.slice(from);
  }
  if (rest !== '') refuse(rest);
  return true;
}

function refuse(text: string): never {
  throw unavailable('INFLUX_REFUSED', { cause: new Error(text.slice(0, 300)) });
}
