import type { DeviceSignIn } from '@tenant-payments/backoffice/contract/people/device.ts';
import type { CurrentSession } from '@tenant-payments/backoffice/contract/people/session.ts';
import { useEffect, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import type { Failure } from '../ui/failure.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { CheckIcon, ClockIcon, LockIcon } from '../ui/icons.tsx';
import { isolated } from '../ui/isolated.ts';
import { Notice } from '../ui/notice.tsx';
import { Step } from '../ui/step.tsx';
import { useForm } from '../ui/use_form.ts';
import { DeviceAsks } from './device_asks.tsx';
import { takeKeptCode } from './kept_code.ts';
import { words } from './texts.ts';
import { dayOf } from './times.ts';
import { useWork } from './use_work.ts';

interface DeviceProps {
  readonly session: CurrentSession;
  /** The code of the address; empty: it is typed. */
  readonly code: string;
  readonly onSession: (session: CurrentSession) => void;
  /** The session has ended. */
  readonly onLost: () => void;
}

type Shown =
  /** `isAnew`: where the person acts has changed since it was shown what the program would get. */
  | { readonly is: 'code'; readonly isAnew?: boolean }
  | { readonly is: 'asks'; readonly asked: DeviceSignIn; readonly code: string }
  | { readonly is: 'done'; readonly decided: DeviceSignIn }
  | { readonly is: 'ended'; readonly reason: string };

const lettersOf = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, '');
const codeLength = 8;

interface CodeProps {
  readonly code: string;
  readonly isAnew: boolean;
  readonly onAsked: (asked: DeviceSignIn, code: string) => void;
  readonly onEnded: (reason: string) => void;
  readonly onLost: () => void;
}

/**
 * The form for the code that the program shows: also a code of the address is compared before it is
 * sent.
 */
function Code({ code, isAnew, onAsked, onEnded, onLost }: CodeProps) {
  const { device } = words;
  const work = useWork();
  const form = useForm({ code }, (values) => ({
    code: lettersOf(values.code).length === codeLength ? undefined : device.needCode,
  }));
  const refused = (failure: Failure) => {
    if (failure.kind === 'lost') onLost();
    if (failure.kind !== 'refused') return;
    if (failure.code === 'not_found') form.refuse({ code: device.unknown });
    else if (failure.reason && failure.reason in device.ended) onEnded(failure.reason);
  };
  useEffect(() => {
    if (work.failure) refused(work.failure);
  }, [work.failure]);
  const open = (typed: string) =>
    work.run(async () => {
      const asked = await work.ask('openDeviceSignIn', { user_code: typed });
      if (asked) onAsked(asked, typed);
    });
  const isUnknown = work.failure?.kind === 'refused' && work.failure.code === 'not_found';
  return (
    <Step name="device_code" title={device.title}>
      {isAnew && <Notice tone="bad">{device.anew}</Notice>}
      <p class="lead">{code === '' ? device.text : device.compare}</p>
      <Form
        form={form}
        onValid={(values) => void open(values.code)}
        label={device.button}
        isBusy={work.isBusy}
        failure={isUnknown ? null : work.failure}
      >
        <Field {...form.field('code')} label={device.code} hint={device.hint} width="medium" />
      </Form>
    </Step>
  );
}

function Done({ decided, onAgain }: { decided: DeviceSignIn; onAgain: () => void }) {
  const { device } = words;
  const isApproved = decided.status === 'approved';
  const sign = isApproved
    ? ({ tone: 'good', icon: <CheckIcon /> } as const)
    : ({ tone: 'calm', icon: <LockIcon /> } as const);
  return (
    <Step
      name={`device_${decided.status}`}
      title={isApproved ? device.approved : device.denied}
      sign={sign}
    >
      <p class="lead">
        {isApproved ? device.approvedText(isolated(decided.client_name)) : device.deniedText}
      </p>
      {isApproved && <p>{device.untilRevoked(dayOf(decided.key_expires_at))}</p>}
      <Actions>
        <Button look="quiet" onClick={onAgain}>
          {device.again}
        </Button>
      </Actions>
    </Step>
  );
}

function Ended({ reason, onAgain }: { reason: string; onAgain: () => void }) {
  const { device } = words;
  const [title, text] = device.ended[reason] ?? [device.title, device.unknown];
  return (
    <Step name="device_ended" title={title} sign={{ tone: 'calm', icon: <ClockIcon /> }}>
      <p class="lead">{text}</p>
      <Actions>
        <Button onClick={onAgain}>{device.again}</Button>
      </Actions>
    </Step>
  );
}

/** A program's code, who asks with it, and the answer of whoever is signed in (rules/device-sign-in#12). */
export function Device({ session, code, onSession, onLost }: DeviceProps) {
  const [shown, show] = useState<Shown>({ is: 'code' });
  const [brought, setBrought] = useState(() => code || takeKeptCode());
  const again = () => {
    setBrought('');
    show({ is: 'code' });
  };
  const ended = (reason: string) => show({ is: 'ended', reason });
  switch (shown.is) {
    case 'code':
      return (
        <Code
          code={brought}
          isAnew={shown.isAnew === true}
          onAsked={(asked, typed) => show({ is: 'asks', asked, code: typed })}
          onEnded={ended}
          onLost={onLost}
        />
      );
    case 'asks':
      return (
        <DeviceAsks
          key={shown.asked.scope}
          session={session}
          asked={shown.asked}
          code={shown.code}
          onMoved={(now, asked) => {
            show({ ...shown, asked });
            onSession(now);
          }}
          onMovedAway={() => {
            setBrought(shown.code);
            show({ is: 'code', isAnew: true });
          }}
          onDecided={(decided) => show({ is: 'done', decided })}
          onEnded={ended}
          onLost={onLost}
        />
      );
    case 'done':
      return <Done decided={shown.decided} onAgain={again} />;
    default:
      return <Ended reason={shown.reason} onAgain={again} />;
  }
}
