import { words } from '../../words/index.ts';

/** What is going on in the account: a map, a list, dashboards. */
export default function OverviewPage() {
  const { overview } = words.value;
  return (
    <section class="page" aria-labelledby="title">
      <h1 id="title">{overview.title}</h1>
    </section>
  );
}
