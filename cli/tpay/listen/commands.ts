import type { Flag } from '../../declare.ts';
import type { Declare } from '../family.ts';
import { downtimeFlag } from '../feed/downtime.ts';
import { headersOf } from './headers.ts';
import { type ListenOptions, listen } from './listen.ts';

const flags: readonly Flag[] = [
  ['--forward-to <url>', 'where events go: http://localhost:3000/webhooks, or a port'],
  ['--route <types=url>', "where these go instead: 'payment.*=http://localhost:3001'", 'repeated'],
  ['--events <types>', 'these alone, with commas between: payment.completed,load.*'],
  ['--header <name: value>', 'sent with each', 'repeated'],
  ['--since <duration>', 'from so long before on, or now; else behind the last one handed over'],
  ['--as-endpoint', 'be the endpoint: deliveries come here, and what your server answers counts'],
  ['--skip-verify', 'take any certificate of your server'],
  ['--print-secret', 'print the signing secret, and end'],
  ['--quiet', 'say only what failed'],
  ['--lines', 'print lines, also where the whole screen could be used'],
  downtimeFlag,
];

export const declareListen: Declare = ({ terminal, fill }, command) => {
  fill<ListenOptions>(command, flags, (options) =>
    listen(terminal, options, headersOf(options.header)),
  );
};
