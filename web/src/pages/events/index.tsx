import { useLocation } from 'preact-iso';
import { eventsAddress } from '../../data/addresses.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { EventTable, eventArguments, eventQueryOf } from '../../parts/event-table.tsx';
import { usePageTitle } from '../../parts/page-title.tsx';
import type { Choice } from '../../ui/table/index.ts';
import { words } from '../../words/index.ts';

import '../../styles/console/tables.css';

/** Shows what has happened in the account, newest first. */
export default function EventsPage() {
  const { query, route } = useLocation();
  const { events } = words.value;
  usePageTitle(events.title);
  const choice = preference<Choice>('columns.events').value ?? {};
  return (
    <section class="page is-full" aria-labelledby="title">
      <h1 id="title">{events.title}</h1>
      <EventTable
        query={eventQueryOf(query)}
        onQuery={(next) => route(eventsAddress(eventArguments(next)), true)}
        fileName={events.title}
        choice={choice}
        onChoice={(next) => void setPreference('columns.events', next).catch(() => {})}
      />
    </section>
  );
}
