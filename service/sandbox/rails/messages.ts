import type { Message, Messages, MessageTo } from '../../rails/messages.ts';

/** A message that was not sent. */
export interface SandboxMessage {
  readonly tenantId: string;
  readonly to: MessageTo;
  readonly message: Message;
}

const maximumKept = 100;

/** Sends nothing. Every code is 000000, and the last messages are kept in memory for tests. */
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
