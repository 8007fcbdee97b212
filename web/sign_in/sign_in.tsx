import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { hasWebAuthn } from '../ui/ceremonies.ts';
import type { Failure } from '../ui/failure.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';
import { Step } from '../ui/step.tsx';
import { useForm } from '../ui/use_form.ts';
import { words } from './texts.ts';
import { Trouble } from './trouble.tsx';
import { useWork } from './use_work.ts';

interface SignInProps {
  readonly onSignedIn: (session: CurrentSession) => void;
}

function Recovery({ onSignedIn, onBack }: SignInProps & { readonly onBack: () => void }) {
  const { recovery } = words;
  const work = useWork();
  const form = useForm({ email: '', code: '' }, ({ email, code }) => ({
    email: email.includes('@') ? undefined : recovery.needEmail,
    code: code.trim() === '' ? recovery.needCode : undefined,
  }));
  const send = ({ email, code }: { email: string; code: string }) =>
    work.run(async () => {
      const given = { email: email.trim(), recovery_code: code };
      const session = await work.ask('signInByRecoveryCode', given);
      if (session) onSignedIn(session);
    });
  return (
    <Step name="recovery" title={recovery.title} onBack={onBack}>
      <p class="lead">{recovery.text}</p>
      <Form
        form={form}
        onValid={(values) => void send(values)}
        label={recovery.button}
        isBusy={work.isBusy}
        failure={work.failure}
      >
        <Field
          {...form.field('email')}
          label={recovery.email}
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <Field {...form.field('code')} label={recovery.code} isSecret />
      </Form>
      <p class="aside">{recovery.without}</p>
    </Step>
  );
}

/** The facts that a sign-in begins with. */
export interface StartProps {
  /** The refusal of the link or provider that somebody came by. */
  readonly failure: Failure | null;
  readonly notice: string | null;
  /** The scope whose people sign in at their own provider. */
  readonly organization: string | null;
}

/**
 * Signs somebody in at the own organization, by any passkey of this portal, or without one by a
 * recovery code.
 */
export function SignIn({ onSignedIn, failure, notice, organization }: SignInProps & StartProps) {
  const { signIn, organization: own } = words;
  const work = useWork();
  const [isRecovering, setRecovering] = useState(false);
  if (isRecovering) return <Recovery onSignedIn={onSignedIn} onBack={() => setRecovering(false)} />;
  const start = () =>
    work.run(async () => {
      const credential = await work.answer(await work.ask('beginSignIn', {}));
      const session = credential && (await work.ask('finishSignIn', { credential }));
      if (session) onSignedIn(session);
    });
  const leave = (scope: string) =>
    work.run(async () => {
      const begun = await work.ask('beginSingleSignOn', { scope, return_to: location.pathname });
      if (begun) location.assign(begun.redirect_url);
    });
  return (
    <Step name="sign_in" title={signIn.title}>
      <p class="lead">{organization === null ? signIn.text : own.text}</p>
      {!work.isBusy && !work.failure && <FailureNotice failure={failure} />}
      {!work.isBusy && notice !== null && <Notice tone="bad">{notice}</Notice>}
      <Trouble work={work} />
      {!hasWebAuthn() && <Notice tone="bad">{signIn.none}</Notice>}
      <Actions>
        {organization !== null && (
          <Button isBusy={work.isBusy} onClick={() => void leave(organization)}>
            {own.button}
          </Button>
        )}
        {hasWebAuthn() && (
          <Button
            look={organization === null ? 'primary' : 'secondary'}
            isBusy={work.isBusy}
            onClick={() => void start()}
          >
            {signIn.button}
          </Button>
        )}
        <Button look="quiet" onClick={() => setRecovering(true)}>
          {signIn.lost}
        </Button>
      </Actions>
    </Step>
  );
}

/** Adds a passkey, before all else, to a session that a recovery code opened. */
export function NewPasskey({ onSignedIn }: SignInProps) {
  const { newPasskey, account } = words;
  const work = useWork();
  const start = () =>
    work.run(async () => {
      const credential = await work.make(await work.ask('beginMyPasskey', {}));
      if (!credential) return;
      const added = await work.ask('addMyPasskey', { credential, name: account.newName(1) });
      const session = added && (await work.ask('getSession', {}));
      if (session) onSignedIn(session);
    });
  return (
    <Step name="new_passkey" title={newPasskey.title}>
      <p class="lead">{newPasskey.text}</p>
      <Trouble work={work} />
      <Actions>
        <Button isBusy={work.isBusy} onClick={() => void start()}>
          {newPasskey.button}
        </Button>
      </Actions>
    </Step>
  );
}
