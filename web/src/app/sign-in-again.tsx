import { useState } from 'preact/hooks';
import { signInAgain, start } from '../data/session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogAnswers } from '../ui/dialog-answers.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';

/** Lies over the page, which stays as it is: what was being sent goes on once the person is back. */
export function SignInAgain() {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { ended } = words.value.frame;
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get('password'));
    setBusy(true);
    setProblem('');
    try {
      const refusal = await signInAgain(password);
      if (refusal) setProblem(errorText(refusal));
    } catch {
      setProblem(words.value.errors.kinds.transport);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={ended.title}>
      <form class="form" onSubmit={send}>
        <p>{ended.why}</p>
        <label>
          <span>{ended.email}</span>
          <input type="email" name="email" autocomplete="username" readOnly value={start().person.email} />
        </label>
        <label>
          <span>{ended.password}</span>
          <input type="password" name="password" autocomplete="current-password" required autofocus />
        </label>
        <DialogAnswers problem={problem} main={ended.signIn} isBusy={isBusy}>
          <a class="button is-bare" href="/auth/forgot" target="_blank" rel="noreferrer">
            {ended.forgotten}
          </a>
        </DialogAnswers>
      </form>
    </Dialog>
  );
}
