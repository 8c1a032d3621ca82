import type { Node } from '../../../../data/nodes/nodes.ts';
import { valueOrNone } from '../../../../data/records/values.ts';
import { times } from '../../../../data/times.ts';
import { language } from '../../../../words/index.ts';
import type { Coding } from '../coding.ts';
import type { Follows, Newest } from '../follows.ts';
import { say } from '../words.ts';

type FollowsProps = {
  readonly node: Node;
  readonly coding: Coding;
  readonly follows: Follows;
  readonly ratings: readonly string[];
};

/** Shows what the rules of the parameter lead to. */
export function FollowsView({ node, coding, follows, ratings }: FollowsProps) {
  const text = say();
  const number = (n: number) => n.toLocaleString(language.value);
  const { newest, counts } = follows;
  return (
    <section class="mend-follows" aria-label={text.follows}>
      <h3>{text.follows}</h3>
      <ul>
        {newest ? <NewestView node={node} coding={coding} {...newest} /> : <li>{text.followsNothing}</li>}
        {counts.map(({ name, before, after }) => (
          <li key={name}>{text.countsText(name, number(before), number(after))}</li>
        ))}
        {ratings.length > 0 && <li>{text.ratings(ratings.join(', '))}</li>}
        <li>{text.programs}</li>
      </ul>
      <p class="soft">{text.byRules}</p>
    </section>
  );
}

function NewestView({
  node,
  coding,
  before,
  after,
}: {
  readonly node: Node;
  readonly coding: Coding;
  readonly before: Newest | undefined;
  readonly after: Newest | undefined;
}) {
  const text = say();
  const { whole } = times();
  if (!after) return <li>{text.newestGone}</li>;
  const [was, is] = [before?.state, after.state];
  const name = (state: typeof was) => state?.name ?? '–';
  return (
    <>
      <li>{text.newestIs(valueOrNone(node, coding.valueOf(after.value)), whole(after.ms))}</li>
      {(was || is) && (
        <li>
          {was === is ? text.stateStays(name(is)) : text.stateBecomes(name(was), name(is))}{' '}
          {is?.isAlarm && !was?.isAlarm && <strong>{text.raises}</strong>}
          {was?.isAlarm && !is?.isAlarm && text.clears}
        </li>
      )}
    </>
  );
}
