import type { OpenInvitation } from '@tenant-payments/backoffice/contract/people/invitations.ts';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import type { Failure } from '../ui/failure.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Waiting } from '../ui/frame.tsx';
import { ClockIcon } from '../ui/icons.tsx';
import { isolated } from '../ui/isolated.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { Rows } from '../ui/rows.tsx';
import { Step } from '../ui/step.tsx';
import { useForm } from '../ui/use_form.ts';
import { call } from './api.ts';
import { words } from './texts.ts';
import { timeOf } from './times.ts';
import { Trouble } from './trouble.tsx';
import { useWork } from './use_work.ts';

interface InvitationProps {
  readonly token: string;
  readonly onAccepted: (session: CurrentSession, codes: readonly string[] | null) => void;
  readonly onSignIn: () => void;
}

type Found = { readonly invitation: OpenInvitation } | { readonly failure: Failure };

/** Why it cannot be accepted, and what to do. */
function Ended(props: { failure: Failure; onRetry: () => void; onSignIn: () => void }) {
  const { failure, onRetry, onSignIn } = props;
  const known = failure.kind === 'refused' ? (failure.reason ?? failure.code) : '';
  const [title, text] = words.invitation.ended[known] ?? [words.signIn.title, null];
  return (
    <Step name="ended" title={title} sign={{ tone: 'calm', icon: <ClockIcon /> }}>
      {text === null ? <FailureNotice failure={failure} /> : <p class="lead">{text}</p>}
      <Actions>
        {text === null && <Button onClick={onRetry}>{words.recovery.button}</Button>}
        <Button look={text === null ? 'secondary' : 'primary'} onClick={onSignIn}>
          {words.signIn.title}
        </Button>
      </Actions>
    </Step>
  );
}

function Facts({ invitation }: { readonly invitation: OpenInvitation }) {
  const { email, roles, expires_at } = invitation;
  const named = roles.map((role) => words.roles[role]).join(', ');
  return (
    <Rows
      rows={[
        { name: words.invitation.invited, value: email },
        ...(named === '' ? [] : [{ name: words.invitation.roles, value: named }]),
        { name: words.invitation.until, value: timeOf(expires_at) },
      ]}
    />
  );
}

function Open({ token, onAccepted, invitation }: InvitationProps & { invitation: OpenInvitation }) {
  const { kind, has_passkey, scope_name } = invitation;
  const texts = words.invitation;
  const work = useWork();
  const isNew = kind === 'join' && !has_passkey;
  const form = useForm({ name: '' }, ({ name }) => ({
    name: isNew && name.trim() === '' ? texts.needName : undefined,
  }));
  const accept = (given: string) =>
    work.run(async () => {
      const name = given.trim() === '' ? {} : { name: given.trim() };
      const options = await work.ask('beginAcceptance', { token, ...name });
      const credential = await (has_passkey ? work.answer : work.make)(options);
      if (!credential) return;
      const done = await work.ask('finishAcceptance', { token, ...name, credential });
      if (done) onAccepted(done.session, done.recovery_codes);
    });
  const label = has_passkey ? texts.accept : isNew ? texts.make : texts.replace;
  const text = has_passkey ? texts.known : isNew ? texts.text : texts.resetText;
  return (
    <Step
      name="invitation"
      title={kind === 'join' ? texts.title(isolated(scope_name)) : texts.resetTitle}
    >
      <p class="lead">{text}</p>
      <Facts invitation={invitation} />
      <Form
        form={form}
        onValid={({ name }) => void accept(name)}
        label={label}
        isBusy={work.isBusy}
      >
        <Trouble work={work} />
        {isNew && <Field {...form.field('name')} label={texts.name} autoComplete="name" />}
      </Form>
    </Step>
  );
}

/** An invitation's link: what it gives, and the passkey that accepts it. */
export function Invitation(props: InvitationProps) {
  const { token, onSignIn } = props;
  const [found, setFound] = useState<Found | null>(null);
  const look = () => {
    setFound(null);
    void call('openInvitation', { token }).then((answer) =>
      setFound(answer.ok ? { invitation: answer.value } : { failure: answer.failure }),
    );
  };
  useEffect(look, [token]);
  if (found === null) return <Waiting />;
  if ('failure' in found)
    return <Ended failure={found.failure} onRetry={look} onSignIn={onSignIn} />;
  return <Open {...props} invitation={found.invitation} />;
}
