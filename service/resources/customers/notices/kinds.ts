import { noticeKinds } from '@tenant-payments/contract/resources/notices.ts';

export type NoticeKind = (typeof noticeKinds)[number];

export const isNoticeKind = (kind: string): kind is NoticeKind =>
  (noticeKinds as readonly string[]).includes(kind);
