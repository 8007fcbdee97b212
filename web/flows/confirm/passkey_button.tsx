import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { askPasskey } from '../../ui/ceremonies.ts';
import { PasskeyIcon } from '../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

const uses = {
  confirm: ['passkeyChallenge', 'confirmByPasskey', 'passkey'],
  prove: ['proofChallenge', 'proveByPasskey', 'usePasskey'],
  keep: ['proofChallenge', 'proveByPasskey', 'keepPasskey'],
} as const;

interface PasskeyButtonProps {
  readonly use?: keyof typeof uses;
  readonly look?: 'primary' | 'secondary';
}

/** Confirms, or proves who is there, by passkey; one that is not given costs nothing. */
export function PasskeyButton({ use: what = 'confirm', look = 'primary' }: PasskeyButtonProps) {
  const { texts } = usePage();
  const { confirm } = texts;
  const [begin, answerBy, label] = uses[what];
  const { view, call: request } = useSession();
  const isAlone = view.customer.is_pin_locked || what === 'keep';
  const { isBusy, failure, setFailure, call } = useCall(request);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  async function use(): Promise<void> {
    setTrouble(null);
    const challenge = await call(begin, {});
    if (!challenge.ok) return;
    setAsking(true);
    const credential = await askPasskey(challenge.value.options).catch(() => null);
    setAsking(false);
    if (credential === null)
      return setTrouble(isAlone ? confirm.passkeyFailedAlone : confirm.passkeyFailed);
    const answer = await call(answerBy, { credential });
    if (answer.ok || answer.failure.kind !== 'refused') return;
    if (answer.failure.code === 'parameter_invalid') {
      setFailure(null);
      setTrouble(isAlone ? confirm.passkeyRefusedAlone : confirm.passkeyRefused);
    }
  }

  return (
    <>
      <FailureNotice failure={failure} />
      {trouble && <Notice tone="bad">{trouble}</Notice>}
      <Button look={look} isBusy={isBusy || isAsking} onClick={() => void use()}>
        <PasskeyIcon /> {confirm[label]}
      </Button>
    </>
  );
}
