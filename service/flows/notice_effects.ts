import type { NoticeEffects } from '../resources/customers/notices/port.ts';

/** What begins when a notice was given, by its kind (rules/messages#10). */
export const noticeEffects: NoticeEffects = {};
