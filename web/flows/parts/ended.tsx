import type { ComponentChildren } from 'preact';
import { Actions } from '../../ui/button.tsx';
import { CheckIcon, StopIcon } from '../../ui/icons.tsx';
import { Step } from '../../ui/step.tsx';
import { PasskeyOffer, usePasskeyOffer } from '../passkeys/offer.tsx';
import { EndAction } from '../session/end_action.tsx';

interface EndedProps {
  readonly title: string;
  readonly text: string;
  readonly tone?: 'good' | 'calm';
  readonly offersPasskey?: boolean;
  readonly children?: ComponentChildren;
}

/** A flow that has ended: what became of it, and the way back. */
export function Ended({ title, text, tone = 'good', offersPasskey = true, children }: EndedProps) {
  const offer = usePasskeyOffer();
  const icon = tone === 'good' ? <CheckIcon /> : <StopIcon />;
  return (
    <Step name="done" title={title} sign={{ tone, icon }}>
      <p class="lead">{text}</p>
      {offersPasskey && <PasskeyOffer offer={offer} />}
      <Actions>
        {children}
        <EndAction />
      </Actions>
    </Step>
  );
}
