import type { Message, Messages, MessageTo } from '../../rails/messages.ts';

/** A message that was not sent. */
export interface SandboxMessage {
  readonly tenantId: string;
  readonly to: MessageTo;
  readonly message: Message;
}

const maximumKept = 100;

/** The value of every code in a sandbox, which sends no message (rules/hosted#23). */
export const sandboxCode = '000000';

/** Sends nothing: the last messages are kept in memory for tests. */
export function openSandboxMessages(): Messages & { readonly kept: readonly SandboxMessage[] } {
  const kept: SandboxMessage[] = [];
  return {
    kept,
    async send(tenantId, to, message) {
      kept.push({ tenantId, to, message });
      if (kept.length > maximumKept) kept.shift();
    },
  };
}
