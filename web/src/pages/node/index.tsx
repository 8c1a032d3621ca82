import { EmptyState } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';

export default function NodePage() {
  return <EmptyState title={words.value.node.title} />;
}
