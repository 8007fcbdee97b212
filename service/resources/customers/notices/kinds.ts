/**
 * What the law makes us tell a customer in writing: kept as it was sent, and given by a person where no mail arrives
 * (rules/messages#9).
 */
export const noticeKinds = ['dispute_letter', 'statement_ready', 'terms_changed'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const isNoticeKind = (kind: string): kind is NoticeKind =>
  (noticeKinds as readonly string[]).includes(kind);

/** `task`: a person must give it. `done`: a person has. */
export const noticeStatuses = ['waiting', 'sent', 'task', 'done'] as const;
