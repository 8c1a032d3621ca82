import { useLocation } from 'preact-iso';
import { devicesAddress } from '../../data/addresses.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { say } from './words.ts';

/** What stands where a table without devices would be. @param isPart there are others, which are not shown */
export function Nothing({ isPart, add }: { readonly isPart: boolean; readonly add: preact.ComponentChildren }) {
  const text = say();
  const { route } = useLocation();
  if (!isPart)
    return (
      <EmptyState icon="source" title={text.none} action={add}>
        {text.noneText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="source"
      title={text.noneOfFilter}
      action={<Button onClick={() => route(devicesAddress(), true)}>{text.showAll}</Button>}
    >
      {text.noneOfFilterText}
    </EmptyState>
  );
}
