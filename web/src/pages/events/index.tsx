import { EmptyState } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';

export default function EventsPage() {
  return <EmptyState title={words.value.frame.events} />;
}
