import type { ReplyBody } from '../../kit/http/http.ts';

/** Records by their name in the scenario: customers, replies of the service, keys. */
export type Records = Readonly<Record<string, ReplyBody>>;
