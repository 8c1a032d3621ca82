import { EmptyState } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';

export default function DashboardsPage() {
  return <EmptyState title={words.value.frame.dashboards} />;
}
