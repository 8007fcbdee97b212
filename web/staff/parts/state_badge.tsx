export type Tone = 'good' | 'bad' | 'warning' | 'plain';

/** A short word in a frame; its color only repeats what the word says. */
export const Mark = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span className={`mark is-${tone}`}>{text}</span>
);

const good = ['approved', 'active', 'verified', 'available', 'completed', 'settled', 'delivered'];
const bad = ['rejected', 'failed', 'suspended', 'closed', 'expired', 'canceled', 'declined'];

/** Words of states that no list knows are plain. */
const toneOf = (state: string): Tone =>
  good.includes(state) ? 'good' : bad.includes(state) ? 'bad' : 'plain';

/** A state in words. */
export const StateBadge = ({ state }: { readonly state: string }) => (
  <Mark tone={toneOf(state)} text={state.replaceAll('_', ' ')} />
);
