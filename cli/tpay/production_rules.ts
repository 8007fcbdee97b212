import {
  getProductionRules,
  type ProductionRules,
  putProductionRules,
} from '@tenant-payments/backoffice/contract/sandbox/production_rules.ts';
import { print } from '../declare.ts';
import type { ExitCode } from '../terminal.ts';
import { connect } from './connection.ts';
import type { Declare } from './family.ts';
import type { Console, Options } from './options.ts';

const sayings = {
  on: [
    'This sandbox answers as production would: what production refuses is refused.',
    'What plays the outside goes on: tpay simulate, clock, trigger, listen, logs tail and events list.',
    "With a client alone the rest of the portal stops: status, whoami, records, endpoints, listen --as-endpoint, the portal's lists. A key of tpay login opens it, as in production.",
    'Switch it off with: tpay production-rules off',
  ],
  off: [
    'This sandbox takes what production refuses, and says so in the header Refused-In-Production.',
    'See such calls with: tpay logs tail. Switch it on with: tpay production-rules on',
  ],
};

const shown = (terminal: Console, options: Options, rules: ProductionRules): ExitCode =>
  print(terminal, options, rules, sayings[rules.enabled ? 'on' : 'off']);

async function show(terminal: Console, options: Options): Promise<ExitCode> {
  const { portal } = connect(terminal, options);
  return shown(terminal, options, (await portal.request(getProductionRules)).data);
}

async function set(terminal: Console, options: Options, enabled: boolean): Promise<ExitCode> {
  const { portal } = connect(terminal, options);
  return shown(terminal, options, (await portal.request(putProductionRules, { enabled })).data);
}

/** `production-rules`: whether a sandbox answers as production would (rules/sandbox#48). */
export const declareProductionRules: Declare = ({ terminal, fill, add }, command) => {
  fill<Options>(command, [], (options) => show(terminal, options));
  add<Options>(command, 'show', 'show whether they hold here', [], (options) =>
    show(terminal, options),
  );
  add<Options>(command, 'on', 'refuse here what production refuses', [], (options) =>
    set(terminal, options, true),
  );
  add<Options>(command, 'off', 'take it again', [], (options) => set(terminal, options, false));
};
