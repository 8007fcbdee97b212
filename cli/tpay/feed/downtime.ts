import type { Flag } from '../../declare.ts';
import { checkedDuration } from '../times.ts';

export const downtimeFlag: Flag = [
  '--max-downtime <duration>',
  'end with exit code 1 after this time without a connection; 1h unless given',
];

/** In milliseconds. @throws UsageError */
export const downtimeMs = ({ maxDowntime = '1h' }: { readonly maxDowntime?: string }): number =>
  checkedDuration('--max-downtime', maxDowntime) * 1_000;
