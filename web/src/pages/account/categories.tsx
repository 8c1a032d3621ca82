import { useState } from 'preact/hooks';
import { type Category, readCategories } from '../../data/account/categories.ts';
import {
  type CategoryUses,
  createCategory,
  deleteCategory,
  moveCategory,
  renameCategory,
  usesOfCategory,
} from '../../data/account/category-settings.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type Draft, useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Read } from './read.tsx';
import { useAccountNews } from './use-account-news.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

/** The text has the name as it was when somebody began, and its revision. */
type Typed = { readonly name: string; readonly base: string; readonly revision: number };
const NEW: Typed = { name: '', base: '', revision: 0 };

/** Shows the categories of notifications, in the order in which people choose from them. */
export function Categories() {
  const text = say().categories;
  const asked = useAsked(() => readCategories(), []);
  const draft = useDraft<Typed>('category', NEW);
  const [goes, setGoes] = useState<Category>();
  useAccountNews(/ category /, asked.again);
  const mayChange = isAdministrator();
  const move = async (category: Category, index: number) => {
    await moveCategory(category._id, index).catch((error: unknown) => toast(errorText(error), { isBad: true }));
    asked.again();
  };
  return (
    <Read asked={asked}>
      {(all) => (
        <>
          <p class="account-lead">{text.lead}</p>
          <ol class="account-list" aria-label={text.title}>
            {all.map((category, i) => (
              <li key={category._id}>
                <bdi class="account-name">{category.name}</bdi>
                {mayChange && (
                  <span class="account-tools">
                    <Button
                      look="bare"
                      icon="up"
                      disabled={i === 0}
                      aria-label={text.up(category.name)}
                      onClick={() => move(category, i - 1)}
                    />
                    <Button
                      look="bare"
                      icon="down"
                      disabled={i === all.length - 1}
                      aria-label={text.down(category.name)}
                      onClick={() => move(category, i + 1)}
                    />
                    <Button
                      look="bare"
                      icon="pencil"
                      aria-label={text.rename(category.name)}
                      onClick={() =>
                        draft.open(category._id, {
                          name: category.name,
                          base: category.name,
                          revision: category.revision,
                        })
                      }
                    />
                    <Button
                      look="bare"
                      icon="trash"
                      disabled={all.length === 1}
                      title={all.length === 1 ? text.last : undefined}
                      aria-label={text.remove(category.name)}
                      onClick={() => setGoes(category)}
                    />
                  </span>
                )}
              </li>
            ))}
          </ol>
          {mayChange && (
            <p>
              <Button look="main" icon="plus" onClick={() => draft.open('', NEW)}>
                {text.add}
              </Button>
            </p>
          )}
          {draft.target !== undefined && <Edit draft={draft} onSaved={asked.again} />}
          {goes && <Remove category={goes} onClose={() => setGoes(undefined)} onDone={asked.again} />}
        </>
      )}
    </Read>
  );
}

type EditProps = {
  readonly draft: Draft<Typed>;
  readonly onSaved: () => void;
};

function Edit({ draft, onSaved }: EditProps) {
  const text = say().categories;
  const { ui } = words.value;
  const { target = '', values } = draft;
  const saving = useSaving<Category>(['name'], (theirs) => {
    // A category that is gone is made anew.
    if (theirs === undefined) draft.open('', { ...NEW, name: values.name });
    else draft.change({ base: theirs.name, revision: theirs.revision });
    return theirs?.name ?? say().gone;
  });
  const save = () =>
    saving.run(async () => {
      const name = values.name.trim();
      if (target === '') await createCategory(name);
      else await renameCategory(target, values.revision, name);
      draft.drop();
      toast(say().saved(name));
      onSaved();
    });
  return (
    <FormDialog
      title={target === '' ? text.add : text.rename(values.base)}
      problem={saving.problem}
      isBusy={saving.isBusy}
      main={ui.save}
      onCancel={draft.drop}
      onSend={save}
      onClose={draft.close}
    >
      <Field label={text.name} hint={text.nameHint} problem={saving.problemOf('name')}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autocomplete="off"
            value={values.name}
            onInput={(event) => draft.change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
    </FormDialog>
  );
}

type RemoveProps = { readonly category: Category; readonly onClose: () => void; readonly onDone: () => void };

/** Names what is lost with it before it goes. */
function Remove({ category, onClose, onDone }: RemoveProps) {
  const text = say().categories;
  const { ui } = words.value;
  const asked = useAsked(() => usesOfCategory(category._id), [category._id]);
  const [base, setBase] = useState(category);
  const saving = useSaving<Category>(
    [],
    (theirs) => {
      if (theirs) setBase(theirs);
      return theirs?.name ?? say().gone;
    },
    say().changedFirst,
  );
  const remove = () =>
    saving.run(async () => {
      await deleteCategory(base);
      onDone();
      onClose();
      toast(say().deleted(category.name));
    });
  return (
    <Dialog title={text.removeTitle(category.name)} onClose={onClose} closeText={ui.close}>
      <Read asked={asked}>
        {(uses) => (
          <>
            <p>{lossText(uses)}</p>
            {uses.nodes.length > 0 && (
              <ul class="account-used" aria-label={text.usedBy}>
                {uses.nodes.map(({ _id, name }) => (
                  <li key={_id}>
                    <bdi>{name}</bdi>
                  </li>
                ))}
                {uses.nodeCount > uses.nodes.length && <li>{text.more(uses.nodeCount - uses.nodes.length)}</li>}
              </ul>
            )}
            <DialogAnswers
              problem={saving.problem}
              isBusy={saving.isBusy}
              look="danger"
              main={text.removeIt}
              onMain={remove}
              isCancelFirst
              cancel={ui.cancel}
              onCancel={onClose}
            />
          </>
        )}
      </Read>
    </Dialog>
  );
}

function lossText({ states, alarms, people, nodeCount }: CategoryUses): string {
  const text = say().categories;
  if (nodeCount === 0 && people === 0) return text.unused;
  return [nodeCount > 0 ? text.loses(states, alarms, nodeCount) : '', people > 0 ? text.losesPeople(people) : '']
    .filter(Boolean)
    .join(' ');
}
