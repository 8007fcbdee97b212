import type * as sandboxMessages from '../../service/sandbox/rails/messages.ts';

/** What was sent to customers and owners, in order. */
export const sent: sandboxMessages.SandboxMessage[] = [];

/** The module that `vi.mock` puts in place of the original: its messages go to `sent`. */
export async function notingSent(
  original: () => Promise<typeof sandboxMessages>,
): Promise<typeof sandboxMessages> {
  const whole = await original();
  return {
    ...whole,
    openSandboxMessages: () => ({
      ...whole.openSandboxMessages(),
      send: async (tenantId, to, message) => void sent.push({ tenantId, to, message }),
    }),
  };
}
