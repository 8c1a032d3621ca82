import { useState } from 'preact/hooks';
import { type AnyAccount, readAccounts } from '../../data/session/operator.ts';
import { countText, localNumber } from '../../format/numbers.ts';
import { sizeText } from '../../parts/size-text.ts';
import { useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { typedOf } from './account-change.ts';
import { ChangeDialog, type ChangeTyped } from './change-dialog.tsx';
import { usePages } from './use-pages.ts';
import { say } from './words.ts';

/** All accounts by name: what each uses, and its limits. */
export function Accounts() {
  const text = say();
  const { ui } = words.value;
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  // The dialog is closed without an account.
  const draft = useDraft('any account', {} as ChangeTyped);
  const pages = usePages<AnyAccount, string>(
    async (after, signal) => {
      const { accounts, next } = await readAccounts(search, after ?? '', signal);
      return { items: accounts, next };
    },
    [search],
  );
  return (
    <>
      <form
        class="operator-search"
        aria-label={text.search}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(typed.trim());
        }}
      >
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.searchHint}
          maxLength={120}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            if (event.currentTarget.value === '') setSearch('');
          }}
        />
        <Button type="submit" icon="search">
          {text.search}
        </Button>
      </form>
      {pages.error !== undefined && <Problem text={errorText(pages.error)} again={pages.again} againText={ui.again} />}
      {pages.items === undefined && pages.isLoading && <Busy text={ui.loading} />}
      {pages.items?.length === 0 && <EmptyState icon="search" title={text.noAccount} />}
      {pages.items && pages.items.length > 0 && (
        <ul class="operator-list" aria-label={text.accounts} aria-busy={pages.isLoading}>
          {pages.items.map((account) => (
            <li key={account._id}>
              <div>
                <strong dir="auto">{account.accountName}</strong> <span class="soft">{account.slug}</span>
                <p>
                  {account.status === 'DISABLED' && <span class="operator-off">{text.disabled}</span>}{' '}
                  {factsOf(account)}
                </p>
              </div>
              <Button
                icon="pencil"
                aria-label={text.changeOf(account.accountName)}
                onClick={() => draft.open(account._id, { base: account, typed: typedOf(account) })}
              >
                {text.change}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {pages.hasMore && (
        <p class="buttons">
          <Button isBusy={pages.isLoading} onClick={pages.more}>
            {text.more}
          </Button>
        </p>
      )}
      {draft.target !== undefined && <ChangeDialog draft={draft} onDone={pages.again} />}
    </>
  );
}

function factsOf(account: AnyAccount): string {
  const text = say();
  const limit = (value: number | null) => (value === null ? '' : localNumber(String(value)));
  return [
    account.accountType,
    text.nodes(account.nodes),
    text.sources(account.sources),
    text.rated(localNumber(String(account.sourceUsage)), limit(account.sourceLimit)),
    text.sms(countText(account.smsCount), limit(account.smsLimit)),
    sizeText(account.attachmentBytes),
  ].join(' · ');
}
