/** How a message goes out. */
export const messageChannels = ['email', 'mobile'] as const;

/** How a message stands (rules/messages#2). */
export const messageStates = [
  'queued',
  'sent',
  'delivered',
  'bounced',
  'undeliverable',
  'opted_out',
] as const;
export type MessageState = (typeof messageStates)[number];
