import type { Message, Messages, MessageTo } from '../../rails/messages.ts';

/** A message that nobody received. */
export interface SandboxMessage {
  readonly tenantId: string;
  readonly to: MessageTo;
  readonly message: Message;
}

const maximumKept = 100;

/** Sends nothing: every code is 000000, and the last messages are kept in memory to be looked at. */
export function openSandboxMessages(): Messages & { readonly kept: readonly SandboxMessage[] } {
  const kept: SandboxMessage[] = [];
  return {
    fixedCode: '000000',
    kept,
    async send(tenantId, to, message) {
      kept.push({ tenantId, to, message });
      if (kept.length > maximumKept) kept.shift();
    },
  };
}
