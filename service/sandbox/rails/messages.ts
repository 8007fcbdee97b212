import type { Message, Messages } from '../../rails/messages.ts';
import type { Provider } from '../../rails/providers/provider.ts';
import { Refused } from '../../rails/refused.ts';

const maximumKept = 100;

/** The value of every code in a sandbox, which sends no message (rules/hosted#23). */
export const sandboxCode = '000000';

/** Recipients whom no message reaches: the start of an address, the end of a number (rules/messages#12). */
const unreached = [
  { email: 'bounced', mobile: '0191', as: 'bounced' },
  { email: 'undeliverable', mobile: '0192', as: 'undeliverable' },
  { email: 'opted-out', mobile: '0193', as: 'opted_out' },
] as const;

const failureOf = ({ to }: Message) =>
  unreached.find(({ email, mobile }) =>
    'email' in to ? to.email.startsWith(`${email}@`) : to.mobile_number.endsWith(mobile),
  );

/** Sends nothing: the last messages are kept in memory for tests. */
export function openSandboxMessages(): Messages & { readonly kept: readonly Message[] } {
  const kept: Message[] = [];
  return {
    kept,
    async send(message) {
      const failure = failureOf(message);
      if (failure) throw new Refused(failure.as);
      kept.push(message);
      if (kept.length > maximumKept) kept.shift();
      return { providerId: `sandbox-${message.id}` };
    },
  };
}

/** How it can be reached. */
export const sandboxMessagesProvider: Provider = {
  name: 'sandbox-messages',
  check: async () => [{ ok: true, what: 'keeps its messages, and sends none', advice: null }],
};
