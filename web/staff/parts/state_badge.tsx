import { type StateTone, toneOfState } from '@tenant-payments/contract/tones.ts';
import { inWords } from './tell.ts';

export type Tone = 'good' | 'bad' | 'warning' | 'progress' | 'plain';

/** A short word in a frame; its color only repeats what the word says. */
export const Mark = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span className={`mark is-${tone}`}>{text}</span>
);

const shownAs: Readonly<Record<StateTone, Tone>> = {
  success: 'good',
  progress: 'progress',
  action: 'warning',
  ended: 'plain',
  failed: 'bad',
};

interface StateBadgeProps {
  readonly state: string;
  /** The kind of its record, where the same word means another thing there. */
  readonly resource?: string;
}

/** A state in words. */
export const StateBadge = ({ state, resource }: StateBadgeProps) => (
  <Mark tone={shownAs[toneOfState(state, resource)]} text={inWords(state)} />
);
