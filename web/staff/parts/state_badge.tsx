export type Tone = 'good' | 'bad' | 'warning' | 'plain';

/** A short word in a frame; its color only repeats what the word says. */
export const Mark = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span className={`mark is-${tone}`}>{text}</span>
);

const good = ['approved', 'active', 'verified', 'available', 'completed', 'settled', 'delivered'];
const bad = ['rejected', 'failed', 'suspended', 'declined'];
const waiting = ['held_for_review', 'in_review', 'retrying', 'requires_confirmation'];

/** A dispute that is investigated waits for a person; one that has ended says nothing of who was right. */
const ofDispute: Readonly<Record<string, Tone>> = {
  received: 'warning',
  investigating: 'warning',
  provisional_credit: 'warning',
  resolved: 'good',
};

/** The tone of a state: one that has ended without a fault is plain, as one that no list knows. */
function toneOf(state: string, resource: string | undefined): Tone {
  if (resource === 'dispute') return ofDispute[state] ?? 'plain';
  if (good.includes(state)) return 'good';
  if (bad.includes(state)) return 'bad';
  return waiting.includes(state) ? 'warning' : 'plain';
}

interface StateBadgeProps {
  readonly state: string;
  /** The kind of its record, where the same word means another thing there. */
  readonly resource?: string;
}

/** A state in words. */
export const StateBadge = ({ state, resource }: StateBadgeProps) => (
  <Mark tone={toneOf(state, resource)} text={state.replaceAll('_', ' ')} />
);
